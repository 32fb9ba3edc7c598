/**
 * Mixed calls for as long as one likes: what memory, descriptors and the write-ahead log do meanwhile.
 *
 *   bun run bench/soak/run.ts [minutes=10] [--write]
 *
 * A million calls take hours on two cores; the figures say how many there were.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { randomFrom } from "../../test/support/random.ts";
import { startProgram } from "../../test/support/run-program.ts";

const [minutes = 10] = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const CLIENTS = 8;
const SAMPLE_MS = 5_000;
/** Of the time, before memory counts as warm. */
const WARM_UP = 0.4;

const folder = mkdtempSync(join(tmpdir(), "signalbox-soak-"));
const path = join(folder, "soak.db");
const program = await startProgram(selfCommand(["serve", "--port", "0", "--db", path]), {
  cwd: folder,
  env: {
    NODE_ENV: "production",
    SIGNALBOX_ADMIN_PASSWORD: "benchmark-only",
    LOG_LEVEL: "error",
  },
});
const key = /pk_test_\w+/.exec(program.words)![0];
const random = randomFrom(9).next;
const send = async (
  method: string,
  route: string,
  body?: unknown,
  abortAfterMs?: number,
): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${program.url}${route}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(abortAfterMs !== undefined && { signal: AbortSignal.timeout(abortAfterMs) }),
  });
  return { status: response.status, text: await response.text() };
};
const question = () => ({
  messages: [
    {
      role: "user",
      content: `Report ${Math.floor(random() * 1e6)}: the 8:15 stood at the home signal for four minutes. Why was it late?`,
    },
  ],
  user: `user-${Math.floor(random() * 500)}`,
});
const schema = {
  type: "object",
  properties: { train: { type: "string" }, minutes: { type: "integer" } },
  required: ["train", "minutes"],
};
const documents: string[] = [];

/** Share of the calls, and what they do. */
const MIX: [number, () => Promise<{ status: number; text: string }>][] = [
  [0.4, () => send("POST", "/v1/chat", question())],
  [0.15, () => send("POST", "/v1/chat/stream", question())],
  [0.05, () => send("POST", "/v1/chat/stream", { messages: [{ role: "user", content: "[[sandbox:slow=500]] Which trains were late?" }] }, 30 + random() * 300)],
  [0.08, () => send("POST", "/v1/chat", { ...question(), schema })],
  [0.05, () => send("POST", "/v1/chat", { ...question(), session_id: `session-${Math.floor(random() * 50)}` })],
  [0.05, () => send("POST", "/v1/chat", { messages: [{ role: "user", content: "[[sandbox:error-500]] Which trains were late?" }] })],
  [0.06, () => send("POST", "/v1/embeddings", { model: "embed-local", input: "Which trains were late?" })],
  [0.02, async () => {
    const made = await send("POST", "/v1/documents", { filename: "report.txt", content: "The 8:15 stood at the home signal for four minutes. ".repeat(40) });
    if (made.status === 201) documents.push(JSON.parse(made.text).id);
    return made;
  }],
  [0.02, () => {
    const id = documents.length > 50 ? documents.shift() : undefined;
    return id === undefined ? send("GET", "/v1/documents") : send("DELETE", `/v1/documents/${id}`);
  }],
  [0.05, () => send("POST", "/v1/documents/query", { query: "Why was the 8:15 late?" })],
  [0.04, () => send("GET", "/v1/models")],
  [0.02, () => send("POST", "/v1/chat", { messages: "wrong" })],
  [0.01, () => send("GET", "/v1/nowhere")],
]; // biome-ignore format: a table

const pick = (draw: number) => {
  let bound = 0;
  for (const [share, deed] of MIX) {
    bound += share;
    if (draw < bound) return deed;
  }
  return MIX[0]![1];
};

let calls = 0;
let broken = 0;
const unexpected = new Map<number, number>();
const endsAt = performance.now() + minutes * 60_000;
const client = async () => {
  while (performance.now() < endsAt) {
    const deed = pick(random());
    calls++;
    try {
      const { status } = await deed();
      if (status >= 500) unexpected.set(status, (unexpected.get(status) ?? 0) + 1);
    } catch (error) {
      if ((error as Error).name !== "TimeoutError") broken++;
    }
  }
};

