/**
 * 200 calls a second, whole and streamed, over two upstreams of which every tenth exchange fails in some way; then one upstream dead,
 * then both. Signalbox runs as a process of its own; clients, upstreams and relays share this one.
 *
 *   bun run bench/faults/run.ts [seconds=30] [--write]
 */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Fault, type FaultPlan, startFaultRelay } from "../../test/support/fault-relay.ts";
import { randomFrom } from "../../test/support/random.ts";
import { quantiles } from "../figures.ts";
import { startReport } from "../report.ts";
import { benchFolder, numbersGiven, startBox } from "../start-box.ts";

const [seconds = 30] = numbersGiven();
const PER_SECOND = 200;
const SHARE = 0.1;
const random = randomFrom(42).next;

const report = startReport("Faults", { command: `bun run bench/faults/run.ts ${seconds}` });
const line = report.row;

const SAID = "The 8:15 was late by four minutes because a freight train cleared the points.";
const sse = (frames: unknown[], named = false) =>
  new Response(
    frames
      .map(
        (frame) =>
          `${named ? `event: ${(frame as any).type}\n` : ""}data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`,
      )
      .join(""),
    {
      headers: { "content-type": "text/event-stream" },
    },
  );
const chunk = (delta: object, finish: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const usage = { prompt_tokens: 20, completion_tokens: 18, total_tokens: 38 };

const openAi = (stream: boolean) =>
  stream
    ? sse([chunk({ role: "assistant", content: SAID }), chunk({}, "stop"), { id: "c", choices: [], usage }, "[DONE]"])
    : Response.json({
        id: "c",
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant", content: SAID }, finish_reason: "stop" }],
        usage,
      });
const anthropic = (stream: boolean) =>
  stream
    ? sse(
        [
          { type: "message_start", message: { id: "m", model: "claude", usage: { input_tokens: 21, output_tokens: 1 } } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: SAID } },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 17 } },
          { type: "message_stop" },
        ],
        true,
      )
    : Response.json({
        id: "m",
        type: "message",
        role: "assistant",
        model: "claude",
        content: [{ type: "text", text: SAID }],
        stop_reason: "end_turn",
        usage: { input_tokens: 21, output_tokens: 17 },
      });

/** What the upstream itself does wrong; the way to it has its own faults. */
const failing: ((stream: boolean) => Response)[] = [
  () => Response.json({ error: { message: "Down.", type: "server_error" } }, { status: 500 }),
  () => Response.json({ error: { message: "Busy.", type: "overloaded" } }, { status: 503 }),
  () => Response.json({ error: { message: "Slow down." } }, { status: 429 }),
  () => new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } }),
  () => new Response("<html>Log in</html>", { headers: { "content-type": "text/html" } }),
  () => new Response('{"id":"c","choices":[{"ind', { headers: { "content-type": "application/json" } }),
  (stream) => (stream ? sse([{ error: { message: "Overloaded.", type: "server_error" } }]) : new Response("", { status: 500 })),
  (stream) => (stream ? sse([chunk({ role: "assistant" })]) : new Response("", { status: 500 })),
];
const dead = { first: false, second: false };
const startUpstream = (which: "first" | "second", answer: (stream: boolean) => Response) =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => {
      const { stream = false } = (await request.json()) as any;
      if (dead[which]) return Response.json({ error: { message: "Down." } }, { status: 500 });
      // Half of the faults are the upstream's own, half the way's.
      if (random() < SHARE / 2) return failing[Math.floor(random() * failing.length)]!(stream);
      return answer(stream);
    },
  });
/** Before the first content: later ones cannot be mended unseen, by the contract. */
const onTheWay: Fault[] = [
  { kind: "reset", afterBytes: 0 },
  { kind: "reset", afterBytes: 60 },
  { kind: "half-close", afterBytes: 0 },
  { kind: "half-close", afterBytes: 100 },
  { kind: "garbage", afterBytes: 0 },
  { kind: "garbage", afterBytes: 40 },
  { kind: "silence", afterBytes: 0 },
  { kind: "silence", afterBytes: 90 },
];
const tenth: FaultPlan = (_, draw) => (draw() < SHARE / 2 ? onTheWay[Math.floor(draw() * onTheWay.length)]! : { kind: "none" });

const first = startUpstream("first", openAi);
const second = startUpstream("second", anthropic);
const relays = [await startFaultRelay(first.url.origin, 1), await startFaultRelay(second.url.origin, 2)] as const;
const path = join(benchFolder(), "faults.db");
const COOLDOWN_MS = 3_000;
const box = await startBox(path, {
  OPENAI_API_KEY: "sk-first",
  OPENAI_BASE_URL: `${relays[0].url}/v1`,
  ANTHROPIC_API_KEY: "sk-second",
  ANTHROPIC_BASE_URL: relays[1].url,
  SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "1000",
  SIGNALBOX_TIMEOUT_IDLE_MS: "1000",
  SIGNALBOX_TIMEOUT_TOTAL_MS: "30000",
  SIGNALBOX_COOLDOWN_MS: String(COOLDOWN_MS),
});
const body = (stream: boolean) =>
  JSON.stringify({
    model: "gpt-4o",
    allow_fallback: true,
    stream,
    messages: [{ role: "user", content: "Which trains were late at the signal box, and why?" }],
  });
