/**
 * What Signalbox adds to a call, with auth, limits, routing, validation and the ledger on, against a bare proxy on the same runtime
 * in the same run. Headline: CPU per request of the gateway's process (it moves least on a noisy machine), read from /proc.
 *
 *   bun run bench/gateway/run.ts [--quick] [--write]
 */

import { join } from "node:path";
import { buildExecutable } from "../../release/build-executable.ts";
import { thisTarget } from "../../release/targets.ts";
import { selfCommand } from "../../src/lib/self.ts";
import { cpuSeconds, median, quantile, residentMb } from "../figures.ts";
import { startReport } from "../report.ts";
import { allowManyRequests, benchFolder, startBox, startServer } from "../start-box.ts";

await allowManyRequests();
const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 3 : 5;
const REQUESTS = quick ? 1_500 : 4_000;
const folder = benchFolder();
const UPSTREAM = join(import.meta.dir, "upstream.ts");
const FLOOR = join(import.meta.dir, "floor.ts");

type Target = { name: string; url: string; pid: number; headers: Record<string, string>; path: string };

const FROM_SOURCE = selfCommand([]);

const startSignalbox = async (
  upstream: string,
  file = "bench.db",
  program = FROM_SOURCE,
  settings: Record<string, string> = {},
): Promise<Target & { startMs: number }> => {
  const startedAt = performance.now();
  const provider = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: `${upstream}/v1` };
  const { url, pid, liveKey } = await startBox(join(folder, file), { ...provider, ...settings }, program);
  const startMs = performance.now() - startedAt;
  const headers = { authorization: `Bearer ${liveKey}` };
  return { name: "signalbox", url, pid, headers, path: "/v1/chat/completions", startMs };
};

const prompt = (characters: number): string =>
  "Please look at the following report of the signal box and tell me which of the trains were late and why. "
    .repeat(500)
    .slice(0, characters);
const bodyOf = (characters: number, stream: boolean, question = prompt(characters)): string =>
  JSON.stringify({
    model: "auto",
    messages: [
      { role: "system", content: "You are a helpful assistant." },
      { role: "user", content: question },
    ],
    stream,
    max_tokens: 500,
  });
/** Questions that were not asked lately: what is remembered of a text is of no use to the next. */
const DIFFERENT_BODIES = Array.from({ length: 2_000 }, (_, n) =>
  bodyOf(2_000, false, `Report ${n} of the signal box, ${n * 7} trains. ${prompt(2_000)}`.slice(0, 2_000)),
);

const send = (target: Target, body: string): Promise<Response> =>
  fetch(target.url + target.path, { method: "POST", body, headers: { "content-type": "application/json", ...target.headers } });

/** `count` calls, `concurrency` at once, of these bodies by turns; CPU of the target's process per call, milliseconds. */
const cpuPerCall = async (target: Target, bodies: readonly string[], count: number, concurrency: number): Promise<number> => {
  const before = cpuSeconds(target.pid);
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const response = await send(target, bodies[left % bodies.length]!);
      if (response.status !== 200) throw new Error(`${target.name}: ${response.status} ${await response.text()}`);
      await response.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return ((cpuSeconds(target.pid) - before) * 1000) / count;
};

/** An open loop: calls start on the clock, whether or not earlier ones have ended. Latencies in milliseconds. */
const openLoop = async (target: Target, bodies: readonly string[], perSecond: number, seconds: number): Promise<number[]> => {
  const latencies: number[] = [];
  const calls: Promise<void>[] = [];
  const begin = performance.now();
  for (let index = 0; index < perSecond * seconds; index++) {
    const due = begin + (index * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    // A sleep may end up to a millisecond early; what starts late has waited since it was due.
    const from = Math.min(due, performance.now());
    calls.push(
      send(target, bodies[index % bodies.length]!).then(async (response) => {
        await response.text();
        latencies.push(performance.now() - from);
      }),
    );
  }
  await Promise.all(calls);
  return latencies;
};

/** Time to the first byte of the body, milliseconds. */
const firstByte = async (target: Target, body: string, count: number): Promise<number> => {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now();
    const response = await send(target, body);
    const reader = response.body!.getReader();
    await reader.read();
    times.push(performance.now() - startedAt);
    while (!(await reader.read()).done);
  }
  return median(times);
};

