/** The parent of PDF extraction: starts the child, feeds it, watches its memory and time from outside, collects its output. */
import { writeFileSync } from "node:fs";
import { parse } from "node:path";
import { selfCommand } from "../../lib/self.ts";
import { EXTRACT_BOUNDS, type Failure, type FailureReason } from "./extraction.ts";
import { residentBytes } from "./resident-bytes.ts";

export type ExtractLimits = { memoryBytes: number; wallMs: number };

const POLL_MS = 25;

/** Calls `onBreach` once when the process outgrows a limit; the returned function ends the watch. */
const watch = (pid: number, limits: ExtractLimits, onBreach: (reason: FailureReason) => void): (() => void) => {
  // Elsewhere it takes a library to be opened, or a process to be started; /proc is a file.
  const everyMs = process.platform === "linux" ? POLL_MS : POLL_MS * 10;
  const memory = setInterval(() => (residentBytes(pid) ?? 0) > limits.memoryBytes && onBreach("memory"), everyMs);
  const time = setTimeout(() => onBreach("time"), limits.wallMs);
  return () => {
    clearInterval(memory);
    clearTimeout(time);
  };
};

/** The child's raw output; the server process parses none of it (see read-child-output.ts). */
export type ChildOutput = { output: Uint8Array[] } | Failure;

/** The longest possible text, each character escaped to six bytes (`\u0000`), plus each page's frame. */
const MOST_OUTPUT_BYTES = 130_000_000;

const gather = async (stdout: ReadableStream<Uint8Array>): Promise<ChildOutput> => {
  const output: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of stdout) {
    output.push(bytes);
    length += bytes.byteLength;
    if (length > MOST_OUTPUT_BYTES) return { reason: "characters" };
  }
  return { output };
};

/** Part by part, so that no copy of the whole is made. */
const streamOf = (parts: readonly Uint8Array[]): ReadableStream<Uint8Array> => {
  let next = 0;
  return new ReadableStream({
    pull: (controller) => {
      const part = parts[next++];
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
};

/** Where memory is short (a container's limit may be below the child's), Linux ends the child, and not the server that has grown larger. */
const offerToKernel = (pid: number): void => {
  if (process.platform !== "linux") return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // It has ended, or there is no /proc.
  }
};

/** Never rejects because of the file. `signal` kills the child (the server stops), and only then it rejects. */
export const runExtractChild = async (
  pdf: readonly Uint8Array[],
  limits: ExtractLimits = EXTRACT_BOUNDS,
  signal?: AbortSignal,
): Promise<ChildOutput> => {
  signal?.throwIfAborted();
  const child = Bun.spawn(selfCommand(["extract-child"]), {
    stdin: streamOf(pdf),
    stdout: "pipe",
    stderr: "ignore",
    // A file that takes over the child finds no keys in its environment.
    env: {},
    // Nor in a .env of the working directory.
    cwd: parse(process.execPath).root,
  });
  offerToKernel(child.pid);
  let breach: FailureReason | undefined;
  const stopWatching = watch(child.pid, limits, (reason) => {
    breach ??= reason;
    child.kill("SIGKILL");
  });
  const giveUp = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const gathered = await gather(child.stdout).catch(() => ({ output: [] }));
    signal?.throwIfAborted();
    return breach === undefined ? gathered : { reason: breach };
  } finally {
    stopWatching();
    signal?.removeEventListener("abort", giveUp);
    child.kill("SIGKILL");
    await child.exited;
  }
};
