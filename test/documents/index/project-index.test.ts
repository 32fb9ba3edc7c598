/** An index in memory takes up what changes, and keeps what it has read until then. */

import { describe, expect, test } from "bun:test";
import { loadProjectIndex, type ProjectIndex } from "../../../src/documents/index/project-index.ts";
import type { IndexReader } from "../../../src/documents/index/read-store.ts";
import { ANY_RELATION } from "../../../src/documents/index/search-project.ts";
import { mergeTerms } from "../../../src/documents/index/store.ts";

import { openIndex, SPACE, searchProject } from "./open-index.ts";

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
