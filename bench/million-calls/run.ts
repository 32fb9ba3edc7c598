/**
 * The reach of logs and metrics at a million calls: `bun run bench/million-calls/run.ts [--calls N] [--db FILE] [--write]`.
 * While everything is asked, 200 calls a second are being written and 200 streams run.
 */

import { constants, copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UNLIMITED } from "../../src/accounts/key-terms.ts";
import type { Project } from "../../src/accounts/project.ts";
import { findProject, insertKey } from "../../src/accounts/store.ts";
import { readConfig } from "../../src/config/config.ts";
import { byCommand } from "../../src/history/author.ts";
import { applyRetention } from "../../src/logs/forget/apply-retention.ts";
import { recordCall } from "../../src/logs/record-call.ts";
import { type RunningServer, startServer } from "../../src/server.ts";
import { quantiles } from "../figures.ts";
import { startReport } from "../report.ts";
import { type Built, build, SCHEMA } from "./build.ts";
import type { ClientOrder, ClientReport } from "./client-worker.ts";
import { makeCall, PROJECTS } from "./make-call.ts";
import type { StreamsOrder, StreamsReport } from "./streams-worker.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "1000000" },
    db: { type: "string", default: join(tmpdir(), "signalbox-million.db") },
    write: { type: "boolean", default: false },
  },
});
/** Built once; each run measures a copy, for it writes and deletes. */
const original = values.db;
const path = `${original}.run`;
const total = Number(values.calls);
const WRITES_A_SECOND = 200;
const STREAMS = 200;

const { row: report, save } = startReport("Logs and metrics at a million calls", {
  command: "bun run bench/million-calls/run.ts",
});
const figures = (milliseconds: number[]) => {
  const [p50, p95, max] = quantiles(milliseconds, [0.5, 0.95, 1]).split(", ");
  return `p50 ${p50}, p95 ${p95}, max ${max} ms of ${milliseconds.length}`;
};

/** For how long this thread has had a processor, in milliseconds; 0 where the system does not say. */
const ranMs = (): number => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
};

/** Late timers of this thread, in milliseconds; and for how long it worked between two of them, which waiting for a processor is no part of. */
const watchStalls = () => {
  const late: number[] = [];
  let expected = performance.now() + 5;
  let before = ranMs();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - expected));
    const ran = ranMs();
    longest = Math.max(longest, ran - before);
    before = ran;
    expected = performance.now() + 5;
  }, 5);
  return {
    stop: () => clearInterval(timer),
    figures: () => `late by ${figures(late)}${longest > 0 ? `, at work for ${longest.toFixed(1)} ms at most` : ""}`,
  };
};

const ask = (order: ClientOrder): Promise<ClientReport> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL("./client-worker.ts", import.meta.url).href);
    worker.onmessage = ({ data }: MessageEvent<ClientReport>) => {
      worker.terminate();
      if (data.failures.length > 0) console.error(data.failures.slice(0, 3));
      resolve(data);
    };
    worker.postMessage(order);
  });

const main = async () => {
  const built = await buildOnce();
  report("calls in the file", built.calls, "");
  report(
    "written",
    `${Math.round(built.callsPerSecond)} calls/s, ${built.cpuMicrosPerCall.toFixed(0)} µs CPU a call (making it up included)`,
    "",
  );
  const server = await startServer(readConfig({ LOG_LEVEL: "silent", OLLAMA_HOST: "127.0.0.1:1" }, { db: path, port: "0" }));
  try {
    await server.platform.background.idle();
    const { bytes } = server.platform.db.get<{ bytes: number }>(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
    )!;
    report("disk per call without bodies", `${(bytes / built.calls).toFixed(0)} bytes`, "< 1,500");
    await measure(server, built);
  } finally {
    await server.stop();
    removeDatabase(path);
  }
  if (values.write) save("million-calls.md");
};

const removeDatabase = (file: string) => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
};

const buildOnce = async (): Promise<Built> => {
  const note = `${original}.json`;
  const known: Built | undefined = existsSync(original) && existsSync(note) ? await Bun.file(note).json() : undefined;
  if (known?.schema !== SCHEMA) {
    removeDatabase(original);
    const built = await build(original, total, (done) => process.stderr.write(`\r${done} of ${total}`));
    process.stderr.write("\n");
    await Bun.write(note, JSON.stringify(built));
  }
  removeDatabase(path);
  copyFileSync(original, path, constants.COPYFILE_FICLONE);
  return Bun.file(note).json();
};

