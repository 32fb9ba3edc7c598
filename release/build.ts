/** `bun run build [target…]`: executables in dist/. Without a target, `dist/signalbox` for this machine. */

import { join } from "node:path";
import { buildExecutable, ROOT } from "./build-executable.ts";
import { isTarget, TARGETS, type Target, thisTarget } from "./targets.ts";

const build = async (target: Target, name: string): Promise<void> => {
  const startedAt = performance.now();
  const outfile = join(ROOT, "dist", `${name}${TARGETS[target].suffix}`);
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
if (names.length === 0) await build(thisTarget(), "signalbox");
else for (const name of names as Target[]) await build(name, `signalbox-${name}`);
