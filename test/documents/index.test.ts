import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { sqlOf } from "../../src/database/database.ts";
import schema from "../../src/database/migrations/0003-documents.sql" with { type: "text" };
import { calibrationFor, type Evidence } from "../../src/documents/index/calibrate-scores.ts";
import { dotProduct, dotProducts } from "../../src/documents/index/dot-products.ts";
import { fusionFor } from "../../src/documents/index/fuse-scores.ts";
import { matchingDocuments } from "../../src/documents/index/matching-documents.ts";
import { isUsableVector, packVectors, unitVector, unpackVectors } from "../../src/documents/index/pack-vectors.ts";
import { loadProjectIndex, type ProjectIndex } from "../../src/documents/index/project-index.ts";
import type { IndexReader } from "../../src/documents/index/read-store.ts";
import { ANY_RELATION, createProjectSearch, type SearchQuery } from "../../src/documents/index/search-project.ts";
import { spreadOf } from "../../src/documents/index/spread-of-pairs.ts";
import { deleteSomeChunks, insertBatch, insertVectors, mergeTerms } from "../../src/documents/index/store.ts";
import { createTokenizer } from "../../src/documents/index/tokenize.ts";
import { toChunkRow } from "../../src/documents/prepare-chunks.ts";

const tokenize = createTokenizer();
const searchProject = createProjectSearch(tokenize);
const SPACE = { id: 1, dimensions: 4 };

/** An index in memory: `add` writes a document whose every text is one chunk. */
const openIndex = () => {
  const connection = new Connection(":memory:");
  connection.run(schema);
  const sql = sqlOf(connection);
  const read: IndexReader = (text, ...params) => connection.query(text).values(...params) as any[][];
  const projectNumber = (projectId: string): number => {
    sql.run("INSERT INTO document_projects (project_id) VALUES (?) ON CONFLICT DO UPDATE SET version = version + 1", projectId);
    return sql.get<{ number: number }>("SELECT number FROM document_projects WHERE project_id = ?", projectId)!.number;
  };
  const add = (
    projectId: string,
    texts: string[],
    options: { collection?: string; metadata?: object; vectors?: number[][] } = {},
  ): number => {
    const project = projectNumber(projectId);
    const { lastInsertRowid: number } = sql.run(
      `INSERT INTO documents (id, project_id, collection_id, filename, content_type, size_bytes, metadata, mode, status, created_at)
       VALUES (?, ?, ?, 'f.txt', 'text/plain', 0, ?, 'live', 'ready', 0)`,
      crypto.randomUUID(),
      projectId,
      options.collection ?? null,
      JSON.stringify(options.metadata ?? {}),
    );
    const chunks = texts.map((content) =>
      toChunkRow(tokenize, project, "", { content, start: 0, end: content.length, headings: [] }, []),
    );
    insertBatch(sql, { projectId, documentNumber: number, firstIndex: 0, chunks });
    if (options.vectors) insertVectors(sql, SPACE.id, number, 0, packVectors(options.vectors.map(unitVector), SPACE.dimensions));
    return number;
  };
  const remove = (projectId: string, number: number) => {
    sql.run("DELETE FROM documents WHERE number = ?", number);
    projectNumber(projectId);
    return deleteSomeChunks(sql, number, 1_000);
  };
  const load = (projectId: string, before?: ProjectIndex) => loadProjectIndex(read, projectId, SPACE, before)!;
  const search = (projectId: string, text: string, more: Partial<SearchQuery> = {}, before?: ProjectIndex) =>
    searchProject(read, load(projectId, before), { text, topK: 10, threshold: ANY_RELATION, ...more });
  return { sql, read, add, remove, load, search };
};

