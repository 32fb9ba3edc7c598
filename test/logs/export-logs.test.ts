import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { openReadOnly } from "../../src/database/open-connection.ts";
import { createExportCursor, type ExportOrder } from "../../src/logs/export/export-cursor.ts";
import { createExports } from "../../src/logs/export/run-exports.ts";
import { allCalls } from "../../src/logs/list/filter.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { getJson, record } from "../support/known-call.ts";

setDefaultTimeout(30_000);

const COUNT = 1_203;

const gateway = await gatewayOfFile();
const key = await gateway.key({ project: "exported" });
const PROMPTS = ['=HYPERLINK("http://evil")', 'a "quoted", line\nand another', "＝1+1", "\n=1+1"];

beforeAll(async () => {
  const now = gateway.clock.now();
  await record(
    gateway,
    key,
    ...Array.from({ length: COUNT }, (_, n) => ({
      id: `call_e${String(n).padStart(5, "0")}`,
      // Ten to the same millisecond, so that pieces end among equals.
      startedAtMs: now - 60_000 - Math.floor(n / 10) * 1_000,
      costNanoUsd: n * 1_000,
      promptText: PROMPTS[n] ?? `prompt ${n}`,
      custom: { n: String(n) },
    })),
  );
});

/** Nothing that a compressor would make small. */
const randomText = (length: number): string => Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString("base64");
const fetchExport = (query: string, as = key) => gateway.send(as, "GET", `/v1/logs/export?${query}`);

