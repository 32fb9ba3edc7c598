import { expect, test } from "bun:test";
import { createLogSync } from "../../src/database/sync-log.ts";
import { isUnwritable } from "../../src/database/unwritable.ts";

test("after a failed sync nothing is vouched for until the log was moved into the file", () => {
  const steps: string[] = [];
  let diskFails = false;
  let fileFails = false;
  const sync = createLogSync(
    7,
    () => {
      steps.push("move");
      if (fileFails) throw new Error("disk I/O error");
    },
    ((file: number, done: (error: Error | null) => void) => {
      steps.push(`sync ${file}`);
      done(diskFails ? new Error("EIO") : null);
    }) as never,
  );
  const failureOf = (): unknown => {
    let told: unknown;
    sync((error) => {
      told = error;
    });
    return told;
  };
  expect([failureOf(), steps.splice(0)]).toEqual([null, ["sync 7"]]);
  diskFails = true;
  expect([isUnwritable(failureOf()), steps.splice(0)]).toEqual([true, ["sync 7"]]);
  fileFails = true;
  expect([(failureOf() as Error).message, steps.splice(0)]).toEqual(["disk I/O error", ["move"]]);
  fileFails = false;
  expect([isUnwritable(failureOf()), steps.splice(0)]).toEqual([true, ["move", "sync 7"]]);
  diskFails = false;
  expect([failureOf(), steps.splice(0)]).toEqual([null, ["move", "sync 7"]]);
  expect([failureOf(), steps.splice(0)]).toEqual([null, ["sync 7"]]);
});
