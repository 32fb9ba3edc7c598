import { describe, expect, test } from "bun:test";
import { createPdfExtractor } from "../../src/documents/extract/extract-file.ts";
import { TIER_LIMITS } from "../../src/limits/tiers.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { bombPdf, textPdf } from "./build-pdf.ts";
import { documentOf, ingested, query, uploadFile, type WireDocument } from "./documents.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();

const refusal = async (response: Response) => {
  const { error } = (await response.json()) as { error: { type: string; param?: string; [more: string]: unknown } };
  return { status: response.status, type: error.type, param: error.param };
};
const json = (body: object) => gateway.send(key, "POST", "/v1/documents", body);

describe("an upload", () => {
  test("as a form answers 201 with the document, and the file becomes searchable", async () => {
    const response = await uploadFile(gateway, key, "trains.md", "# Trains\n\nThe night train to Uppsala leaves at nine.", {
      collection_id: "forms",
      metadata: '{"lang":"en"}',
    });
    expect(response.status).toBe(201);
    const created = (await response.json()) as WireDocument;
    expect(created).toMatchObject({
      filename: "trains.md",
      content_type: "text/markdown",
      status: "processing",
      file_size_bytes: 52,
      collection_id: "forms",
      metadata: { lang: "en" },
    });
    expect(created.id).toStartWith("doc_");
    expect(created).not.toHaveProperty("error_message");
    await gateway.platform.background.idle();
    expect(await documentOf(gateway, key, created.id)).toMatchObject({
      status: "ready",
      page_count: 1,
      chunk_count: 1,
      progress_percent: 100,
    });
    const [hit] = await query(gateway, key, { query: "When does the train to Uppsala leave?", collection_id: "forms" });
    expect(hit).toMatchObject({
      document_id: created.id,
      filename: "trains.md",
      chunk_index: 0,
      page: 1,
      metadata: { lang: "en" },
    });
    expect(hit!.content).toContain("leaves at nine");
    expect(hit!.score).toBeGreaterThan(0.3);
  });

  test("is of the kind its part declares where its name has no ending", async () => {
    for (const [type, read] of [
      ["text/plain;charset=utf-8", "text/plain"],
      ["text/x-markdown", "text/markdown"],
    ] as const) {
      const form = new FormData();
      form.set("file", new File(["The pier closes at ten."], "blob", { type }));
      const response = await gateway.send(key, "POST", "/v1/documents", form);
      expect([response.status, ((await response.json()) as { content_type: string }).content_type]).toEqual([201, read]);
    }
  });

  test("as JSON takes plain text, base64 and PDF", async () => {
    const pdf = Buffer.from(textPdf([["The harbour master is called Ingrid."]])).toString("base64");
    const text = "A longer plain text about the harbour.";
    const base64 = (plain: string) => Buffer.from(plain).toString("base64");
    const encoded = base64(text);
    const stored: [object, number][] = [
      [{ filename: "a.txt", content: text }, text.length],
      [{ filename: "b.txt", content: encoded }, text.length],
      [{ filename: "c.txt", content: encoded, encoding: "utf8" }, encoded.length],
      [{ filename: "d", content: encoded, encoding: "base64", content_type: "text/plain; charset=utf-8" }, text.length],
      [{ filename: "e.txt", content: "dGVzdA==" }, 8],
      [{ filename: "lines.txt", content: base64(`A log:\t${text}\r\n`) }, text.length + 9],
      // What decodes to control characters, or to no UTF-8, is not taken for base64.
      ...[
        base64(`${text}\u0007`),
        base64(`\u001b[31m${text}`),
        base64(`${text}\u0085`),
        Buffer.from(`${text}é`, "latin1").toString("base64"),
      ].map((content): [object, number] => [{ filename: "signs.txt", content }, content.length]),
      [{ filename: "f.pdf", content: pdf, collection_id: null, metadata: null }, Buffer.from(pdf, "base64").length],
    ];
    for (const [body, bytes] of stored) {
      const response = await json(body);
      expect([response.status, ((await response.json()) as { file_size_bytes: number }).file_size_bytes]).toEqual([201, bytes]);
    }
    await gateway.platform.background.idle();
    const [hit] = await query(gateway, key, { query: "What is the name of the harbour master?" });
    expect(hit).toMatchObject({ filename: "f.pdf", page: 1 });
  });

  test("keeps a name that is only a name", async () => {
    expect(await (await json({ filename: "../../etc/pass\u0000wd.txt", content: "x" })).json()).toMatchObject({
      filename: "passwd.txt",
    });
  });

  test("that is wrong is refused with the field that is wrong", async () => {
    const cases: [() => Promise<Response>, string | undefined][] = [
      [() => json({ content: "x" }), "filename"],
      [() => json({ filename: "a.txt" }), "content"],
      [() => json({ filename: "a.txt", content: 7 }), "content"],
      [() => json({ filename: "a.docx", content: "x" }), "content_type"],
      [() => json({ filename: "a.txt", content: "x", content_type: "image/png" }), "content_type"],
      [() => json({ filename: "a.pdf", content: "not base64!" }), "content"],
      [() => json({ filename: "a.txt", content: "x", metadata: [1] }), "metadata"],
      [() => json({ filename: "a.txt", content: "x", encoding: "hex" }), "encoding"],
      [() => json({ filename: "a/..", content: "x", content_type: "text/plain" }), "filename"],
      [() => uploadFile(gateway, key, "a.png", "x"), "file"],
      [() => uploadFile(gateway, key, "a.txt", "x", { metadata: "{oops" }), "metadata"],
      [() => uploadFile(gateway, key, "a.txt", "x", { metadata: "[]" }), "metadata"],
      [() => uploadFile(gateway, key, "a.txt", "x", { metadata: JSON.stringify({ note: "n".repeat(16_384) }) }), "metadata"],
      [() => uploadFile(gateway, key, "a.txt", "x", { collection_id: "c".repeat(257) }), "collection_id"],
      [() => gateway.send(key, "POST", "/v1/documents", new FormData()), "file"],
    ];
    for (const [send, param] of cases)
      expect(await refusal(await send())).toEqual({ status: 400, type: "invalid_request", param });
    const other = await gateway.send(key, "POST", "/v1/documents", Buffer.from("x"), { "content-type": "text/plain" });
    expect(await refusal(other)).toMatchObject({ status: 415 });
  });

  test("of more than 20 MB is refused in either form, one of 20 MB is taken", async () => {
    const most = 20 * 1_048_576;
    const text = "word ".repeat(most / 5).padEnd(most, ".");
    expect(await refusal(await uploadFile(gateway, key, "big.txt", `${text}!`))).toEqual({
      status: 400,
      type: "invalid_request",
      param: "file",
    });
    expect(await refusal(await uploadFile(gateway, key, "huge.txt", text + text))).toEqual({
      status: 400,
      type: "invalid_request",
      param: "file",
    });
    expect(await refusal(await json({ filename: "big.txt", content: `${text}!` }))).toEqual({
      status: 400,
      type: "invalid_request",
      param: "content",
    });
    const taken = await uploadFile(gateway, key, "most.txt", text);
    expect(taken.status).toBe(201);
    const { id } = (await taken.json()) as WireDocument;
    expect((await gateway.send(key, "DELETE", `/v1/documents/${id}`)).status).toBe(200);
    await gateway.platform.background.idle();
  }, 60_000);
});