describe("GET /v1/logs/export", () => {
  test("json is the list's entries, all of them, in its order", async () => {
    const response = await fetchExport("format=json");
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="signalbox-logs-\d{4}-\d\d-\d\d\.json"$/);
    const entries = (await response.json()) as any[];
    const { logs } = await getJson(gateway, key, "/v1/logs?limit=10000");
    expect(entries).toHaveLength(COUNT);
    expect(entries).toEqual(logs);
  });

  test("jsonl is one entry a line and honours the filters", async () => {
    const text = await (await fetchExport("format=jsonl&min_cost=0.001")).text();
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(COUNT - 1_000);
    expect(lines.every((entry) => entry.execution.cost_usd >= 0.001)).toBe(true);
  });

  test("a search exports the calls that contain its text, in every format", async () => {
    const search = "search=PROMPT+120";
    const found = (await getJson(gateway, key, `/v1/logs?${search}&limit=100`)).logs;
    expect(found.map((entry: any) => entry.prompt.text)).toEqual(["prompt 120", "prompt 1202", "prompt 1201", "prompt 1200"]);
    expect(await (await fetchExport(`format=json&${search}`)).json()).toEqual(found);
    expect((await (await fetchExport(`format=csv&${search}`)).text()).trimEnd().split("\r\n")).toHaveLength(5);
    const rows = await parquetReadObjects({ file: await (await fetchExport(`format=parquet&${search}`)).arrayBuffer() });
    expect(rows).toHaveLength(4);
    expect(await (await fetchExport("format=jsonl&search=nowhere")).text()).toBe("");
  });

  test("csv has a column for each leaf, quotes what needs it, and defuses formulas", async () => {
    const text = await (await fetchExport("format=csv&max_cost=0.000003&sort_order=asc")).text();
    const [header, ...rest] = text.split("\r\n");
    expect(header!.split(",").slice(0, 6)).toEqual([
      "call_id",
      "timestamp",
      "prompt.text",
      "prompt.hash",
      "prompt.length",
      "classification.task_type",
    ]);
    expect(header).toContain("metadata.custom");
    const body = rest.join("\r\n");
    expect(body).toContain(`,"'=HYPERLINK(""http://evil"")",`);
    expect(body).toContain(",'＝1+1,");
    expect(body).toContain(`,"'\n=1+1",`);
    expect(body).toContain(`,"a ""quoted"", line\nand another",`);
    expect(body).toContain(`"{""n"":""0""}"`);
    // What an entry does not have is an empty cell.
    expect(body).not.toContain(",null,");
    expect(body.endsWith("\r\n")).toBe(true);
  });

  test("csv begins with the mark of UTF-8 where that is asked for, and nothing else does", async () => {
    const start = async (query: string) => [...(await (await fetchExport(query)).bytes())].slice(0, 3);
    const letters = (text: string) => [...Buffer.from(text)].slice(0, 3);
    expect(await start("format=csv&bom=true")).toEqual([0xef, 0xbb, 0xbf]);
    expect(await start("format=csv")).toEqual(letters("call_id"));
    expect(await start("format=jsonl&bom=true")).toEqual(letters('{"call_id"'));
  });

  test("parquet reads back as the same entries", async () => {
    const file = await (await fetchExport("format=parquet")).arrayBuffer();
    const rows = (await parquetReadObjects({ file })) as any[];
    const { logs } = await getJson(gateway, key, "/v1/logs?limit=10000");
    expect(rows).toHaveLength(COUNT);
    const [row, entry] = [rows[777], logs[777]];
    expect(row["call_id"]).toBe(entry.call_id);
    expect(row["timestamp"].toISOString()).toBe(entry.timestamp);
    expect(row["execution.cost_usd"]).toBe(entry.execution.cost_usd);
    expect(Number(row["execution.total_tokens"])).toBe(150);
    expect(row["quality.validation_passed"]).toBe(true);
    expect(row["quality.failure_mode"] ?? null).toBeNull();
    expect(row["metadata.custom"]).toEqual(entry.metadata.custom);
    expect(rows.reduce((sum, { ["execution.cost_usd"]: cost }) => sum + Math.round(cost * 1e9), 0)).toBe(
      ((COUNT * (COUNT - 1)) / 2) * 1_000,
    );
  });

  test("parquet has bounds of figures and times, and none of texts, which would all have to be kept until its end", async () => {
    const { row_groups } = parquetMetadata(await (await fetchExport("format=parquet")).arrayBuffer());
    const bounded = row_groups[0]!.columns.flatMap(({ meta_data: column }) => (column?.statistics ? column.path_in_schema : []));
    expect(bounded).toContain("timestamp");
    expect(bounded).toContain("execution.cost_usd");
    for (const text of ["prompt.text", "output.text", "metadata.custom"]) expect(bounded).not.toContain(text);
  });

  test("of an empty log is still a file of its format", async () => {
    const empty = await gateway.key({ project: "nothing exported" });
    expect(await (await fetchExport("format=json", empty)).json()).toEqual([]);
    expect(await (await fetchExport("format=jsonl", empty)).text()).toBe("");
    expect((await (await fetchExport("format=csv", empty)).text()).split("\r\n")).toHaveLength(2);
    expect(await parquetReadObjects({ file: await (await fetchExport("format=parquet", empty)).arrayBuffer() })).toEqual([]);
  });

  test.each([
    ["free", "csv", "pro"],
    ["starter", "csv", "pro"],
    ["pro", "parquet", "enterprise"],
    ["team", "parquet", "enterprise"],
  ] as const)("tier %s may not export %s", async (tier, format, required) => {
    const other = await gateway.key({ project: `export ${tier}`, tier });
    const response = await fetchExport(`format=${format}`, other);
    expect(response.status).toBe(403);
    expect(((await response.json()) as any).error).toMatchObject({
      type: "insufficient_tier",
      required_tier: required,
      current_tier: tier,
    });
    expect((await fetchExport("format=json", other)).status).toBe(200);
  });

  test("refuses an unknown format", async () => {
    const response = await fetchExport("format=xml");
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).error.param).toBe("format");
  });

  test("an export that is given up frees its place", async () => {
    // The first keeps the worker running.
    const first = await fetchExport("format=csv");
    for (let n = 0; n < 10; n++) {
      const response = await fetchExport("format=csv");
      expect(response.status).toBe(200);
      await response.body!.cancel();
    }
    await first.body!.cancel();
  });

  test("a project that leaves its exports unread is in no other's way", async () => {
    const greedy = await gateway.key({ project: "greedy" });
    await record(
      gateway,
      greedy,
      ...Array.from({ length: 600 }, () => ({ outputText: randomText(20_000), startedAtMs: gateway.clock.now() })),
    );
    const unread = await Promise.all(Array.from({ length: 8 }, () => fetchExport("format=jsonl", greedy)));
    expect((await fetchExport("format=jsonl", greedy)).status).toBe(429);
    expect((await fetchExport("format=jsonl")).status).toBe(200);
    for (const response of unread) await response.body!.cancel();
  });

  test("an export that cannot begin holds no place, and the next one is tried anew", async () => {
    const path = join(gateway.folder, "later.db");
    const exports = createExports(() => path);
    const order = {
      filter: allCalls({ projectId: key.project.id, mode: "test" }),
      order: "asc",
      format: "jsonl",
    } as const;
    for (let n = 0; n < 2; n++) {
      const failed = await Promise.allSettled(Array.from({ length: 8 }, () => exports.start(order)));
      expect(failed.map((each) => String((each as PromiseRejectedResult).reason))).toEqual(
        Array(8).fill(expect.stringContaining("unable to open")),
      );
    }
    await gateway.platform.db.backup(path);
    const text = await new Response(await exports.start(order)).text();
    expect(text.trimEnd().split("\n")).toHaveLength(COUNT);
  });
});