describe("a search", () => {
  test("finds what holds the words, best first, and nothing else", () => {
    const index = openIndex();
    const both = index.add("p", ["the signal box sets the route"]);
    const one = index.add("p", ["a route through the hills"]);
    index.add("p", ["an unrelated remark about soup"]);
    expect(index.search("p", "signal route").map(({ documentNumber }) => documentNumber)).toEqual([both, one]);
    expect(index.search("p", "zeppelin")).toEqual([]);
    expect(index.search("p", `"' OR (( * NEAR -`)).toEqual([]);
  });

  test("gives the whole query at its densest nearly 1 and chance likeness little", () => {
    const index = openIndex();
    index.add("p", [
      "quantum chromodynamics",
      ...Array.from({ length: 40 }, (_, at) => `filler text number ${at} about the weather and the quantum`),
    ]);
    const [best, second] = index.search("p", "quantum chromodynamics");
    expect(best!.score).toBeGreaterThan(0.6);
    expect(second!.score).toBeLessThan(0.3);
  });

  test("breaks ties by age and place, the same each time", () => {
    const index = openIndex();
    const first = index.add("p", ["same words", "same words"]);
    const second = index.add("p", ["same words"]);
    const hits = index.search("p", "same words");
    expect(hits.map(({ documentNumber }) => documentNumber)).toEqual([first, first, second]);
    expect(hits[0]!.chunkId).toBeLessThan(hits[1]!.chunkId);
    expect(index.search("p", "same words", { topK: 2 })).toEqual(hits.slice(0, 2));
  });

  test("cuts at the threshold before it cuts at top k", () => {
    const index = openIndex();
    index.add("p", ["red green blue", "red", "grey"]);
    const all = index.search("p", "red green blue");
    expect(all).toHaveLength(2);
    expect(index.search("p", "red green blue", { threshold: all[0]!.score })).toEqual([all[0]!]);
  });
});

describe("words that begin alike", () => {
  test("are found for less than the word itself, numbers and short words only as they are", () => {
    const index = openIndex();
    index.add("p", [
      "Der Bahnhofsvorsteher kam",
      "Die Bahnhöfe liegen fern",
      "Der Bahnhof brennt",
      "Eine Bahn fuhr",
      "Nummer 123456",
    ]);
    index.add(
      "p",
      Array.from({ length: 30 }, (_, at) => `Füllung ${at}`),
    );
    const found = (text: string) => index.search("p", text).map(({ chunkId }) => chunkId);
    expect(found("Bahnhof")[0]).toBe(3);
    expect(found("Bahnhof").toSorted()).toEqual([1, 2, 3]);
    expect(found("Bahn")).toEqual([4]);
    expect(found("12345")).toEqual([]);
    expect(found("123456")).toEqual([5]);
  });

  test("take no place of their own in the index, and of another project's nothing is seen", () => {
    const index = openIndex();
    index.add("p", ["retrieval retrieves retriever"]);
    index.add("q", ["retrieval"]);
    expect(index.read("SELECT term FROM chunk_frequencies").flat()).toEqual(["1xretriev", "2xretriev"]);
    expect(index.search("p", "retrieved").map(({ chunkId }) => chunkId)).toEqual([1]);
  });
});

describe("projects", () => {
  test("with the same file see their own copy, with the same score", () => {
    const index = openIndex();
    const texts = ["the lighthouse keeper counts ships", "and writes them down"];
    const mine = index.add("mine", texts);
    const before = index.search("mine", "lighthouse ships");
    for (let copy = 0; copy < 50; copy++) index.add("theirs", texts);
    expect(index.search("mine", "lighthouse ships")).toEqual(before);
    expect(before.map(({ documentNumber }) => documentNumber)).toEqual([mine]);
    expect(index.search("theirs", "lighthouse ships", { topK: 100 }).some(({ documentNumber }) => documentNumber === mine)).toBe(
      false,
    );
  });

  test("whose numbers begin alike stay apart", () => {
    const index = openIndex();
    const words = ["ash", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "ivy", "juniper", "kauri", "larch"];
    for (const [at, word] of words.entries()) index.add(`p${at + 1}`, [`${word} common`]);
    words.forEach((word, at) => {
      const project = `p${at + 1}`;
      expect(index.search(project, "common")).toHaveLength(1);
      expect(index.search(project, words.filter((other) => other !== word).join(" "))).toEqual([]);
    });
  });
});