const measure = async (server: RunningServer, built: Built) => {
  const { platform, url } = server;
  const { project, key } = await openProject(server);
  const stopWriting = writeAlong(server, project, built);
  const streams = await watchStreams(url, platform, project.id);

  const quiet = watchStalls();
  await Bun.sleep(5_000);
  quiet.stop();
  report(`serving thread while ${WRITES_A_SECOND} calls/s are written and ${STREAMS} streams run`, quiet.figures(), "");

  const stalls = watchStalls();
  await measureQuestions(server, project.id, async (what, paths, repeat, wanted) =>
    report(what, figures((await ask({ url, key, paths, repeat })).milliseconds), wanted),
  );
  stalls.stop();
  const { late, chunks, failures } = await streams.stop();
  report(`${STREAMS} streams meanwhile: chunks`, `late by ${figures(late)} (${chunks} chunks, ${failures} failures)`, "< 20 ms");
  report("serving thread while all this was asked", stalls.figures(), "max < 20 ms");

  await measureExport(server, key, project.id, daysAgo(90));
  stopWriting();
  await measureRetention(server, project.id);
};

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** The project that is asked about, with a key. The tier's rate limits would end the run after ten seconds. */
const openProject = async ({ platform: { db, accounts } }: RunningServer) => {
  const project = (await findProject(db, PROJECTS[0]!))!;
  project.settings.limits = { metrics: { perMinute: null }, logs: { perMinute: null } };
  await db.write((sql) => sql.run("UPDATE projects SET settings = ? WHERE id = ?", JSON.stringify(project.settings), project.id));
  const { text: key } = await insertKey(db, byCommand(Date.now()), {
    ...UNLIMITED,
    projectId: project.id,
    name: "bench",
    mode: "live",
  });
  accounts.forget();
  return { project, key };
};

/** Calls as they would come meanwhile; returns what ends them. */
const writeAlong = ({ platform }: RunningServer, project: Project, built: Built): (() => void) => {
  let written = 0;
  const writing = setInterval(() => {
    for (let n = 0; n < WRITES_A_SECOND / 20; n++) {
      const call = makeCall(built.calls + written, built.calls, Date.now(), "A prompt of some length. ".repeat(40));
      void recordCall(platform, project, {
        ...call,
        startedAtMs: Date.now(),
        completedAtMs: Date.now() + 900,
        id: `call_w${crypto.randomUUID()}`,
      });
      written++;
    }
  }, 50);
  return () => clearInterval(writing);
};

type Timed = (what: string, paths: string[], repeat: number, wanted: string) => Promise<void>;

const measureQuestions = async ({ platform }: RunningServer, projectId: string, timed: Timed) => {
  const start = `start_date=${daysAgo(90)}`;
  for (const [name, queries] of METRICS) {
    const paths = queries.map((query) => `/v1/metrics/${name}?${query}`);
    await timed(`/v1/metrics/${name}`, paths, 20, "p95 < 100 ms");
  }
  const within7Days = FILTERS.map((filter) => `/v1/logs?${filter}`);
  await timed("log page, filters within 7 days", within7Days, 10, "p95 < 50 ms");
  const within90Days = FILTERS.map((filter) => `/v1/logs?${start}&${filter}`);
  await timed("log page, the same within 90 days", within90Days, 5, "p95 < 50 ms");
  // In the reader's thread: the serving one is being watched.
  const [{ held } = { held: 0 }] = await platform.db.scan<{ held: number }>(
    "SELECT count(*) AS held FROM calls WHERE project_id = ? AND mode = 'live'",
    [projectId],
  );
  for (const [depth, offset] of [
    ["first", 0],
    ["offset 10,000", 10_000],
    ["in the middle", Math.round(held / 2)],
  ] as const) {
    const what = `log page within 90 days, ${NARROWED.length} filters by 8 orders, ${depth}`;
    const paths = NARROWED.flatMap((filter) => ORDERS.map((order) => `/v1/logs?${start}&offset=${offset}&${order}&${filter}`));
    await timed(what, paths, 1, "p95 < 50 ms");
  }
  const largest = ORDERS.map((order) => `/v1/logs?${start}&limit=1000&${order}`);
  await timed("log page of 1,000 calls within 90 days, 8 orders", largest, 3, "");
  const summaries = [7, 30, 90].map((days) => `/v1/logs/summary?start_date=${daysAgo(days)}`);
  await timed("log summary, 7, 30 and 90 days", summaries, 20, "");
  await timed("/v1/usage", ["/v1/usage", "/v1/usage?mode=all"], 20, "");
  const some = platform.db.all<{ id: string }>(
    "SELECT id FROM calls WHERE project_id = ? AND mode = 'live' LIMIT 200 OFFSET ?",
    projectId,
    Math.round(held / 100),
  );
  const details = some.map(({ id }) => `/v1/logs/${id}`);
  await timed("log detail", details, 2, "p95 < 10 ms");
};

