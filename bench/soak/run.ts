/**
 * Mixed calls for as long as one likes: what memory, descriptors and the write-ahead log do meanwhile.
 *
 *   bun run bench/soak/run.ts [minutes=10] [--write]
 *
 * The slope that counts is that of the least of each minute: a single sample also holds what is not yet collected, up to a hundred
 * megabytes. That of all samples stands beside it. Margins are twice the standard error.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { startProgram } from "../../test/support/run-program.ts";
import { mixedCalls } from "./mixed-calls.ts";
import { leastOfWindows, mean, type Point, slopeOf, thirds } from "./slope.ts";

const [minutes = 10] = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const CLIENTS = 8;
const SAMPLE_MS = 1_000;
const WINDOW_MS = 60_000;
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
const nextCall = mixedCalls(program.url, key);

let calls = 0;
let broken = 0;
const unexpected = new Map<number, number>();
const endsAt = performance.now() + minutes * 60_000;
const client = async () => {
  while (performance.now() < endsAt) {
    calls++;
    try {
      const { status } = await nextCall();
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

const warm = samples.filter(({ atMs }) => atMs - startedAt > WARM_UP * minutes * 60_000);
const own: Point[] = warm.map(({ atMs, ownMb }) => ({ atMs, value: ownMb }));
const floor = leastOfWindows(own, WINDOW_MS);
/** MB an hour and per cent an hour, with twice the standard error. */
const slopeWords = (points: Point[]): string => {
  const { anHour, error } = slopeOf(points);
  const typical = mean(points.map(({ value }) => value));
  return [
    [anHour, 2 * error],
    [(100 * anHour) / typical, (200 * error) / typical],
  ]
    .map(([value, margin]) => `${value!.toFixed(1)} ± ${margin!.toFixed(1)}`)
    .join("; ");
};
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
  `| resident memory of its own (RssAnon) after warm-up: mean; least, most (MB) | ${mean(own.map(({ value }) => value)).toFixed(0)}; ${range(({ ownMb }) => ownMb)} | |`,
  `| pages of files besides (RssFile): least, most (MB) | ${range(({ fileMb }) => fileMb)} | |`,
  `| slope of the least of each minute after warm-up (MB an hour; % an hour) | ${slopeWords(floor)} | < 1 % |`,
  `| the least of each minute, mean of three equal parts (MB) | ${thirds(floor)
    .map((value) => value.toFixed(1))
    .join(", ")} | |`,
  `| slope of all samples after warm-up (MB an hour; % an hour) | ${slopeWords(own)} | |`,
  `| descriptors after warm-up: least, most | ${range(({ descriptors }) => descriptors)} | flat |`,
  `| write-ahead log, most (MB) | ${most(({ walMb }) => walMb).toFixed(1)} | < 64 |`,
  `| exit code at the end | ${exit} | 0 |`,
  "",
  `Of its own, the least of every minute from the start (MB): ${leastOfWindows(
    samples.map(({ atMs, ownMb }) => ({ atMs, value: ownMb })),
    WINDOW_MS,
  )
    .map(({ value }) => value.toFixed(0))
    .join(", ")}`,
];
console.log(lines.join("\n"));
rmSync(folder, { recursive: true, force: true });
if (process.argv.includes("--write")) writeFileSync(join(import.meta.dir, "../results/soak.md"), `${lines.join("\n")}\n`);
process.exit(0);
