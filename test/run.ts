/** Runs every test and ends with `N passed, N failed`. A run without its own closing line (a crash, a stray `process.exit`) has failed. */

import { existsSync, readFileSync, statfsSync } from "node:fs";

/** Several times what the files of the tests take at any time. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Where the tests keep their files: in memory if possible, because hundreds of databases sync each commit and a slow disk would decide how long a
 * run takes. The executable must be startable there.
 */
const temporaryFolder = (): Record<string, string> => {
  const folder = "/dev/shm";
  if (process.env.TMPDIR || !existsSync(folder)) return {};
  const mounted = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1];
  const { bavail, bsize } = statfsSync(folder);
  return mounted && !/\b(noexec|ro)\b/.test(mounted) && bavail * bsize > ROOM_BYTES ? { TMPDIR: folder } : {};
};

const started = performance.now();
const child = Bun.spawn([process.execPath, "test", "--parallel=2", "--timeout=30000", ...process.argv.slice(2)], {
  stdin: "ignore",
  stdout: "inherit",
  stderr: "pipe",
  env: { ...process.env, ...temporaryFolder(), BUN_CONFIG_MAX_HTTP_REQUESTS: "20000", NO_COLOR: "1" },
});

let output = "";
const decoder = new TextDecoder();
for await (const chunk of child.stderr) {
  const text = decoder.decode(chunk, { stream: true });
  process.stderr.write(text);
  output += text;
}
const code = await child.exited;

const last = (word: string): number => Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
const finished = /^Ran \d+ tests? across \d+ files?/m.test(output);
const passed = last("pass");
const failed = last("fail") || (finished && code === 0 ? 0 : 1);

process.stdout.write(`\n${Math.round((performance.now() - started) / 1000)} s\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
