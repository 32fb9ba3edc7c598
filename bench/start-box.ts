/** What benches start: Signalbox as a process of its own, and servers that print the port they listen on. All of it ends with the bench. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { selfCommand } from "../src/lib/self.ts";
import { type RunningProgram, startProgram } from "../test/support/run-program.ts";

/** Numbers among the bench's arguments. */
export const numbersGiven = (): number[] =>
  process.argv
    .slice(2)
    .filter((word) => /^\d+$/.test(word))
    .map(Number);

/** The runtime's client holds 256 requests at once unless told, and is told at its start only: starts the bench again where it was not. */
export const allowManyRequests = async (): Promise<void> => {
  const name = "BUN_CONFIG_MAX_HTTP_REQUESTS";
  if (process.env[name] !== undefined) return;
  const again = Bun.spawn([process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [name]: "30000" },
    stdio: ["inherit", "inherit", "inherit"],
  });
  process.exit(await again.exited);
};

/** Before what was registered earlier: nothing may work in a folder that is removed. */
const atExit = (end: () => unknown): void => void process.prependListener("exit", end);

export const benchFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

type Box = RunningProgram & { liveKey: string; testKey: string };

/** On a new database file. `program`: an executable in place of this checkout. */
export const startBox = async (
  file: string,
  env: Record<string, string> = {},
  program: string[] = selfCommand([]),
): Promise<Box> => {
  const box = await startProgram([...program, "serve", "--port", "0", "--db", file], {
    cwd: dirname(file),
    env: { NODE_ENV: "production", SIGNALBOX_ADMIN_PASSWORD: "benchmark-only", ...env },
  });
  atExit(() => box.end("SIGKILL"));
  const [liveKey, testKey] = [/pk_live_\w+/, /pk_test_\w+/].map((key) => key.exec(box.words)![0]);
  return { ...box, liveKey: liveKey!, testKey: testKey! };
};

/** A script that prints its port. */
export const startServer = async (script: string, env: Record<string, string> = {}): Promise<{ url: string; pid: number }> => {
  const child = Bun.spawn([process.execPath, "run", script], {
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  atExit(() => child.kill(9));
  const { value } = await child.stdout.getReader().read();
  return { url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`, pid: child.pid };
};