const LONG_STREAMS = { BENCH_GAP_MS: "20", BENCH_CHUNKS: "450", BENCH_PIECE: " a" };
const upstream = await startServer(UPSTREAM, { BENCH_GAP_MS: "20" });
const fast = await startServer(UPSTREAM, { BENCH_GAP_MS: "0" });
const floorProcess = await startServer(FLOOR, { UPSTREAM: fast.url });
const floor: Target = { name: "floor", ...floorProcess, headers: {}, path: "/" };
const box = await startSignalbox(fast.url);
const direct: Target = { name: "direct", url: fast.url, pid: fast.pid, headers: {}, path: "/v1/chat/completions" };

const report = startReport("The gateway against a bare proxy", {
  command: `bun run bench/gateway/run.ts${quick ? " --quick" : ""}`,
  how: `${ROUNDS} interleaved rounds, medians`,
  columns: ["measure", "floor", "signalbox", "ratio or difference"],
});
const line = (measure: string, floor: number, signalbox: number, comparison: string): void =>
  report.row(measure, floor.toFixed(3), signalbox.toFixed(3), comparison);
/** Milliseconds and megabytes that are whole. */
const wholeLine = (measure: string, signalbox: number, goal = ""): void => report.row(measure, "", Math.round(signalbox), goal);
await Bun.sleep(500);
const idleMb = residentMb(box.pid);
const SAME_BODY = [bodyOf(2_000, false)];
for (const target of [floor, box]) await cpuPerCall(target, SAME_BODY, 500, 16);