/** `ownMb` is what the program holds itself; `fileMb` are pages of files (its code, the log's index), which the system takes back. */
type Sample = { atMs: number; ownMb: number; fileMb: number; descriptors: number; walMb: number };
const samples: Sample[] = [];
const sample = () => {
  const status = readFileSync(`/proc/${program.pid}/status`, "utf8");
  const mbOf = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]) * 1024) / 1e6;
  samples.push({
    atMs: performance.now(),
    ownMb: mbOf("RssAnon"),
    fileMb: mbOf("RssFile"),
    descriptors: readdirSync(`/proc/${program.pid}/fd`).length,
    walMb: statSync(`${path}-wal`).size / 1e6,
  });
};
const startedAt = performance.now();
const sampling = setInterval(sample, SAMPLE_MS);
await Promise.all(Array.from({ length: CLIENTS }, client));
clearInterval(sampling);
sample();

/** Least squares; MB an hour. */
const slopeOf = (points: Sample[]): number => {
  const x = points.map(({ atMs }) => atMs / 3_600_000);
  const y = points.map(({ ownMb }) => ownMb);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  return (
    x.reduce((sum, value, index) => sum + (value - mx) * (y[index]! - my), 0) /
    x.reduce((sum, value) => sum + (value - mx) ** 2, 0)
  );
};
const warm = samples.filter(({ atMs }) => atMs - startedAt > WARM_UP * minutes * 60_000);
const slope = slopeOf(warm);
const typicalMb = warm.reduce((sum, { ownMb }) => sum + ownMb, 0) / warm.length;
const range = (pick: (each: Sample) => number) => [Math.min, Math.max].map((end) => end(...warm.map(pick)).toFixed(0)).join(", ");
const most = (pick: (each: Sample) => number) => Math.max(...samples.map(pick));
const exit = await program.end("SIGTERM");

const lines = [
  "# Soak",
  "",
  `Measured ${new Date().toISOString().slice(0, 10)}, Bun ${Bun.version}, \`bun run bench/soak/run.ts ${minutes}\`: ${CLIENTS} clients, all against the sandbox, on two shared cores (load average ${loadavg()[0]!.toFixed(1)} at the end: other work ran on them).`,
  ...(calls < 1_000_000
    ? [`${calls} calls are less than the goal's 1,000,000; the slope of so short a run says little about hours.`]
    : []),
  "",
  "| What | Figure | Goal |",
  "|---|---|---|",
  `| calls, of which 5xx, broken connections | ${calls}, ${JSON.stringify(Object.fromEntries(unexpected))}, ${broken} | 1,000,000, none, 0 |`,
  `| resident memory of its own (RssAnon) after warm-up: mean; least, most (MB) | ${typicalMb.toFixed(0)}; ${range(({ ownMb }) => ownMb)} | |`,
  `| pages of files besides (RssFile): least, most (MB) | ${range(({ fileMb }) => fileMb)} | |`,
  `| slope of its own after warm-up (MB an hour; % an hour) | ${slope.toFixed(1)}; ${((100 * slope) / typicalMb).toFixed(1)} | < 1 % |`,
  `| descriptors after warm-up: least, most | ${range(({ descriptors }) => descriptors)} | flat |`,
  `| write-ahead log, most (MB) | ${most(({ walMb }) => walMb).toFixed(1)} | < 64 |`,
  `| exit code at the end | ${exit} | 0 |`,
  "",
  "Of its own, every minute (MB): " +
    samples
      .filter((_, index) => index % Math.round(60_000 / SAMPLE_MS) === 0)
      .map(({ ownMb }) => ownMb.toFixed(0))
      .join(", "),
];
console.log(lines.join("\n"));
rmSync(folder, { recursive: true, force: true });
if (process.argv.includes("--write")) writeFileSync(join(import.meta.dir, "../results/soak.md"), `${lines.join("\n")}\n`);
process.exit(0);