describe("an index in memory", () => {
  test("takes up new documents and drops deleted ones without being loaded anew", () => {
    const index = openIndex();
    const stays = index.add(
      "p",
      Array.from({ length: 30 }, (_, at) => `alpha ${at}`),
    );
    const goes = index.add("p", ["alpha beta", "beta"]);
    const loaded = index.load("p");
    expect(loaded.liveChunks).toBe(32);
    expect(index.remove("p", goes)).toBe(true);
    const later = index.add("p", ["alpha beta gamma"]);
    const hits = index.search("p", "beta", {}, loaded);
    expect(index.load("p", loaded)).toBe(loaded);
    expect(hits.map(({ documentNumber }) => documentNumber)).toEqual([later]);
    expect(loaded.liveChunks).toBe(31);
    expect(
      index.search("p", "alpha", { topK: 100 }, loaded).filter(({ documentNumber }) => documentNumber === stays),
    ).toHaveLength(30);
  });

  test("answers as a fresh one after any order of additions, deletions and merges", () => {
    const index = openIndex();
    const words = ["ash", "birch", "cedar", "elm", "fir", "oak", "pine", "yew"];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const documents: number[] = [];
    let kept: ProjectIndex | undefined;
    for (let step = 0; step < 200; step++) {
      if (documents.length > 3 && random(3) === 0) index.remove("p", documents.splice(random(documents.length), 1)[0]!);
      else
        documents.push(
          index.add(
            "p",
            Array.from({ length: 1 + random(6) }, () => Array.from({ length: 1 + random(5) }, () => words[random(8)]).join(" ")),
          ),
        );
      if (random(4) === 0) mergeTerms(index.sql);
      if (random(3) === 0) index.add("other", [words.join(" ")]);
      const query = `${words[random(8)]} ${words[random(8)]}`;
      kept = index.load("p", kept);
      expect(index.search("p", query, { topK: 1_000 }, kept)).toEqual(index.search("p", query, { topK: 1_000 }));
    }
  });
});

describe("a term once read", () => {
  test("is not read again until the project changes", () => {
    const index = openIndex();
    index.add("p", ["signal box", "signal man"]);
    const terms: unknown[] = [];
    const read: IndexReader = (text, ...params) => {
      if (text.includes("chunk_postings")) terms.push(params[0]);
      return index.read(text, ...params);
    };
    let loaded: ProjectIndex | undefined;
    const ask = (text: string) => {
      loaded = loadProjectIndex(read, "p", SPACE, loaded)!;
      return searchProject(read, loaded, { text, topK: 10, threshold: ANY_RELATION });
    };
    const first = ask("signal box");
    expect(terms.length).toBeGreaterThan(0);
    terms.length = 0;
    expect(ask("signal box")).toEqual(first);
    expect(terms).toEqual([]);
    index.add("p", ["signal box"]);
    expect(ask("signal box")).toHaveLength(3);
    expect(terms.length).toBeGreaterThan(0);
  });
});

