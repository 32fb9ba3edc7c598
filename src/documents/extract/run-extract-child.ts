/** The parent's side of PDF extraction: starts the child, feeds it, watches its memory and time from outside, gathers its pages. */
import { readFileSync } from "node:fs";
import { parse } from "node:path";
import { selfCommand } from "../../lib/self.ts";
import type { ChildLine } from "./extract-child.ts";
import { EXTRACT_BOUNDS, type Extraction, type FailureReason, failed, type Page } from "./extraction.ts";

export type ExtractLimits = { memoryBytes: number; wallMs: number };

const POLL_MS = 25;
const PAGE_BYTES = 4096;

/** Resident bytes of a process; undefined where the system does not tell (it has ended, or there is no /proc and no ps). */
const residentBytes = (pid: number): number | undefined => {
  try {
    if (process.platform === "linux") return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE_BYTES;
    const { stdout, success } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
    return success ? Number(stdout.toString()) * 1024 : undefined;
  } catch {
    return undefined;
  }
};

/** Calls `onBreach` once when the process outgrows a limit; the returned function ends the watch. */
const watch = (pid: number, limits: ExtractLimits, onBreach: (reason: FailureReason) => void): (() => void) => {
  // `ps` costs a process start, /proc a file read.
  const everyMs = process.platform === "linux" ? POLL_MS : POLL_MS * 10;
  const memory = setInterval(() => (residentBytes(pid) ?? 0) > limits.memoryBytes && onBreach("memory"), everyMs);
  const time = setTimeout(() => onBreach("time"), limits.wallMs);
  return () => {
    clearInterval(memory);
    clearTimeout(time);
  };
};

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const bytes of stream) {
    const pieces = decoder.decode(bytes, { stream: true }).split("\n");
    rest.push(pieces[0]!);
    if (pieces.length === 1) continue;
    yield rest.join("");
    yield* pieces.slice(1, -1);
    rest = [pieces.at(-1)!];
  }
}

/** The reason the child gave, or undefined when it ended without a last word. */
const gather = async (stdout: ReadableStream<Uint8Array>, pages: Page[]): Promise<FailureReason | "done" | undefined> => {
  for await (const line of linesOf(stdout)) {
    const message = JSON.parse(line) as ChildLine;
    if ("page" in message) pages.push(message);
    else return "done" in message ? "done" : message.reason;
  }
  return undefined;
};

/** Never rejects for what is in the file. `signal` kills the child (the server stops), and only then this rejects. */
export const runExtractChild = async (
  pdf: Uint8Array,
  limits: ExtractLimits = EXTRACT_BOUNDS,
  signal?: AbortSignal,
): Promise<Extraction> => {
  signal?.throwIfAborted();
  const child = Bun.spawn(selfCommand(["extract-child"]), {
    stdin: new Blob([pdf as Uint8Array<ArrayBuffer>]),
    stdout: "pipe",
    stderr: "ignore",
    // A file that takes the child over finds no key in its environment.
    env: {},
    // Nor in a .env of the folder we were started in.
    cwd: parse(process.execPath).root,
  });
  let breach: FailureReason | undefined;
  const stopWatching = watch(child.pid, limits, (reason) => {
    breach ??= reason;
    child.kill("SIGKILL");
  });
  const giveUp = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", giveUp, { once: true });
  const pages: Page[] = [];
  try {
    const outcome = await gather(child.stdout, pages).catch(() => undefined);
    signal?.throwIfAborted();
    if (breach !== undefined) return failed(breach);
    return outcome === "done" ? { ok: true, pages } : failed(outcome ?? "crashed");
  } finally {
    stopWatching();
    signal?.removeEventListener("abort", giveUp);
    child.kill("SIGKILL");
    await child.exited;
  }
};
