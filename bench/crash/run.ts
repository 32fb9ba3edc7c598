/**
 * `kill -9` at random moments under mixed load, write-ahead logs torn at random offsets, and a disk that fills up under the program.
 *
 *   bun run bench/crash/run.ts [kills=200] [offsets=500] [--write]
 *
 * `--write` puts the figures into bench/results/crash.md.
 */

import { type CrashFigures, runCrashes } from "../../test/crash/crash-run.ts";
import { tearWal } from "../../test/crash/tear-wal.ts";
import { quantiles } from "../figures.ts";
import { startReport } from "../report.ts";
import { benchFolder, numbersGiven } from "../start-box.ts";
import { fillDisk } from "./fill-disk.ts";

const [kills = 200, offsets = 500] = numbersGiven();
const report = startReport("Crashes and disks", { command: `bun run bench/crash/run.ts ${kills} ${offsets}` });
const line = report.row;

const tellCrashes = (figures: CrashFigures): void => {
  line("`kill -9` under mixed load (8 clients: chat, streams, uploads, deletes, policies, videos)", figures.kills, "");
  line("answered calls", figures.answeredCalls, "");
  line("… missing from the log", figures.missingCalls, "0");
  line("… with another cost than the answer said", figures.wrongCosts, "0");
  line("accepted documents lost, deleted ones come back", `${figures.lostDocuments}, ${figures.undeadDocuments}`, "0, 0");
  line("looks at which ledger, sums or `integrity_check` disagreed", figures.disagreements.length, "0");
  line("start until ready, ms: p50, p95, slowest", quantiles(figures.startsMs, [0.5, 0.95, 1], 0), "< 2,000");
  line("jobs that never ended", figures.endlessJobs, "0");
  line("chunks doubled or missing", figures.duplicateChunks, "0");
  line("videos asked for, created twice upstream", `${figures.videosAsked}, ${figures.doubleVideos}`, "–, 0");
};

const figures = await runCrashes({
  kills,
  seed: Date.now() % 1_000_000,
  leastMs: 100,
  mostMs: 1_500,
  onKill: (so) => {
    if (so.kills % 20 === 0)
      console.log(
        `… ${so.kills} kills, ${so.answeredCalls} answered, ${so.missingCalls} missing, slowest start ${Math.round(Math.max(...so.startsMs))} ms`,
      );
  },
});
tellCrashes(figures);
for (const damage of ["cut", "garbled"] as const) {
  const torn = await tearWal(benchFolder(), { damage, offsets, seed: 1 });
  line(
    `write-ahead log ${damage} at ${offsets} offsets: opened, sound, an exact prefix`,
    `${torn.opened}, ${torn.sound}, ${torn.prefixes}`,
    `${offsets} each`,
  );
}
const full = await fillDisk();
if (full === "unavailable") line("disk full (needs leave to mount a tmpfs)", "not run", "");
else {
  line(
    "disk filled to the last byte: answers 200, refusals 503, others",
    `${full.answered}, ${full.refused}, ${full.others}`,
    "–, –, 0",
  );
  line("… answered calls missing from the log", full.missing, "0");
  line("… serves again by itself once there is room", full.recovered ? "yes" : "no", "yes");
}
if (process.argv.includes("--write")) report.save("crash.md");
process.exit(0);
