/** `bun run build [target…]`: executables `dist/signalbox-<target>`. Without a target, for this machine. */

import { join } from "node:path";
import { buildExecutable, ROOT } from "./build-executable.ts";
import { isTarget, TARGETS, type Target, thisTarget } from "./targets.ts";

const build = async (target: Target): Promise<void> => {
  const startedAt = performance.now();
  const outfile = join(ROOT, "dist", `signalbox-${target}${TARGETS[target].suffix}`);
  await buildExecutable(target, outfile);
  const megabytes = Math.round(Bun.file(outfile).size / 1e6);
  console.log(`${outfile}: ${megabytes} MB in ${Math.round(performance.now() - startedAt)} ms`);
};

const names = process.argv.slice(2);
const wrong = names.find((name) => !isTarget(name));
if (wrong !== undefined) {
  console.error(`There is no target "${wrong}"; there are ${Object.keys(TARGETS).join(", ")}.`);
  process.exit(2);
}
for (const name of names.length === 0 ? [thisTarget()] : (names as Target[])) await build(name);
