/** A bench's page keeps what people have written below its figures. */

import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BY_HAND, startReport } from "../../bench/report.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-report-"));
const page = join(folder, "results/trains.md");
const read = (): string => readFileSync(page, "utf8");
const printed = spyOn(console, "log");
beforeAll(() => void printed.mockImplementation(() => undefined));
afterAll(() => {
  printed.mockRestore();
  rmSync(folder, { recursive: true, force: true });
});

const measure = (late: number): void => {
  const report = startReport("Trains", { command: "bun run bench/trains.ts", how: "in the rain" });
  report.row("trains that were late", late, "0");
  report.row("trains");
  report.note("It rained.");
  report.save(page);
};

test("a page says what was measured, how, and in which figures", () => {
  measure(3);
  const [title, , measured, , ...rest] = read().split("\n");
  expect(title).toBe("# Trains");
  expect(measured).toMatch(
    /^Measured \d{4}-\d\d-\d\d, Bun \S+, `bun run bench\/trains\.ts`; in the rain; \d+ cores, load average [\d.]+ at the end\.$/,
  );
  expect(rest.join("\n")).toBe(
    `| What | Figure | Goal |\n| --- | --- | --- |\n| trains that were late | 3 | 0 |\n| trains |  |  |\n\nIt rained.\n\n${BY_HAND}\n`,
  );
});

test("what stands below the figures stays when they are measured anew, however often", () => {
  appendFileSync(page, "\nThe 8:15 waited for a freight train.\n\n| By hand | |\n|---|---|\n");
  measure(4);
  const once = read();
  measure(4);
  expect(read()).toBe(once);
  expect(once).toContain("| trains that were late | 4 | 0 |");
  expect(once).not.toContain("| 3 |");
  expect(once.endsWith(`${BY_HAND}\n\nThe 8:15 waited for a freight train.\n\n| By hand | |\n|---|---|\n`)).toBe(true);
});

test("no page that a bench writes has words of people where they would be lost", () => {
  const results = join(import.meta.dir, "../../bench/results");
  // Measured by one that prints only.
  const written = readdirSync(results).filter((file) => file !== "ledger.md");
  expect(written.length).toBeGreaterThan(5);
  for (const file of written) expect([file, readFileSync(join(results, file), "utf8").includes(BY_HAND)]).toEqual([file, true]);
});
