/**
 * What many clients at once cost: streams by the thousand, clients that never read, clients that leave, and limits hit all at one moment.
 *
 *   bun run bench/load/run.ts [paced] [unread] [dropped] [limits] [STREAMS] [--write]
 *
 * STREAMS is 10,000 unless told; each is two sockets of Signalbox's, which `ulimit -n` must allow.
 */

import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { CASES, hammer, startHammering } from "../../test/limits/hammer-groups.ts";
import { randomFrom } from "../../test/support/random.ts";
import { cpuSeconds, quantile, quantiles, residentMb } from "../figures.ts";
import { startReport } from "../report.ts";
import { allowManyRequests, benchFolder, numbersGiven, startBox, startServer } from "../start-box.ts";

await allowManyRequests();

const words = process.argv.slice(2);
const PARTS = {
  paced: "Thousands of streams at once",
  unread: "Clients that never read",
  dropped: "Clients that leave",
  limits: "Limits hit at one moment",
};
const chosen = Object.keys(PARTS).filter((part) => words.includes(part)) as (keyof typeof PARTS)[];
const runs = (part: keyof typeof PARTS) => chosen.length === 0 || chosen.includes(part);
const [STREAMS = 10_000] = numbersGiven();

/** Each part has a page of its own, which is written when it ends. */
const startPage = (part: keyof typeof PARTS) => {
  const report = startReport(PARTS[part], {
    command: ["bun run bench/load/run.ts", part, ...numbersGiven()].join(" "),
    how: "Signalbox, upstream and clients on the same cores",
  });
  return { line: report.row, endPage: () => words.includes("--write") && report.save(`load-${part}.md`) };
};
const folder = benchFolder();
const { url: upstream } = await startServer(join(import.meta.dir, "upstream.ts"));
const provider = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: `${upstream}/v1` };
const startFor = (part: keyof typeof PARTS) => startBox(join(folder, `${part}.db`), provider);
type Box = Awaited<ReturnType<typeof startFor>>;

const now = () => performance.timeOrigin + performance.now();
/** p50, p95, p99 and the most. */
const spread = (values: readonly number[]): string => quantiles(values, [0.5, 0.95, 0.99, 1]);
const bodyFor = (prompt: string) =>
  JSON.stringify({ model: "gpt-4o", stream: true, max_tokens: 10_000, messages: [{ role: "user", content: prompt }] });
const seen = async () => (await (await fetch(`${upstream}/seen`)).json()) as { open: number; goneAt: Record<string, number> };
/** What is left once everything has had time to be written down. */
const placesTaken = async (box: Box): Promise<number> => {
  for (let look = 0; ; look++) {
    const { used } = (await get(box, "/v1/usage")).limits.streams;
    if (used === 0 || look === 60) return used;
    await Bun.sleep(1_000);
  }
};
const get = async (box: Box, path: string) =>
  (await fetch(`${box.url}${path}`, { headers: { authorization: `Bearer ${box.liveKey}` } })).json() as any;

/** One stream to its end: how late each event was, milliseconds. */
const readPaced = async (url: string, key: string, events: number, late: number[], from = 0): Promise<boolean> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: bodyFor(`paced ${events}`),
  });
  const decoder = new TextDecoder();
  let done = false;
  for await (const bytes of response.body!) {
    const text = decoder.decode(bytes as Uint8Array, { stream: true });
    const at = now();
    if (at >= from) for (const [, sentAt] of text.matchAll(/t=([\d.]+) /g)) late.push(at - Number(sentAt));
    done ||= text.includes("[DONE]");
  }
  return done;
};

const RAMP_PER_SECOND = 300;
const STEADY_SECONDS = 20;

const pacedStreams = async (url: string, key: string, events: number, pid?: number) => {
  const late: number[] = [];
  let complete = 0;
  let failed = 0;
  let mostMb = 0;
  const watching = setInterval(() => {
    if (pid !== undefined) mostMb = Math.max(mostMb, residentMb(pid));
  }, 250);
  const streams: Promise<void>[] = [];
  // What is measured is the time when all are open.
  const from = now() + (STREAMS / RAMP_PER_SECOND + 3) * 1_000;
  let cpu = Number.NaN;
  const measuring = (async () => {
    if (pid === undefined) return;
    await Bun.sleep(from - now());
    const before = cpuSeconds(pid);
    await Bun.sleep(STEADY_SECONDS * 1_000);
    cpu = (cpuSeconds(pid) - before) / STEADY_SECONDS;
  })();
  for (let index = 0; index < STREAMS; index++) {
    streams.push(
      readPaced(url, key, events, late, from).then(
        (done) => void (done ? complete++ : failed++),
        () => void failed++,
      ),
    );
    if (index % 10 === 9) await Bun.sleep(10_000 / RAMP_PER_SECOND);
  }
  await Promise.all([...streams, measuring]);
  clearInterval(watching);
  return { late, complete, failed, mostMb, cpu };
};