const ask = async (stream: boolean): Promise<{ answered: boolean; ms: number; id: string; status: number }> => {
  const startedAt = performance.now();
  const response = await fetch(`${box.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${box.liveKey}`, "content-type": "application/json" },
    body: body(stream),
  });
  const text = await response.text();
  const answered = response.ok && text.includes("8:15") && (!stream || text.endsWith("data: [DONE]\n\n"));
  return {
    answered,
    ms: performance.now() - startedAt,
    id: response.headers.get("x-svc-request-id") ?? "",
    status: response.status,
  };
};

for (let warm = 0; warm < 50; warm++) await ask(warm % 2 === 0);
for (const relay of relays) relay.plan(tenth);

const calls: ReturnType<typeof ask>[] = [];
const begin = performance.now();
for (let index = 0; index < PER_SECOND * seconds; index++) {
  const wait = begin + (index * 1000) / PER_SECOND - performance.now();
  if (wait > 0) await Bun.sleep(wait);
  calls.push(ask(index % 2 === 0));
}
const results = await Promise.all(calls);
const answered = results.filter((result) => result.answered);
line(`calls at ${PER_SECOND} a second, half of them streams, a tenth of the upstream exchanges failing`, results.length);
line("answered", `${answered.length} (${((100 * answered.length) / results.length).toFixed(3)} %)`, "≥ 99.9 %");
line(
  "their time, ms: p50, p95, p99",
  quantiles(
    answered.map(({ ms }) => ms),
    [0.5, 0.95, 0.99],
  ),
);
const exchanges = relays.reduce((sum, relay) => sum + relay.exchanges(), 0);
line("upstream exchanges, of which spoilt on the way", `${exchanges}, ${relays.reduce((sum, relay) => sum + relay.faults(), 0)}`);

const query = <T>(sql: string): T => {
  const database = new Database(path, { readonly: true });
  try {
    return database.query(sql).values()[0]![0] as T;
  } finally {
    database.close();
  }
};
line(
  "attempts in the ledger (with 50 calls to warm up)",
  `${query("SELECT sum(attempt_count) FROM calls")} of ${exchanges}`,
  "equal",
);
line("calls in the ledger", `${query("SELECT count(*) FROM calls")} of ${results.length + 50}`, "equal");
line(
  "answered calls without a row",
  answered.filter(({ id }) => query(`SELECT count(*) FROM calls WHERE id = '${id}'`) !== 1).length,
  "0",
);
line(
  "billed twice or not at all (ledger less the key's spending, nano-USD)",
  query<number>("SELECT (SELECT sum(cost_nano_usd) FROM calls) - (SELECT sum(spent_nano_usd) FROM key_spend)"),
  "0",
);
line("most attempts at one model in one call", query<number>("SELECT max(retry_count) + 1 FROM calls"), "2");

// One upstream dead, the other well.
for (const relay of relays) relay.plan(() => ({ kind: "none" }));
await Bun.sleep(COOLDOWN_MS + 200);
for (let warm = 0; warm < 20; warm++) await ask(false);
dead.first = true;
const before = relays[0].exchanges();
const deadFor = 5 * COOLDOWN_MS;
const deadFrom = performance.now();
let lost = 0;
let asked = 0;
while (performance.now() - deadFrom < deadFor) {
  asked++;
  if (!(await ask(asked % 2 === 0)).answered) lost++;
  await Bun.sleep(5);
}
line(
  `first upstream dead for ${deadFor / COOLDOWN_MS} cooldowns: calls, unanswered`,
  `${asked}, ${lost}`,
  "–, 0 but for single faults of the second",
);
line("… calls that the dead one still got", relays[0].exchanges() - before, `≤ 10 + ${deadFor / COOLDOWN_MS}`);

dead.second = true;
for (let tries = 0; tries < 40; tries++) await ask(false);
const refusals = [];
for (let tries = 0; tries < 300; tries++) refusals.push(await ask(false));
const closed = refusals.filter(({ status }) => status === 503);
line("both dead: refused with 503", `${closed.length} of ${refusals.length}`, "all");
line(
  "… in ms: p50, p99, most",
  quantiles(
    closed.map(({ ms }) => ms),
    [0.5, 0.99, 1],
  ),
  "< 50",
);

if (process.argv.includes("--write")) report.save("faults.md");
process.exit(0);