describe("a document that cannot be read", () => {
  test("ends failed with a sentence that helps, and holds no bytes", async () => {
    for (const [name, content, word] of [
      ["empty.txt", "", "no text"],
      ["binary.txt", "\u0000\u0001\u0002", "control characters"],
      ["windows-1251.txt", Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), "UTF-8"],
      ["garbage.pdf", "nothing of the kind", "damaged"],
    ] as const) {
      const document = await ingested(gateway, key, name, content);
      expect(document.status).toBe("failed");
      expect(document.error_message).toContain(word);
      expect(gateway.platform.db.get("SELECT 1 FROM document_files WHERE document_id = ?", document.id)).toBeUndefined();
    }
  });

  test("takes nothing of the server with it", async () => {
    const { documents } = gateway.platform;
    const { extractPdf } = documents;
    documents.extractPdf = createPdfExtractor({ memoryBytes: 250_000_000, wallMs: 60_000 });
    const document = await ingested(gateway, key, "bomb.pdf", bombPdf(100_000_000));
    documents.extractPdf = extractPdf;
    expect(document).toMatchObject({ status: "failed", error_message: expect.stringContaining("memory") });
    expect((await gateway.send(null, "GET", "/healthz")).status).toBe(200);
  }, 90_000);
});

describe("lists", () => {
  test("are newest first, by page and by collection, and count all", async () => {
    const own = await gateway.key({ project: "lists" });
    for (const name of ["one", "two", "three"])
      await uploadFile(gateway, own, `${name}.txt`, name, { collection_id: name === "two" ? "b" : "a" });
    const list = async (search: string) => (await (await gateway.send(own, "GET", `/v1/documents${search}`)).json()) as any;
    const all = await list("");
    expect(all.documents.map((document: WireDocument) => document.filename)).toEqual(["three.txt", "two.txt", "one.txt"]);
    expect(all).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect((await list("?limit=1&offset=1")).documents[0].filename).toBe("two.txt");
    expect(await list("?collection_id=a")).toMatchObject({ total: 2 });
    expect(await list("?collection_id=nowhere")).toMatchObject({ total: 0, documents: [] });
    expect(await refusal(await gateway.send(own, "GET", "/v1/documents?limit=0"))).toMatchObject({ status: 400, param: "limit" });
    const { collections } = (await (await gateway.send(own, "GET", "/v1/collections")).json()) as any;
    expect(collections.map(({ id, document_count }: any) => [id, document_count])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(collections[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await gateway.platform.background.idle();
  });
});

describe("a query", () => {
  test("checks its body", async () => {
    for (const [body, param] of [
      [{}, "query"],
      [{ query: "" }, "query"],
      [{ query: "  " }, "query"],
      [{ query: "x", top_k: 0 }, "top_k"],
      [{ query: "x", top_k: 1.5 }, "top_k"],
      [{ query: "x", threshold: 1.1 }, "threshold"],
    ] as const) {
      expect(await refusal(await gateway.send(key, "POST", "/v1/documents/query", body))).toEqual({
        status: 400,
        type: "invalid_request",
        param,
      });
    }
  });

  test("echoes itself, says what it took and what it cost", async () => {
    const response = await gateway.send(key, "POST", "/v1/documents/query", { query: "zebra crossing" });
    expect(await response.json()).toMatchObject({
      query: "zebra crossing",
      results: [],
      metadata: { cost_usd: 0, latency_ms: expect.any(Number) },
    });
  });

  test("honours top_k, threshold, collection and metadata filter", async () => {
    const own = await gateway.key({ project: "filters" });
    await ingested(gateway, own, "a.txt", "Copper roofs turn green.", { collection_id: "roofs", metadata: '{"year":1900}' });
    await ingested(gateway, own, "b.txt", "Copper wires carry power.", { collection_id: "wires", metadata: '{"year":2000}' });
    const names = async (body: object) =>
      (await query(gateway, own, { query: "copper", threshold: 0, ...body })).map(({ filename }) => filename).sort();
    expect(await names({})).toEqual(["a.txt", "b.txt"]);
    expect(await names({ top_k: 1 })).toHaveLength(1);
    expect(await names({ threshold: 1 })).toEqual([]);
    // Nothing is too far from a question where no nearness is asked for; what fits comes first.
    const all = await query(gateway, own, { query: "wires وراء", threshold: 0 });
    expect(all.map(({ filename }) => filename)).toEqual(["b.txt", "a.txt"]);
    expect(await query(gateway, own, { query: "وراء", threshold: 0, top_k: 1 })).toMatchObject([{ filename: "a.txt", score: 0 }]);
    expect(await query(gateway, own, { query: "وراء", threshold: 0, collection_id: "wires" })).toHaveLength(1);
    expect(await names({ collection_id: "wires" })).toEqual(["b.txt"]);
    expect(await names({ collection_id: "unknown" })).toEqual([]);
    // An empty field names no collection, in a query as in a list.
    expect(await names({ collection_id: "" })).toEqual(["a.txt", "b.txt"]);
    expect(await (await gateway.send(own, "GET", "/v1/documents?collection_id=")).json()).toMatchObject({ total: 2 });
    expect(await names({ metadata: { filter: { year: 1900 } } })).toEqual(["a.txt"]);
    expect(await names({ metadata: { filter: { year: "1900" } } })).toEqual([]);
  });

  test("keeps a result whose score, as the answer tells it, is the threshold", async () => {
    const own = await gateway.key({ project: "thresholds" });
    for (const metal of ["Copper", "Bronze", "Iron", "Lead"])
      await ingested(gateway, own, `${metal}.txt`, `${metal} roofs last long, ${metal} gutters half of that.`);
    for (const words of ["copper roofs", "gutters of bronze", "how long iron lasts", "lead", "roofs and gutters"]) {
      const all = await query(gateway, own, { query: words, threshold: 0 });
      for (const { score, chunk_id } of all.filter(({ score }) => score > 0)) {
        const kept = await query(gateway, own, { query: words, threshold: score });
        expect(kept.map((hit) => hit.chunk_id)).toContain(chunk_id);
      }
    }
  });

  test("in a project of one short document finds what it holds and not what it does not", async () => {
    const own = await gateway.key({ project: "one document" });
    await ingested(
      gateway,
      own,
      "handbook.txt",
      "Employees may take 25 days of paid vacation a year. Requests go to the team lead two weeks ahead.",
    );
    expect(await query(gateway, own, { query: "How many days of vacation do employees get?" })).toHaveLength(1);
    expect(await query(gateway, own, { query: "What is the boiling point of mercury?" })).toEqual([]);
  });
});

describe("deletion", () => {
  test("takes the document out of everything, also one of many chunks", async () => {
    const own = await gateway.key({ project: "deletion" });
    const { id } = await ingested(
      gateway,
      own,
      "long.md",
      `${"# Part\n\nA paragraph on walruses and their habits.\n\n".repeat(400)}`,
      { collection_id: "c" },
    );
    expect((await query(gateway, own, { query: "walruses" })).length).toBeGreaterThan(0);
    const response = await gateway.send(own, "DELETE", `/v1/documents/${id}`);
    expect([response.status, await response.json()]).toEqual([200, { id, deleted: true }]);
    expect(await query(gateway, own, { query: "walruses", threshold: 0 })).toEqual([]);
    expect(await refusal(await gateway.send(own, "GET", `/v1/documents/${id}`))).toMatchObject({
      status: 404,
      type: "not_found",
    });
    expect(await refusal(await gateway.send(own, "DELETE", `/v1/documents/${id}`))).toMatchObject({
      status: 404,
      type: "not_found",
    });
    expect(await (await gateway.send(own, "GET", "/v1/collections")).json()).toEqual({ collections: [] });
    await gateway.platform.background.idle();
    expect(gateway.platform.db.get("SELECT 1 FROM chunks WHERE project_id = ?", own.project.id)).toBeUndefined();
    expect(gateway.platform.db.get("SELECT 1 FROM chunk_batches WHERE project_id = ?", own.project.id)).toBeUndefined();
  });

  test("while the document is processed ends the job and leaves nothing", async () => {
    const own = await gateway.key({ project: "early deletion" });
    for (let round = 0; round < 5; round++) {
      const { id } = (await (
        await uploadFile(gateway, own, "long.txt", "Otters sleep holding hands. ".repeat(30_000))
      ).json()) as WireDocument;
      const deletion = gateway.send(own, "DELETE", `/v1/documents/${id}`);
      expect((await deletion).status).toBe(200);
    }
    await gateway.platform.background.idle();
    for (const table of ["chunks", "chunk_batches"]) {
      expect(gateway.platform.db.get(`SELECT 1 FROM ${table} WHERE project_id = ?`, own.project.id)).toBeUndefined();
    }
    const orphans = "SELECT count(*) AS n FROM document_pages WHERE document_number NOT IN (SELECT number FROM documents)";
    expect(gateway.platform.db.get<{ n: number }>(orphans)!.n).toBe(0);
    expect(await query(gateway, own, { query: "otters", threshold: 0 })).toEqual([]);
  }, 60_000);
});

describe("projects", () => {
  test("that hold the same file cannot see, count or delete each other's", async () => {
    const [mine, theirs] = [await gateway.key({ project: "mine" }), await gateway.key({ project: "theirs" })];
    const text = "The vault opens with the number 4711.";
    const ours = await ingested(gateway, mine, "secret.txt", text);
    const others = await ingested(gateway, theirs, "secret.txt", text);
    expect((await query(gateway, mine, { query: "vault number" })).map(({ document_id }) => document_id)).toEqual([ours.id]);
    expect((await query(gateway, theirs, { query: "vault number" })).map(({ document_id }) => document_id)).toEqual([others.id]);
    expect(await refusal(await gateway.send(mine, "GET", `/v1/documents/${others.id}`))).toMatchObject({ status: 404 });
    expect(await refusal(await gateway.send(mine, "DELETE", `/v1/documents/${others.id}`))).toMatchObject({ status: 404 });
    await gateway.send(mine, "DELETE", `/v1/documents/${ours.id}`);
    expect(await query(gateway, theirs, { query: "vault number" })).toHaveLength(1);
  });
});

describe("tiers", () => {
  test("below Pro have no documents", async () => {
    const free = await gateway.key({ project: "free", tier: "free" });
    for (const [method, path] of [
      ["POST", "/v1/documents"],
      ["GET", "/v1/documents"],
      ["POST", "/v1/documents/query"],
      ["GET", "/v1/collections"],
    ] as const) {
      const response = await gateway.send(free, method, path, method === "POST" ? {} : undefined);
      const { error } = (await response.json()) as any;
      expect([response.status, error.type, error.required_tier, error.current_tier]).toEqual([
        403,
        "insufficient_tier",
        "pro",
        "free",
      ]);
    }
  });

  test("hold their number of collections exactly, however many uploads come at once", async () => {
    const pro = await gateway.key({ project: "collections", tier: "pro" });
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) => uploadFile(gateway, pro, "a.txt", "x", { collection_id: `c${at}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = (await answers.find(({ status }) => status === 403)!.json()) as any;
    expect(refused.error).toMatchObject({ type: "limit_exceeded", limit: 10, current: 10 });
    expect((await uploadFile(gateway, pro, "b.txt", "x", { collection_id: "c-other" })).status).toBe(403);
    expect((await uploadFile(gateway, pro, "b.txt", "x")).status).toBe(201);
  });

  test("hold their number of documents and bytes exactly", async () => {
    const pro = await gateway.key({ project: "stock", tier: "pro" });
    const { count, bytes } = TIER_LIMITS.pro.documents!;
    await ingested(gateway, pro, "first.txt", "x");
    const hold = (documents: number, size: number) =>
      gateway.platform.db.write((sql) =>
        sql.run(
          "UPDATE document_projects SET document_count = ?, size_bytes = ? WHERE project_id = ?",
          documents,
          size,
          pro.project.id,
        ),
      );
    await hold(count - 3, 0);
    const answers = await Promise.all(Array.from({ length: 12 }, () => uploadFile(gateway, pro, "a.txt", "x")));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(9).fill(403)]);
    await hold(1, bytes - 10);
    expect((await uploadFile(gateway, pro, "a.txt", "eleven byte")).status).toBe(403);
    expect((await uploadFile(gateway, pro, "a.txt", "ten bytes!")).status).toBe(201);
    expect(
      gateway.platform.db.get("SELECT 1 FROM document_files WHERE document_id NOT IN (SELECT id FROM documents)"),
    ).toBeUndefined();
  });

  test("a key without the scope is refused", async () => {
    const narrow = await gateway.key({ scopes: ["chat"] });
    expect(await refusal(await gateway.send(narrow, "GET", "/v1/documents"))).toMatchObject({
      status: 403,
      type: "permission_denied",
    });
  });
});
