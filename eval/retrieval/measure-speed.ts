/**
 * `bun run eval/retrieval/measure-speed.ts [chunks…]`: ingestion and search of one large project through the real server's parts:
 * chunks a second, what a query takes, and how long the serving thread was ever held.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "../../src/accounts/authenticate.ts";
import { acceptDocument } from "../../src/documents/accept-document.ts";
import { queryDocuments } from "../../src/documents/query-documents.ts";
import { startGateway } from "../../test/support/gateway.ts";
import { type Query, readJsonLines } from "./read-collection.ts";

const CHUNKS_PER_FILE = 1_000;
const TICK_MS = 5;

const percentile = (values: number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Notes how late a tick comes: the time for which nothing else could be served. */
const watchLoop = () => {
  const delays: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delays.push(Math.max(0, now - last - TICK_MS));
    last = now;
  }, TICK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return delays;
    },
  };
};

/** Abstracts in ever new order, a heading before each, so that each is about one chunk. */
const fileOf = (texts: string[], number: number): string =>
  Array.from(
    { length: CHUNKS_PER_FILE },
    (_, at) => `## Item ${number}-${at}\n\n${texts[(number * 7_919 + at * 104_729) % texts.length]!.slice(0, 1_550)}`,
  ).join("\n\n");

const main = async (): Promise<void> => {
  const sizes = process.argv.slice(2).map(Number);
  const texts = (await readJsonLines<{ text: string }>("retrieval/corpus.jsonl")).map(({ text }) => text);
  const queries = await readJsonLines<Query>("retrieval/queries.jsonl");
  const folder = mkdtempSync(join(tmpdir(), "signalbox-speed-"));
  const gateway = await startGateway({ folder });
  const key = await gateway.key();
  const caller = { project: key.project, mode: "test" } as unknown as Caller;
  let files = 0;
  for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
    const before = gateway.platform.db.get<{ n: number }>("SELECT count(*) AS n FROM chunks")!.n;
    const startedAt = performance.now();
    let loop = watchLoop();
    for (; files < size / CHUNKS_PER_FILE; files++) {
      const bytes = new TextEncoder().encode(fileOf(texts, files));
      await acceptDocument(gateway.platform, caller, {
        filename: `file-${files}.md`,
        contentType: "text/markdown",
        bytes,
        collectionId: null,
        metadata: {},
      });
      if (files % 20 === 19) await gateway.platform.background.idle();
    }
    await gateway.platform.background.idle();
    const chunks = gateway.platform.db.get<{ n: number }>("SELECT count(*) AS n FROM chunks")!.n;
    const seconds = (performance.now() - startedAt) / 1000;
    const whileIngesting = loop.stop();
    console.log(
      `${chunks} chunks; ingested ${Math.round((chunks - before) / seconds)} chunks a second; loop delay p99 ${percentile(whileIngesting, 0.99).toFixed(1)} ms, worst ${Math.max(...whileIngesting).toFixed(1)} ms`,
    );
    const first = performance.now();
    await queryDocuments(gateway.platform.documents, key.project.id, "test", { text: queries[0]!.text, topK: 5, threshold: 0.3 });
    const cold = performance.now() - first;
    loop = watchLoop();
    const times: number[] = [];
    for (const { text } of queries.slice(0, 200)) {
      const { latencyMs } = await timed(() =>
        queryDocuments(gateway.platform.documents, key.project.id, "test", { text, topK: 5, threshold: 0.3 }),
      );
      times.push(latencyMs);
    }
    const whileSearching = loop.stop();
    console.log(
      `  query p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, first ${cold.toFixed(0)} ms; loop delay worst ${Math.max(...whileSearching).toFixed(1)} ms`,
    );
  }
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
};

const timed = async <T>(work: () => Promise<T>): Promise<{ value: T; latencyMs: number }> => {
  const startedAt = performance.now();
  const value = await work();
  return { value, latencyMs: performance.now() - startedAt };
};

await main();
