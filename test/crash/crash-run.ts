/**
 * Kills the program (`kill -9`) at random moments under mixed load, again and again on one file, and counts what it must never lose.
 * Used by the short test beside it and by bench/crash, which runs it for long.
 */

import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { makeVideo } from "../../src/providers/sandbox/media/make-video.ts";
import { randomFrom } from "../support/random.ts";
import { type RunningProgram, startProgram } from "../support/run-program.ts";

export type CrashFigures = {
  kills: number;
  answeredCalls: number;
  missingCalls: number;
  wrongCosts: number;
  acceptedDocuments: number;
  lostDocuments: number;
  undeadDocuments: number;
  /** Files whose sums disagree with the ledger, or that fail `integrity_check`, over all looks. */
  disagreements: string[];
  /** From the start of the process until `/readyz` answers 200. */
  startsMs: number[];
  endlessJobs: number;
  duplicateChunks: number;
  videosAsked: number;
  doubleVideos: number;
};

type CrashOptions = {
  kills: number;
  seed: number;
  leastMs: number;
  mostMs: number;
  onKill?: (figures: CrashFigures) => void;
};

const WORKERS = 8;

/** What was promised by an answer that had come in whole. */
type Promised = { calls: Map<string, number>; documents: Set<string>; deleted: Set<string> };