const piecesOf = (order: ExportOrder): Uint8Array[] => {
  const connection = openReadOnly(gateway.platform.db.path);
  const next = createExportCursor(connection, order);
  const pieces: Uint8Array[] = [];
  for (let piece = next(); piece !== undefined; piece = next()) pieces.push(piece);
  connection.close();
  return pieces;
};

test("long calls leave one after the other, whatever the format of the text", async () => {
  const long = await gateway.key({ project: "long exports" });
  const startedAtMs = gateway.clock.now() - 3_600_000;
  const calls = [0, 1, 2].map((number) => ({
    id: `call_export_${number}`,
    startedAtMs: startedAtMs + number,
    promptText: `${number}`.repeat(1_100_000),
  }));
  await record(gateway, long, ...calls);
  const filter = allCalls({ projectId: long.project.id, mode: "test" });
  for (const format of ["json", "jsonl", "csv"] as const) {
    const pieces = piecesOf({ filter, order: "asc", format });
    const text = Buffer.concat(pieces).toString();
    expect(pieces.filter(({ length }) => length > 1_000_000).length).toBe(3);
    expect([...text.matchAll(/call_export_(\d)/g)].map(([, number]) => number)).toEqual(["0", "1", "2"]);
    if (format === "json") expect(JSON.parse(text)).toHaveLength(3);
  }
});

test("a call is read when its turn comes, so that long ones are never together in memory", async () => {
  const long = await gateway.key({ project: "one by one" });
  const startedAtMs = gateway.clock.now() - 3_600_000;
  const calls = Array.from({ length: 20 }, (_, number) => ({
    id: `call_turn_${number}`,
    startedAtMs: startedAtMs + number,
    promptText: "a".repeat(1_100_000),
  }));
  await record(gateway, long, ...calls);
  const filter = allCalls({ projectId: long.project.id, mode: "test" });
  const order = { filter, order: "asc" as const };
  const groups = piecesOf({ ...order, format: "parquet" });
  expect(groups.length).toBe(2);
  const file = Buffer.concat(groups);
  const rows = await parquetReadObjects({
    file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer,
  });
  expect(rows.map(({ call_id }) => call_id)).toEqual(calls.map(({ id }) => id));

  const connection = openReadOnly(gateway.platform.db.path);
  const next = createExportCursor(connection, { ...order, format: "jsonl" });
  const first = Buffer.from(next()!).toString();
  await gateway.platform.db.write((sql) => void sql.run("DELETE FROM calls WHERE id = 'call_turn_1'"));
  expect([first, Buffer.from(next()!).toString()].map((text) => JSON.parse(text).call_id)).toEqual([
    "call_turn_0",
    "call_turn_2",
  ]);
  connection.close();
});
