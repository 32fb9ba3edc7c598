import { expect, test } from "bun:test";
import { parseIso } from "../../src/lib/parse-iso.ts";

const NOON = Date.UTC(2027, 0, 1, 12);

test("a time is UTC where it has no offset, whatever the machine's clock shows", () => {
  const child = Bun.spawnSync(
    [
      process.execPath,
      "-e",
      `import { parseIso } from "./src/lib/parse-iso.ts"; console.log(parseIso("2027-01-01T12:00:00").ms);`,
    ],
    { cwd: `${import.meta.dir}/../..`, env: { ...process.env, TZ: "Pacific/Kiritimati" } },
  );
  expect(child.stdout.toString().trim()).toBe(String(NOON));
});

test("offsets and precisions of all kinds", () => {
  for (const text of ["2027-01-01T12:00", "2027-01-01T12:00:00Z", "2027-01-01T12:00:00.000000000z", "2027-01-01T14:00+02:00"])
    expect(parseIso(text)).toEqual({ ms: NOON, isDay: false });
  for (const text of ["2027-01-01T06:30:00-0530", "2027-01-01T14:00+02"])
    expect(parseIso(text)).toEqual({ ms: NOON, isDay: false });
  expect(parseIso("2027-01-01")).toEqual({ ms: NOON - 12 * 3_600_000, isDay: true });
});

test("no day of the calendar, no hour of the day, and what is no date at all", () => {
  for (const text of [
    "2027-02-30",
    "2027-13-01",
    "2027-01-01T25:00:00Z",
    "tomorrow",
    "",
    "2027",
    "1700000000",
    "2027-01-01 12:00",
  ])
    expect(parseIso(text)).toBeUndefined();
});
