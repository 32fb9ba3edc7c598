/**
 * What the runtime itself holds for upstream streams, without any of Signalbox: the floor under the memory goals of the load bench.
 *
 *   bun run bench/load/floor.ts [streams=200] [--write]
 *
 * Each way of reading runs in a process of its own, against the bench's upstream (50 MB floods).
 */

import { heapStats } from "bun:jsc";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startReport } from "../report.ts";

const WAYS = {
  "fetch, body never touched": async (url: string, body: string) => fetch(url, { method: "POST", body }),
  "fetch, one piece read": async (url: string, body: string) => {
    const reader = (await fetch(url, { method: "POST", body })).body!.getReader();
    await reader.read();
    return reader;
  },
  "Bun.connect, paused after one piece": (url: string, body: string) => connectAndPause(new URL(url), body),
};
type Way = keyof typeof WAYS;

/** A socket that reads one piece and no more: what a client of one's own could hold. */
const connectAndPause = (url: URL, body: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    void Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        open: (socket) =>
          void socket.write(
            `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          ),
        data: (socket) => {
          socket.pause();
          resolve(socket);
        },
        connectError: (_, error) => reject(error),
      },
    });
  });

const residentKb = (): number => Number(readFileSync("/proc/self/statm", "utf8").split(" ")[1]) * 4;
const promptBody = (content: string): string => JSON.stringify({ messages: [{ role: "user", content }] });

/** In the child: opens the streams, waits until nothing moves any more, prints KB a stream. */
const hold = async (way: Way, upstream: string, streams: number): Promise<void> => {
  const open = WAYS[way];
  await (await fetch(`${upstream}/seen`)).text();
  Bun.gc(true);
  const before = residentKb();
  const held: unknown[] = [];
  for (let index = 0; index < streams; index++)
    held.push(await open(`${upstream}/v1/chat/completions`, promptBody(`bulk ${1_000_000 + index}`)));
  await Bun.sleep(8_000);
  Bun.gc(true);
  console.log(((residentKb() - before) / held.length).toFixed(0));
  process.exit(0);
};

/** In the child: streams that wait for their next event; KB of memory the heap counts for each. */
const wait = async (upstream: string, streams: number): Promise<void> => {
  Bun.gc(true);
  const before = heapStats().extraMemorySize;
  const read = async () => {
    const response = await fetch(`${upstream}/v1/chat/completions`, { method: "POST", body: promptBody("paced 1000") });
    for await (const _ of response.body!);
  };
  for (let index = 0; index < streams; index++) void read();
  await Bun.sleep(5_000);
  Bun.gc(true);
  console.log(((heapStats().extraMemorySize - before) / 1024 / streams).toFixed(0));
  process.exit(0);
};

const firstLine = async (child: { stdout: ReadableStream<Uint8Array> }): Promise<string> =>
  new TextDecoder().decode((await child.stdout.getReader().read()).value).trim();
const spawn = (...words: string[]) =>
  Bun.spawn([process.execPath, "run", ...words], {
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "30000" },
    stdout: "pipe",
    stderr: "inherit",
  });

const compare = async (streams: number): Promise<void> => {
  const server = spawn(join(import.meta.dir, "upstream.ts"));
  const upstream = `http://127.0.0.1:${await firstLine(server)}`;
  const child = (what: string) => firstLine(spawn(import.meta.path, "--child", what, upstream, String(streams)));
  const report = startReport("The floor under the load bench", {
    command: `bun run bench/load/floor.ts ${streams}`,
    how: `the runtime alone, none of Signalbox; ${streams} upstream streams`,
    columns: ["What", "KB a stream"],
  });
  for (const way of Object.keys(WAYS)) report.row(`50 MB floods that nobody reads on: resident, ${way}`, await child(way));
  report.row(
    "Streams of 2 events a second, each waiting for its next piece: heap's count of buffers, fetch",
    await child("wait"),
  );
  if (process.argv.includes("--write")) report.save("load-floor.md");
  server.kill(9);
  process.exit(0);
};

const [, , first, what, upstream, count] = process.argv;
if (first !== "--child") await compare(Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 200));
else if (what === "wait") await wait(upstream!, Number(count));
else await hold(what as Way, upstream!, Number(count));
