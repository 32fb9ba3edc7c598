/** Where the native packages of a target lie: here if they are this machine's, else in a copy of the dependencies for every machine. */

import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

/** Returns a node_modules folder that holds `file` ("package/name"). Installs where it has to, by the lock file. */
export const findTargetPackages = async (file: string): Promise<string> => {
  const own = join(ROOT, "node_modules");
  if (existsSync(join(own, file))) return own;
  const folder = join(ROOT, "dist/.packages");
  const all = join(folder, "node_modules");
  if (!existsSync(join(all, file))) await installForEveryMachine(folder);
  if (!existsSync(join(all, file))) throw new Error(`${file} is in no package of bun.lock.`);
  return all;
};

const installForEveryMachine = async (folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "bun.lock"]) copyFileSync(join(ROOT, name), join(folder, name));
  const child = Bun.spawn(
    [process.execPath, "install", "--frozen-lockfile", "--production", "--ignore-scripts", "--os=*", "--cpu=*"],
    {
      cwd: folder,
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`The packages of other machines could not be installed: ${errors.trim()}`);
};
