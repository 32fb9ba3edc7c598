/** From a checkout, `bun start …` stands for `signalbox …`: what a command prints must be all that a program reads of it. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "../../package.json";
import { folderOfFile } from "../support/folder-of-file.ts";

const folder = folderOfFile();

test("what the installation says is not on standard output", () => {
  writeFileSync(join(folder, "bun"), '#!/bin/sh\n[ "$1" = run ] && echo "{}" || echo Checked\n', { mode: 0o755 });
  const { stdout, stderr } = Bun.spawnSync(["/bin/sh", "-c", scripts.start], { env: { PATH: folder } });
  expect([stdout.toString(), stderr.toString()]).toEqual(["{}\n", "Checked\n"]);
});