if (runs("paced")) {
  const { line, endPage } = startPage("paced");
  const EVENTS = 2 * Math.ceil(STREAMS / RAMP_PER_SECOND + STEADY_SECONDS + 5);
  const direct = await pacedStreams(upstream, "none", EVENTS);
  const directP99 = quantile(direct.late, 0.99);
  line(
    `${STREAMS} streams of 2 events a second straight from the upstream: late by p50, p95, p99, most (ms)`,
    spread(direct.late),
    "the floor",
  );
  const box = await startFor("paced");
  const idleMb = residentMb(box.pid);
  const through = await pacedStreams(box.url, box.liveKey, EVENTS, box.pid);
  line(`the same through Signalbox: complete, failed`, `${through.complete}, ${through.failed}`, "all, 0");
  line("… late by p50, p95, p99, most (ms)", spread(through.late));
  line("… added at p99 (ms)", (quantile(through.late, 0.99) - directP99).toFixed(1), "< 150");
  line("… of one core, Signalbox used meanwhile", `${(100 * through.cpu).toFixed(0)} %`);
  line("… resident memory idle, most (MB)", `${idleMb.toFixed(0)}, ${through.mostMb.toFixed(0)}`, "< 600");
  line("… calls in the log", (await get(box, "/v1/logs?limit=1")).total, String(STREAMS));
  await box.end("SIGKILL");
  endPage();
}

if (runs("unread")) {
  const { line, endPage } = startPage("unread");
  const CLIENTS = 200;
  const box = await startFor("unread");
  const port = Number(new URL(box.url).port);
  await get(box, "/v1/logs?limit=1");
  const beforeMb = residentMb(box.pid);
  const openBefore = (await seen()).open;
  const sockets: Socket[] = [];
  for (let index = 0; index < CLIENTS; index++) {
    const body = bodyFor(`bulk ${100_000 + index}`);
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${box.liveKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    sockets.push(socket);
  }
  let mostMb = beforeMb;
  let mostOpen = 0;
  const begin = performance.now();
  let cutAfter = Number.NaN;
  while (performance.now() - begin < 240_000) {
    await Bun.sleep(500);
    mostMb = Math.max(mostMb, residentMb(box.pid));
    const open = (await seen()).open - openBefore;
    mostOpen = Math.max(mostOpen, open);
    if (mostOpen === CLIENTS && open === 0) {
      cutAfter = (performance.now() - begin) / 1000;
      break;
    }
  }
  line(`${CLIENTS} clients that never read 50 MB streams: resident memory grew by (MB)`, (mostMb - beforeMb).toFixed(0), "< 100");
  line("… upstreams let go after (s)", cutAfter.toFixed(0), "all, about 60");
  line("… places still taken within a minute", await placesTaken(box), "0");
  for (const socket of sockets) socket.destroy();
  await box.end("SIGKILL");
  endPage();
}

if (runs("dropped")) {
  const { line, endPage } = startPage("dropped");
  const CLIENTS = 1_000;
  const box = await startFor("dropped");
  const random = randomFrom(3).next;
  for (let warm = 0; warm < 50; warm++) await readPaced(box.url, box.liveKey, 1, []);
  const beforeMb = residentMb(box.pid);
  const leftAt: Record<string, number> = {};
  const drop = async (number: number) => {
    const abort = new AbortController();
    const response = fetch(`${box.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${box.liveKey}`, "content-type": "application/json" },
      body: bodyFor(`drip ${number}`),
      signal: abort.signal,
    });
    const reading = response.then((opened) => opened.text()).catch(() => undefined);
    await Bun.sleep(100 + random() * 3_000);
    leftAt[number] = now();
    abort.abort();
    await reading;
  };
  const leaving: Promise<void>[] = [];
  for (let number = 1; number <= CLIENTS; number++) {
    leaving.push(drop(number));
    await Bun.sleep(4);
  }
  await Promise.all(leaving);
  const aborts = async () => {
    const { goneAt } = await seen();
    return Object.entries(leftAt).flatMap(([number, at]) => (goneAt[number] === undefined ? [] : [goneAt[number] - at]));
  };
  for (let look = 0; look < 50 && (await aborts()).length < CLIENTS; look++) await Bun.sleep(100);
  const delays = await aborts();
  line(`${CLIENTS} clients that leave at random points: upstreams let go`, delays.length, String(CLIENTS));
  line("… after p50, p95, p99, most (ms)", spread(delays), "p99 < 250");
  await Bun.sleep(500);
  const { logs, total } = await get(box, "/v1/logs?limit=1000&sort_order=desc");
  const cancelled = logs.filter(
    (log: any) => log.execution.output_tokens > 0 && log.execution.cost_usd > 0 && log.execution.usage_source === "estimated",
  );
  line(
    "… calls in the log, billed for what had come",
    `${total - 50}, ${cancelled.length}`,
    `${CLIENTS} (less those that left before the first event)`,
  );
  line("… places still taken within a minute", await placesTaken(box), "0");
  for (let warm = 0; warm < 50; warm++) await readPaced(box.url, box.liveKey, 1, []);
  await Bun.sleep(2_000);
  line("… resident memory before, after (MB)", `${beforeMb.toFixed(0)}, ${residentMb(box.pid).toFixed(0)}`);
  await box.end("SIGKILL");
  endPage();
}

if (runs("limits")) {
  const { line, endPage } = startPage("limits");
  const CALLS = 1_000;
  const hammering = await startHammering({ folder });
  for (const limited of CASES) {
    const calls = limited.group === "transcription" ? 100 : CALLS;
    const { admitted, refused, other } = await hammer(hammering, limited, calls);
    line(
      `${calls} calls at one moment on \`${limited.group}\` (${limited.tier}): let in, refused, else`,
      `${admitted}, ${refused}, ${other.length}`,
      `${limited.admits}, ${calls - limited.admits}, 0`,
    );
  }
  await hammering.stop();
  endPage();
}

process.exit(0);
