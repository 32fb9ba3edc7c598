/**
 * Mixed calls for as long as one likes: what memory, descriptors and the write-ahead log do meanwhile.
 *
 *   bun run bench/soak/run.ts [minutes=10] [--write]
 *
 * The slope that counts is that of the least of each minute: a single sample also holds what is not yet collected, up to a hundred
 * megabytes. That of all samples stands beside it. Margins are twice the standard error.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startReport } from "../report.ts";
import { benchFolder, numbersGiven, startBox } from "../start-box.ts";
import { mixedCalls } from "./mixed-calls.ts";
import { leastOfWindows, mean, type Point, slopeOf, thirds } from "./slope.ts";

const [minutes = 10] = numbersGiven();
const CLIENTS = 8;
const SAMPLE_MS = 1_000;
const WINDOW_MS = 60_000;
/** Of the time, before memory counts as warm. */
const WARM_UP = 0.4;

const path = join(benchFolder(), "soak.db");
const box = await startBox(path);
const nextCall = mixedCalls(box.url, box.testKey);

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
  const status = readFileSync(`/proc/${box.pid}/status`, "utf8");
  const mbOf = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]) * 1024) / 1e6;
  samples.push({
    atMs: performance.now(),
    ownMb: mbOf("RssAnon"),
    fileMb: mbOf("RssFile"),
    descriptors: readdirSync(`/proc/${box.pid}/fd`).length,
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
const wordsOf = (values: readonly number[], digits: number) => values.map((value) => value.toFixed(digits)).join(", ");
const exit = await box.end("SIGTERM");

const { row, note, save } = startReport("Soak", {
  command: `bun run bench/soak/run.ts ${minutes}`,
  how: `${CLIENTS} clients, all against the sandbox`,
});
row(
  "calls, of which 5xx, broken connections",
  `${calls}, ${JSON.stringify(Object.fromEntries(unexpected))}, ${broken}`,
  "1,000,000, none, 0",
);
row(
  "resident memory of its own (RssAnon) after warm-up: mean; least, most (MB)",
  `${mean(own.map(({ value }) => value)).toFixed(0)}; ${range(({ ownMb }) => ownMb)}`,
);
row(
  "pages of files besides (RssFile): least, most (MB)",
  range(({ fileMb }) => fileMb),
);
row("slope of the least of each minute after warm-up (MB an hour; % an hour)", slopeWords(floor), "< 1 %");
row("the least of each minute, mean of three equal parts (MB)", wordsOf(thirds(floor), 1));
row("slope of all samples after warm-up (MB an hour; % an hour)", slopeWords(own));
row(
  "descriptors after warm-up: least, most",
  range(({ descriptors }) => descriptors),
  "flat",
);
row("write-ahead log, most (MB)", most(({ walMb }) => walMb).toFixed(1), "< 64");
row("exit code at the end", exit, "0");
if (calls < 1_000_000)
  note(`${calls} calls are less than the goal's 1,000,000; the slope of so short a run says little about hours.`);
const whole: Point[] = samples.map(({ atMs, ownMb }) => ({ atMs, value: ownMb }));
const leastOfMinutes = leastOfWindows(whole, WINDOW_MS).map(({ value }) => value);
note(`Of its own, the least of every minute from the start (MB): ${wordsOf(leastOfMinutes, 0)}`);
if (process.argv.includes("--write")) save("soak.md");
process.exit(0);
