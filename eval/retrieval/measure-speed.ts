/**
 * `bun run eval/retrieval/measure-speed.ts [--folder path] [--projects count] [chunks…]`: PDFs, ingestion and search of one large project through the real
 * server's parts. Other work on the machine makes a clock's figures worse, so each stands beside what the processor did.
 * Prints Markdown and writes it to eval/results/retrieval-speed-<date>.md. With `--folder` the database stays, and is gone on with.
 * With `--projects` only that: as many projects of a thousand chunks, asked in turns; printed, not written.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Caller } from "../../src/accounts/authenticate.ts";
import { queryDocuments } from "../../src/documents/query/query-documents.ts";
import { acceptDocument } from "../../src/documents/upload/accept-document.ts";
import { startGateway, type TestKey } from "../../test/support/gateway.ts";
import { DATA, type Query, readJsonLines } from "./read-collection.ts";

const CHUNKS_PER_FILE = 1_000;
const FILES_AT_ONCE = 20;
const TICK_MS = 5;
const QUERIES = 200;
const ROUNDS = 3;
const PDFS = ["report-en-long.pdf", "GeoTopo-komprimiert.pdf"];

type Gateway = Awaited<ReturnType<typeof startGateway>>;
type Setting = { gateway: Gateway; caller: Caller };

/** No more than an upload and a search ask of a caller. */
const callerOf = ({ id, project }: TestKey): Caller => ({ project, key: { id, logHash: "" }, mode: "test" }) as unknown as Caller;

const percentile = (values: number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const row = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
const ms = (value: number) => value.toFixed(1);
const sum = ({ user, system }: { user: number; system: number }) => (user + system) / 1000;

/** Of all threads of this process, in milliseconds. */
const processMs = (): number => sum(process.cpuUsage());
const servingMs = (): number => sum(process.threadCpuUsage());

/** Notes at each tick for how long the serving thread computed since the last: the time for which nothing else could be served. */
const watchLoop = () => {
  const held: number[] = [];
  let last = servingMs();
  const note = () => {
    const now = servingMs();
    held.push(now - last);
    last = now;
  };
  const timer = setInterval(note, TICK_MS);
  return {
    /** Work of this measurement, which is none of the server's. */
    aside: <T>(work: () => T): T => {
      note();
      const done = work();
      last = servingMs();
      return done;
    },
    stop: () => {
      clearInterval(timer);
      return held;
    },
  };
};

/** Abstracts and sentences of others in ever new order, a heading before each, so that each is about one chunk and none like another. */
const createFiles = (texts: string[]): ((number: number) => Uint8Array) => {
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?]) /)).filter((sentence) => sentence.length > 20);
  return (number) => {
    let seed = number * 7_919 + 17;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed % below;
    };
    const items = Array.from({ length: CHUNKS_PER_FILE }, (_, at) => {
      let text = texts[(number * 7_919 + at * 104_729) % texts.length]!.slice(0, 1_100);
      while (text.length < 1_400) text += ` ${sentences[random(sentences.length)]!}`;
      return `## Item ${number}-${at}\n\n${text.slice(0, 1_550)}`;
    });
    return new TextEncoder().encode(items.join("\n\n"));
  };
};

const upload = async ({ gateway, caller }: Setting, filename: string, contentType: Upload["contentType"], bytes: Uint8Array) =>
  acceptDocument(gateway.platform, caller, { filename, contentType, bytes, collectionId: null, metadata: {} });
type Upload = Parameters<typeof acceptDocument>[2];

/** What the processor did for the text of a PDF, in a process of its own with its start. */
const extractMs = (name: string): number => {
  const main = join(import.meta.dir, "../../src/main.ts");
  const { resourceUsage } = Bun.spawnSync([process.execPath, "run", main, "extract", join(DATA, "pdfs", name)]);
  return Number(resourceUsage.cpuTime.total) / 1000;
};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);

const pdfRows = async (setting: Setting): Promise<string[]> => {
  const rows: string[] = [];
  for (const name of PDFS) {
    const bytes = new Uint8Array(readFileSync(join(DATA, "pdfs", name)));
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      await upload(setting, `${round}-${name}`, "application/pdf", bytes);
      await setting.gateway.platform.background.idle();
      times.push(performance.now() - startedAt);
    }
    const { pages } = setting.gateway.platform.db.get<{ pages: number }>(
      "SELECT page_count AS pages FROM documents WHERE filename = ?",
      `0-${name}`,
    )!;
    rows.push(row([name, pages, seconds(extractMs(name)), seconds(Math.min(...times)), seconds(percentile(times, 0.5))]));
  }
  return rows;
};

const countChunks = ({ gateway }: Setting): number =>
  gateway.platform.db.get<{ n: number }>("SELECT coalesce(sum(chunks_done), 0) AS n FROM documents")!.n;

const ingestRow = async (setting: Setting, size: number, fileOf: (number: number) => Uint8Array): Promise<string> => {
  const { platform } = setting.gateway;
  const before = countChunks(setting);
  let files = Math.floor(before / CHUNKS_PER_FILE);
  const [startedAt, processBefore, servingBefore] = [performance.now(), processMs(), servingMs()];
  const loop = watchLoop();
  for (; files < size / CHUNKS_PER_FILE; files++) {
    const bytes = loop.aside(() => fileOf(files));
    await upload(setting, `file-${files}.md`, "text/markdown", bytes);
    if (files % FILES_AT_ONCE === FILES_AT_ONCE - 1) await platform.background.idle();
  }
  await platform.background.idle();
  const made = countChunks(setting) - before;
  const held = loop.stop();
  if (made === 0) return row([countChunks(setting), "kept", "", "", "", ""]);
  return row([
    countChunks(setting),
    Math.round((made / (performance.now() - startedAt)) * 1000),
    Math.round(((processMs() - processBefore) * 1000) / made),
    Math.round(((servingMs() - servingBefore) * 1000) / made),
    ms(percentile(held, 0.99)),
    ms(Math.max(...held)),
  ]);
};