export const runCrashes = async ({ kills, seed, leastMs, mostMs, onKill }: CrashOptions): Promise<CrashFigures> => {
  const random = randomFrom(seed).next;
  const folder = mkdtempSync(join(tmpdir(), "signalbox-crash-"));
  const path = join(folder, "crash.db");
  const upstream = await startUpstream();
  const start = () =>
    startProgram(selfCommand(["serve", "--port", "0", "--db", path]), {
      cwd: folder,
      env: {
        SIGNALBOX_ADMIN_PASSWORD: "correct horse battery",
        OPENAI_API_KEY: "sk-crash",
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        RUNWAYML_API_SECRET: "rw-crash",
        RUNWAYML_BASE_URL: upstream.url,
      },
    });
  const figures: CrashFigures = {
    kills: 0,
    answeredCalls: 0,
    missingCalls: 0,
    wrongCosts: 0,
    acceptedDocuments: 0,
    lostDocuments: 0,
    undeadDocuments: 0,
    disagreements: [],
    startsMs: [],
    endlessJobs: 0,
    duplicateChunks: 0,
    videosAsked: 0,
    doubleVideos: 0,
  };
  let program = await start();
  const key = /pk_live_\w+/.exec(program.words)![0];
  try {
    for (let round = 0; round < kills; round++) {
      const promised: Promised = { calls: new Map(), documents: new Set(), deleted: new Set() };
      const stopped = { now: false };
      const workers = Array.from({ length: WORKERS }, (_, first) => work(program, key, random, promised, stopped, first));
      await Bun.sleep(leastMs + random() * (mostMs - leastMs));
      // On a busy machine nothing may have been answered yet, and nothing could be lost.
      const hasDocument = () => figures.acceptedDocuments > 0 || [...promised.documents].some((id) => !promised.deleted.has(id));
      while (promised.calls.size === 0 || !hasDocument() || upstream.created.size === 0) await Bun.sleep(1);
      const ended = program.end("SIGKILL");
      stopped.now = true;
      await Promise.all([ended, ...workers]);
      const began = performance.now();
      program = await start();
      await untilReady(program);
      figures.startsMs.push(performance.now() - began);
      figures.kills++;
      check(path, promised, figures);
      onKill?.(figures);
    }
    await untilJobsEnd(path, figures);
    checkJobs(path, upstream.created, figures);
  } finally {
    await program.end("SIGKILL");
    upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
};

/** One client: one request after the other until the program is gone, the first of the kind `first`, so that every round has some of each. */
const work = async (
  program: RunningProgram,
  key: string,
  random: () => number,
  promised: Promised,
  stopped: { now: boolean },
  first: number,
) => {
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${program.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      keepalive: false,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const messages = [{ role: "user", content: "Which trains were late at the signal box, and why?" }];
  const deeds: (() => Promise<void>)[] = [
    async () => {
      const response = await send("POST", "/v1/chat", { messages });
      const body = (await response.json()) as any;
      if (response.ok) promised.calls.set(response.headers.get("x-svc-request-id")!, Math.round(body.svc.cost_usd * 1e9));
    },
    async () => {
      const response = await send("POST", "/v1/chat/stream", { messages });
      const text = await response.text();
      const cost = /"cost_usd":([\d.e-]+)/.exec(text)?.[1];
      if (text.endsWith("data: [DONE]\n\n") && cost !== undefined)
        promised.calls.set(response.headers.get("x-svc-request-id")!, Math.round(Number(cost) * 1e9));
    },
    async () => {
      const content = `Report ${random()}. ${"The 8:15 from the north stood at the home signal for four minutes. ".repeat(200)}`;
      const response = await send("POST", "/v1/documents", { filename: "report.txt", content });
      const body = (await response.json()) as any;
      if (response.status === 201) promised.documents.add(body.id);
    },
    async () => {
      const id = [...promised.documents].find((each) => !promised.deleted.has(each));
      if (id === undefined) return;
      promised.deleted.add(id);
      const response = await send("DELETE", `/v1/documents/${id}`).catch(() => undefined);
      // Unanswered: it may be there or not.
      if (response?.status !== 200) promised.documents.delete(id);
    },
    async () => {
      const response = await send("POST", "/v1/policies", {
        name: "cap",
        policy_type: "routing",
        config: { cost_ceiling_usd: 100 },
      });
      const { id } = (await response.json()) as any;
      if (response.status === 201) await send("DELETE", `/v1/policies/${id}`);
    },
    async () => {
      await (
        await send("POST", "/v1/video/generations", { prompt: `A train at dusk, take ${random()}.`, duration_seconds: 4 })
      ).text();
    },
  ];
  const odds = [0.4, 0.7, 0.82, 0.9, 0.98, 1];
  for (let deed = first % deeds.length; !stopped.now; ) {
    await deeds[deed]!().catch(() => undefined);
    const draw = random();
    deed = odds.findIndex((bound) => draw < bound);
  }
};

const untilReady = async (program: RunningProgram): Promise<void> => {
  while (!(await fetch(`${program.url}/readyz`).catch(() => undefined))?.ok) await Bun.sleep(5);
};

const inDatabase = <T>(path: string, look: (database: Database) => T): T => {
  const database = new Database(path, { readwrite: true, create: false });
  database.run("PRAGMA busy_timeout = 5000");
  try {
    return look(database);
  } finally {
    database.close();
  }
};

const sumWithListed = (table: string): string =>
  `(SELECT coalesce(sum(calls), 0) FROM ${table}) + (SELECT count(*) FROM calls_to_sum)`;

const check = (path: string, promised: Promised, figures: CrashFigures): void =>
  inDatabase(path, (database) => {
    const one = (sql: string, ...params: string[]) =>
      database.query(sql).values(...params)[0]?.[0] as number | string | undefined;
    for (const [id, cost] of promised.calls) {
      figures.answeredCalls++;
      const logged = one("SELECT cost_nano_usd FROM calls WHERE id = ?", id);
      if (logged === undefined) figures.missingCalls++;
      else if (logged !== cost) figures.wrongCosts++;
    }
    figures.acceptedDocuments += promised.documents.size;
    for (const id of promised.documents) {
      const isThere = one("SELECT 1 FROM documents WHERE id = ?", id) !== undefined;
      if (promised.deleted.has(id) && isThere) figures.undeadDocuments++;
      if (!promised.deleted.has(id) && !isThere) figures.lostDocuments++;
    }
    const sums = {
      calls: one("SELECT coalesce(sum(cost_nano_usd), 0) FROM calls"),
      spend: one("SELECT coalesce(sum(spent_nano_usd), 0) FROM key_spend"),
      days: one(`SELECT (SELECT coalesce(sum(cost_nano_usd), 0) FROM call_days) +
        (SELECT coalesce(sum(cost_nano_usd), 0) FROM calls JOIN calls_to_sum ON seq = call_seq)`),
    };
    if (new Set(Object.values(sums)).size > 1) figures.disagreements.push(`costs: ${JSON.stringify(sums)}`);
    // A killed program leaves calls that are still to be added up.
    const counts = ["(SELECT count(*) FROM calls)", ...["call_days", "call_hours"].map(sumWithListed)].map((sum) =>
      one(`SELECT ${sum}`),
    );
    if (new Set(counts).size > 1) figures.disagreements.push(`counts: ${counts}`);
    const verdict = one("PRAGMA integrity_check");
    if (verdict !== "ok") figures.disagreements.push(`integrity: ${verdict}`);
  });

const UNENDED = `SELECT (SELECT count(*) FROM documents WHERE status = 'processing') + (SELECT count(*) FROM video_jobs WHERE state IN ('pending', 'processing'))`;
const MOST_WAIT_MS = 120_000;

const untilJobsEnd = async (path: string, figures: CrashFigures): Promise<void> => {
  const began = performance.now();
  const unended = () => inDatabase(path, (database) => database.query(UNENDED).values()[0]![0] as number);
  while (unended() > 0 && performance.now() - began < MOST_WAIT_MS) await Bun.sleep(200);
  figures.endlessJobs = unended();
};

const checkJobs = (path: string, created: Map<string, number>, figures: CrashFigures): void =>
  inDatabase(path, (database) => {
    const count = (sql: string) => database.query(sql).values()[0]![0] as number;
    figures.duplicateChunks =
      count("SELECT count(*) - count(DISTINCT document_number || ' ' || chunk_index) FROM chunks") +
      count(
        `SELECT count(*) FROM documents d WHERE status = 'ready' AND chunk_count <> (SELECT count(*) FROM chunks c WHERE c.document_number = d.number)`,
      );
    figures.videosAsked = count("SELECT count(*) FROM video_jobs");
    figures.doubleVideos = [...created.values()].filter((times) => times > 1).length;
  });

type Upstream = { url: string; created: Map<string, number>; stop(): void };

const startUpstream = async (): Promise<Upstream> => {
  const created = new Map<string, number>();
  const mp4 = new Uint8Array(await makeVideo({ durationSeconds: 4, resolution: "720p", aspectRatio: "16:9" }));
  const said = "The 8:15 was late: it stood at the home signal while a freight train cleared the points.";
  const usage = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 };
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === "/v1/text_to_video") {
        const { promptText } = (await request.json()) as any;
        created.set(promptText, (created.get(promptText) ?? 0) + 1);
        await Bun.sleep(10);
        return Response.json({ id: crypto.randomUUID() });
      }
      if (pathname.startsWith("/v1/tasks/"))
        return Response.json({ status: "SUCCEEDED", output: [`${new URL(request.url).origin}/video.mp4`] });
      if (pathname === "/video.mp4") return new Response(mp4, { headers: { "content-type": "video/mp4" } });
      const { stream } = (await request.json()) as any;
      await Bun.sleep(5);
      if (!stream) {
        const choices = [{ index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" }];
        return Response.json({ id: "c", object: "chat.completion", choices, usage });
      }
      const pieces = [
        ...said.split(/(?= )/).map((content) => chunk({ content }, null)),
        chunk({}, "stop"),
        `data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\ndata: [DONE]\n\n`,
      ];
      let next = 0;
      return new Response(
        new ReadableStream({
          pull: async (controller) => {
            await Bun.sleep(2);
            const piece = pieces[next++];
            if (piece === undefined) controller.close();
            else controller.enqueue(new TextEncoder().encode(piece));
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
    },
  });
  return { url: server.url.origin, created, stop: () => void server.stop(true) };
};