describe("filters", () => {
  test("hold inside the index: what they leave out pushes nothing from the top", () => {
    const index = openIndex();
    for (let loud = 0; loud < 30; loud++) index.add("p", ["harbour harbour harbour"], { collection: "loud" });
    const quiet = index.add("p", ["a long remark in which the harbour is named once"], {
      collection: "quiet",
      metadata: { year: 1999, kind: "note" },
    });
    const filtered = (filter: Parameters<typeof matchingDocuments>[2]) =>
      index
        .search("p", "harbour", { topK: 3, documents: matchingDocuments(index.read, "p", filter) })
        .map(({ documentNumber }) => documentNumber);
    expect(filtered({ collectionId: "quiet" })).toEqual([quiet]);
    expect(filtered({ metadata: { year: 1999 } })).toEqual([quiet]);
    expect(filtered({ metadata: { year: "1999" } })).toEqual([]);
    expect(filtered({ metadata: { year: 1999, kind: "letter" } })).toEqual([]);
    expect(filtered({ documentNumbers: [quiet, 4_711] })).toEqual([quiet]);
    expect(filtered({ metadata: { constructor: null } })).toEqual([]);
    const foreign = index.add("q", ["harbour"]);
    expect(filtered({ documentNumbers: [foreign] })).toEqual([]);
  });
});

describe("vectors", () => {
  test("that are NaN, infinite or zero are near to nothing", () => {
    for (const bad of [
      [Number.NaN, 1, 0, 0],
      [Number.POSITIVE_INFINITY, 0, 0, 0],
      [0, 0, 0, 0],
    ]) {
      expect(isUsableVector(Float32Array.from(bad))).toBe(false);
      expect([...unitVector(bad)]).toEqual([0, 0, 0, 0]);
    }
  });

  test("come back from their packing within a hundredth", () => {
    const vectors = [unitVector([0.2, -0.9, 0.1, 0.4]), new Float32Array(4), unitVector([5, 5, 5, 5])];
    const [values, scales] = [new Int8Array(16), new Float32Array(4)];
    unpackVectors(packVectors(vectors, 4), 4, values, scales, 1);
    const back = [...values].map((value, at) => value * scales[at >> 2]!);
    for (const [at, value] of vectors.flatMap((vector) => [...vector]).entries()) expect(back[4 + at]).toBeCloseTo(value, 2);
  });

  test("find what shares no word with the query", () => {
    const index = openIndex();
    const near = index.add("p", ["automobile"], { vectors: [[1, 0.1, 0, 0]] });
    index.add("p", ["spoon"], { vectors: [[0, 0, 1, 0]] });
    const dense = { kind: "remote", mean: 0.1, spread: 0.1 } as const;
    const hits = index.search("p", "car", { vector: unitVector([1, 0, 0, 0]), dense, threshold: 0.3 });
    expect(hits.map(({ documentNumber }) => documentNumber)).toEqual([near]);
  });
});

describe("the score", () => {
  test("grows with each part and stays within 0 and 1", () => {
    for (const dense of [
      undefined,
      { kind: "local", mean: 0.9, spread: 0.1 },
      { kind: "remote", mean: 0.3, spread: 0.1 },
    ] as const) {
      const fuse = fusionFor("a plain question", dense);
      for (let lexical = 0; lexical <= 1; lexical += 0.1) {
        for (let cosine = 0; cosine <= 1; cosine += 0.1) {
          const score = fuse(lexical, cosine);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(fuse(lexical + 0.05, cosine)).toBeGreaterThanOrEqual(score);
          expect(fuse(lexical, cosine + 0.05)).toBeGreaterThanOrEqual(score);
        }
      }
    }
  });

  test("of an exact name is not drowned by an embedder that sees no likeness", () => {
    expect(fusionFor("ERR-4711", { kind: "remote", mean: 0.3, spread: 0.1 })(0.9, 0.2)).toBeGreaterThan(0.7);
  });
});