/** How long one question takes. */
const searchMs = async ({ gateway, caller }: Setting, text: string): Promise<number> => {
  const startedAt = performance.now();
  const place = { projectId: caller.project.id, mode: "test" } as const;
  await queryDocuments(gateway.platform, place, { text, topK: 5, threshold: 0.3, filter: {} });
  return performance.now() - startedAt;
};

const searchRow = async (setting: Setting, size: number, round: string, texts: string[]): Promise<string> => {
  const times: number[] = [];
  const loop = watchLoop();
  const before = processMs();
  for (const text of texts) times.push(await searchMs(setting, text));
  const computed = (processMs() - before) / texts.length;
  const held = loop.stop();
  return row([size, round, ms(percentile(times, 0.5)), ms(percentile(times, 0.95)), ms(computed), ms(Math.max(0, ...held))]);
};

const measure = async (setting: Setting, sizes: number[]): Promise<string[]> => {
  const texts = (await readJsonLines<{ text: string }>("retrieval/corpus.jsonl")).map(({ text }) => text);
  const queries = (await readJsonLines<Query>("retrieval/queries.jsonl")).slice(0, QUERIES).map(({ text }) => text);
  const fileOf = createFiles(texts);
  const [ingested, searched]: [string[], string[]] = [[], []];
  const pdfs = await pdfRows(setting);
  for (const size of sizes) {
    ingested.push(await ingestRow(setting, size, fileOf));
    const chunks = countChunks(setting);
    searched.push(await searchRow(setting, chunks, "the first", [texts[0]!.slice(0, 100)]));
    searched.push(await searchRow(setting, chunks, `${QUERIES} questions, each new`, queries));
    searched.push(await searchRow(setting, chunks, "the same again", queries));
  }
  return [
    "## PDF to searchable",
    "",
    row(["file", "pages", "processor s for the text", `best of ${ROUNDS} to searchable, s`, "median, s"]),
    row(["---", "---", "---", "---", "---"]),
    ...pdfs,
    "",
    "## Ingestion (Markdown, 1,400 characters a chunk, local encoder)",
    "",
    row(["chunks", "a second", "processor µs a chunk", "of these the serving thread", "serving thread held p99 ms", "worst ms"]),
    row(["---", "---", "---", "---", "---", "---"]),
    ...ingested,
    "",
    "## Search (one project, SciFact's claims, top 5, threshold 0.3)",
    "",
    row(["chunks", "questions", "p50 ms", "p95 ms", "processor ms a question", "serving thread held at most ms"]),
    row(["---", "---", "---", "---", "---", "---"]),
    ...searched,
    "",
    `Memory at the end: ${Math.round(process.memoryUsage().rss / 1e6)} MB resident.`,
  ];
};

/** As many projects with a thousand chunks each, asked in turns: every question finds another project's index in memory, or none. */
const manyProjects = async (gateway: Gateway, count: number): Promise<string[]> => {
  const texts = (await readJsonLines<{ text: string }>("retrieval/corpus.jsonl")).map(({ text }) => text);
  const queries = (await readJsonLines<Query>("retrieval/queries.jsonl")).map(({ text }) => text);
  const fileOf = createFiles(texts);
  const settings: Setting[] = [];
  for (let number = 0; number < count; number++) {
    const setting = { gateway, caller: callerOf(await gateway.key({ project: `project-${number}` })) };
    await upload(setting, "file.md", "text/markdown", fileOf(number));
    settings.push(setting);
  }
  await gateway.platform.background.idle();
  const ask = async (round: string, offset: number): Promise<string> => {
    const times: number[] = [];
    for (const [number, setting] of settings.entries())
      times.push(await searchMs(setting, queries[(offset + number) % queries.length]!));
    return row([round, ms(percentile(times, 0.5)), ms(percentile(times, 0.95)), ms(Math.max(...times))]);
  };
  return [
    `## Search (${count} projects of about 1,000 chunks, one question each in turns)`,
    "",
    row(["round", "p50 ms", "p95 ms", "most ms"]),
    row(["---", "---", "---", "---"]),
    await ask("the first question of each project", 0),
    await ask("another question of each", count),
    await ask("a third", 2 * count),
  ];
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { folder: { type: "string" }, projects: { type: "string" } },
    allowPositionals: true,
  });
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), "signalbox-speed-"));
  mkdirSync(folder, { recursive: true });
  const load = loadavg()[0]!;
  const gateway = await startGateway({ folder });
  const setting: Setting = { gateway, caller: callerOf(await gateway.key()) };
  await gateway.platform.background.idle();
  if (values.projects !== undefined) {
    console.log((await manyProjects(gateway, Number(values.projects))).join("\n"));
    await gateway.stop();
    return;
  }
  const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000];
  const tables = await measure(setting, sizes);
  const date = new Date().toISOString().slice(0, 10);
  const report = [
    `# Speed of documents, ${date}`,
    "",
    `\`bun run eval/retrieval/measure-speed.ts ${sizes.join(" ")}\` on ${cpus().length} cores, Bun ${Bun.version}. Others' work on the machine meanwhile: load ${load.toFixed(1)} before the start. Clock times grow with it, processor times hardly.`,
    "",
    ...tables,
    "",
  ].join("\n");
  console.log(report);
  await Bun.write(join(import.meta.dir, `../results/retrieval-speed-${date}.md`), report);
  await gateway.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
};

await main();