for (const [name, bodies, goal, before] of [
  ["2 KB", SAME_BODY, 3.5, 0],
  ["50 KB", [bodyOf(50_000, false)], 0, 0],
  ["2 KB, once the runtime has compiled what is hot (20,000 calls later)", SAME_BODY, 3.5, quick ? 2_000 : 20_000],
  ["the same, another question with each call", DIFFERENT_BODIES, 3.5, quick ? 2_000 : 10_000],
] as const) {
  if (before > 0) for (const target of [floor, box]) await cpuPerCall(target, bodies, before, 16);
  const rounds = { floor: [] as number[], box: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const count = bodies[0]!.length > 10_000 ? REQUESTS / 4 : REQUESTS;
    rounds.floor.push(await cpuPerCall(floor, bodies, count, 16));
    rounds.box.push(await cpuPerCall(box, bodies, count, 16));
  }
  const ratio = median(rounds.box.map((value, index) => value / rounds.floor[index]!));
  line(
    `CPU ms per call, ${name}`,
    median(rounds.floor),
    median(rounds.box),
    `${ratio.toFixed(2)} x${goal ? ` (goal ${goal})` : ""}`,
  );
}
for (const [name, chunks, streams, before, gapped] of [
  ["64 chunks, some 20 ms apart, 50 at once, after 500 calls", 64, 100, 0, upstream],
  ["the same, once the runtime has compiled what is hot (1,000 streams later)", 64, 100, quick ? 200 : 1_000, upstream],
  // Of a token each: longer deltas would be joined from the 500th token on, and fewer than came would leave.
  ["450 chunks, the call's own cost shared by more of them", 450, 50, 0, await startServer(UPSTREAM, LONG_STREAMS)],
] as const) {
  const pacedFloor: Target = { ...floor, ...(await startServer(FLOOR, { UPSTREAM: gapped.url })) };
  const pacedBox = await startSignalbox(gapped.url, `paced-${chunks}-${before}.db`);
  const body = [bodyOf(2_000, true)];
  // As for calls: a program that has just begun spends its time on compiling.
  for (const target of [pacedFloor, pacedBox]) {
    await cpuPerCall(target, SAME_BODY, 500, 16);
    if (before > 0) await cpuPerCall(target, body, before, 50);
  }
  const perStream = { floor: [] as number[], box: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    perStream.floor.push(await cpuPerCall(pacedFloor, body, streams, 50));
    perStream.box.push(await cpuPerCall(pacedBox, body, streams, 50));
  }
  // What has been measured must not work beside what is measured next.
  for (const { pid } of [pacedFloor, pacedBox]) process.kill(pid, 9);
  const perChunk = (values: number[]) => (median(values) * 1000) / (chunks + 1);
  const ratio = median(perStream.box.map((value, index) => value / perStream.floor[index]!));
  line(
    `CPU µs per streamed chunk (${name})`,
    perChunk(perStream.floor),
    perChunk(perStream.box),
    `${ratio.toFixed(2)} x (goal 1.6)`,
  );
}
/** The median round's quantiles of what `target` adds at 200 calls a second, `before` calls after it has rested. */
const atRate = async (name: string, target: Target, bodies: readonly string[], before: number, goals: readonly number[]) => {
  const seconds = quick ? 4 : 10;
  // The runtime lets go what it has compiled for who has rested for minutes; what is asked for is a load that lasts.
  for (const each of [floor, target]) await cpuPerCall(each, bodies, before, 16);
  const rounds: { base: number[]; floor: number[]; box: number[] }[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const base = await openLoop(direct, bodies, 200, seconds);
    const through = await openLoop(target, bodies, 200, seconds);
    rounds.push({ base, box: through, floor: await openLoop(floor, bodies, 200, seconds) });
  }
  for (const [index, [quantileName, share]] of [["p50", 0.5] as const, ["p99", 0.99] as const].entries()) {
    const added = (by: "floor" | "box") =>
      median(rounds.map((round) => quantile(round[by], share) - quantile(round.base, share)));
    line(`added ms ${quantileName} ${name}`, added("floor"), added("box"), goals[index] ? `goal ${goals[index]}` : "");
  }
};
await atRate("at 200/s", box, SAME_BODY, REQUESTS, [1, 5]);
await atRate("at 200/s, another question with each call", box, DIFFERENT_BODIES, REQUESTS, [1, 5]);
{
  const body = bodyOf(2_000, true);
  const base = await firstByte(direct, body, 100);
  const viaFloor = await firstByte(floor, body, 100);
  const through = await firstByte(box, body, 100);
  line("added ms to the first chunk, p50", viaFloor - base, through - base, "goal 1");
}
{
  const unsynced = await startSignalbox(fast.url, "unsynced.db", FROM_SOURCE, { SIGNALBOX_DURABILITY: "normal" });
  const name = "at 200/s, no call waiting for the disk (SIGNALBOX_DURABILITY=normal)";
  await atRate(name, unsynced, SAME_BODY, 5 * REQUESTS, []);
  process.kill(unsynced.pid, 9);
}
{
  // How much is garbage at the moment of the look differs by 30 MB from one program to the next.
  const underStreams: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const paced = await startSignalbox(upstream.url, `streams-${round}.db`);
    await Bun.sleep(500);
    const open = await Promise.all(Array.from({ length: 1_000 }, () => send(paced, bodyOf(500, true))));
    await Bun.sleep(800);
    underStreams.push(residentMb(paced.pid));
    await Promise.all(open.map((response) => response.text()));
    process.kill(paced.pid, 9);
  }
  wholeLine("resident MB, idle", idleMb, "goal 80");
  wholeLine("resident MB, 1,000 open streams", median(underStreams), "goal 130");
}
{
  const executable = join(folder, "signalbox");
  await buildExecutable(thisTarget(), executable);
  const startsOf = async (program: string[], name: string): Promise<{ ms: number; mb: number }> => {
    const times: number[] = [];
    let mb = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const started = await startSignalbox(fast.url, `${name}-${round}.db`, program);
      times.push(started.startMs);
      await Bun.sleep(500);
      mb = residentMb(started.pid);
      process.kill(started.pid, 9);
    }
    return { ms: median(times), mb };
  };
  const built = await startsOf([executable], "built");
  const source = await startsOf(FROM_SOURCE, "source");
  wholeLine("first start, ms until the keys are shown: the executable", built.ms, "goal 150");
  wholeLine("the same from source", source.ms);
  wholeLine("resident MB, idle: the executable", built.mb, "goal 80");
}

if (process.argv.includes("--write")) report.save("gateway.md");
process.exit(0);