describe("the calibration", () => {
  const evidence: Evidence = { best: 0.6, sharedIdf: 30, nearest: 0.6, chunkCount: 1_000, rankedBy: "hybrid", telling: 1 };

  test("keeps the order of hits and stays within 0 and 1", () => {
    for (const best of [0.01, 0.3, 1]) {
      const calibrate = calibrationFor({ ...evidence, best });
      let last = -1;
      for (let fused = 0; fused <= 1; fused += 0.01) {
        const score = calibrate(fused);
        expect(score).toBeGreaterThan(last);
        expect(score).toBeLessThanOrEqual(1);
        last = score;
      }
    }
  });

  test("trusts a hit less the less the best hits show that the project knows what is asked", () => {
    const trust = (change: Partial<Evidence>) => calibrationFor({ ...evidence, ...change })(0.4);
    expect(trust({})).toBeGreaterThan(0.3);
    expect(trust({ best: 0.4 })).toBeLessThan(trust({}));
    expect(trust({ sharedIdf: 5 })).toBeLessThan(trust({}));
    expect(trust({ nearest: 0.1 })).toBeLessThan(trust({}));
    expect(trust({ best: 0.4, sharedIdf: 5, nearest: 0.2 })).toBeLessThan(0.3);
  });

  test("trusts a best hit that stands out from the others more than one among its like", () => {
    const trust = (last?: number) => calibrationFor({ ...evidence, best: 0.35, ...(last !== undefined && { last }) })(0.35);
    expect(trust(0.1)).toBeGreaterThan(trust(0.3));
    expect(trust(0.34)).toBeLessThan(trust());
    expect(trust(0)).toBe(trust(0.01));
  });

  test("asks for more where more chunks give chance more to find", () => {
    const alone = (chunkCount: number) => calibrationFor({ ...evidence, best: 0.35, chunkCount })(0.35);
    expect(alone(100_000)).toBeLessThan(alone(1_000));
    expect(alone(1_000)).toBeLessThan(alone(10));
  });
});

test("how near unrelated texts lie is taken from few chunks too; around what, only from many", () => {
  const spread = (size: number) =>
    spreadOf({
      size,
      dimensions: 2,
      vectors: Int8Array.from({ length: 2 * size }, () => 100),
      scales: Float32Array.from({ length: size }, () => Math.SQRT1_2 / 100),
      documentOf: Int32Array.from({ length: size }, (_, at) => at),
      documents: Array.from({ length: size }, (_, at) => at),
      spread: undefined,
    } as unknown as ProjectIndex);
  expect(spread(4)).toEqual({ mean: 0.35, spread: 0.1 });
  expect(spread(6).mean).toBeCloseTo(1);
  expect(spread(6).spread).toBe(0.1);
  expect(spread(60).spread).toBeCloseTo(0.01);
});

describe("the score of a hit", () => {
  test("depends neither on how many are asked for nor on the threshold", () => {
    const index = openIndex();
    index.add(
      "p",
      Array.from({ length: 60 }, (_, at) => `signal ${at % 2 ? "box" : "lamp"} ${at % 3 ? "keeper" : ""} number ${at}`),
      { vectors: Array.from({ length: 60 }, (_, at) => [1, at % 7, at % 5, at % 3]) },
    );
    const more = { vector: unitVector([1, 3, 2, 1]), dense: { kind: "local", mean: 0.4, spread: 0.1 } } as const;
    const all = index.search("p", "signal box keeper", { ...more, topK: 60 });
    for (const topK of [1, 3, 10]) {
      for (const threshold of [0, all[4]!.score])
        expect(index.search("p", "signal box keeper", { ...more, topK, threshold })).toEqual(
          all.slice(0, topK).filter(({ score }) => score >= threshold),
        );
    }
  });
});

describe("dot products", () => {
  test("of many vectors at once are those of one after the other, whatever the dimensions", () => {
    for (const [count, dimensions] of [
      [1, 1],
      [3, 15],
      [5_000, 256],
      [700, 1_537],
      [2, 20_000],
    ] as const) {
      const vectors = Int8Array.from({ length: count * dimensions }, (_, at) => ((at * 7_919) % 255) - 127);
      const query = Int16Array.from({ length: dimensions }, (_, at) => ((at * 977) % 401) - 200);
      const sums = dotProducts(vectors, count, query);
      expect(sums).toHaveLength(count);
      for (let at = 0; at < count; at++) expect(sums[at]).toBe(dotProduct(vectors, at * dimensions, query));
    }
  });
});