const watchStreams = async (url: string, platform: RunningServer["platform"], projectId: string) => {
  const { text: key } = await insertKey(platform.db, byCommand(Date.now()), {
    ...UNLIMITED,
    projectId,
    name: "streams",
    mode: "test",
  });
  const worker = new Worker(new URL("./streams-worker.ts", import.meta.url).href);
  worker.postMessage({ url, key, count: STREAMS } satisfies StreamsOrder);
  // Until all of them run.
  await Bun.sleep(6_000);
  return {
    stop: () =>
      new Promise<StreamsReport>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<StreamsReport>) => {
          worker.terminate();
          resolve(data);
        };
        worker.postMessage("stop");
      }),
  };
};

const measureExport = async ({ platform, url }: RunningServer, key: string, projectId: string, start: string) => {
  const stalls = watchStalls();
  const before = process.memoryUsage.rss();
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 100);
  const began = performance.now();
  const { bytes } = await ask({ url, key, paths: [`/v1/logs/export?format=csv&start_date=${start}`], repeat: 1 });
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watching);
  stalls.stop();
  const exported = platform.db.get<{ n: number }>(
    "SELECT count(*) AS n FROM calls WHERE project_id = ? AND mode = 'live'",
    projectId,
  )!.n;
  report(
    "CSV export",
    `${Math.round(exported / seconds)} rows/s (${exported} rows, ${Math.round(bytes / 1e6)} MB)`,
    "> 20,000 rows/s",
  );
  report("memory it took", `${Math.round((most - before) / 1e6)} MB at most`, "constant");
  report("serving thread during it", stalls.figures(), "max < 20 ms");
};

/** Shortens the project's own retention so that about 100,000 calls are over. */
const measureRetention = async ({ platform }: RunningServer, projectId: string) => {
  const held = platform.db.get<{ n: number }>("SELECT count(*) AS n FROM calls WHERE project_id = ?", projectId)!.n;
  const days = Math.round(90 * (1 - 100_000 / held));
  await platform.db.write((sql) =>
    sql.run("UPDATE projects SET settings = ? WHERE id = ?", JSON.stringify({ logRetentionDays: days }), projectId),
  );
  // The file's size alone would lag behind: the write-ahead log still holds some of it.
  const bytes = () =>
    platform.db.get<{ n: number }>("SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size")!.n;
  const size = bytes();
  const stalls = watchStalls();
  const began = performance.now();
  const deleted = await applyRetention(platform);
  const seconds = (performance.now() - began) / 1000;
  stalls.stop();
  report("retention", `${deleted} calls in ${seconds.toFixed(1)} s; serving thread ${stalls.figures()}`, "100,000, max < 20 ms");
  report("space given back", `${Math.round((size - bytes()) / 1e6)} MB`, "");
};

const METRICS: [string, string[]][] = [
  ["overview", ["days=7", "days=30", "days=90"]],
  ["customer", ["days=7", "days=30", "days=90"]],
  ["performance", ["days=7", "days=30", "days=90"]],
  ["failures", ["days=7", "days=30", "days=90"]],
  ["providers", ["hours=24", "hours=168"]],
  ["daily", ["days=7", "days=30", "days=90"]],
];
const FILTERS = [
  "",
  "model=gpt-4o",
  "task_type=code&success_only=true",
  "failed_only=true",
  "min_cost=0.005",
  "sort_by=cost",
  "sort_by=latency&sort_order=asc&model=gpt-4o-mini",
  "sort_by=tokens&max_cost=0.002",
  "user_id=user-77",
  "offset=10000",
];
/** Few calls fit, or many. */
const NARROWED = [
  "",
  "task_type=code",
  "model=gpt-4o",
  "failed_only=true",
  "success_only=true",
  "min_cost=0.005",
  "max_cost=0.002",
  "mode=all",
  "task_type=code&failed_only=true",
  "user_id=user-77",
  "min_retry_count=1",
  "fallback_used=true",
];
const ORDERS = ["timestamp", "cost", "latency", "tokens"].flatMap((by) => [`sort_by=${by}`, `sort_by=${by}&sort_order=asc`]);

await main();
