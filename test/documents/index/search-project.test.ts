/** What a search finds, in which order, and what it leaves out. */

import { describe, expect, test } from "bun:test";
import { matchingDocuments } from "../../../src/documents/index/matching-documents.ts";
import { unitVector } from "../../../src/documents/index/pack-vectors.ts";

import { openIndex } from "./open-index.ts";

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

describe("filters", () => {
  test("hold inside the index: what they leave out pushes nothing from the top", () => {
    const index = openIndex();
    for (let loud = 0; loud < 30; loud++) index.add("p", ["harbour harbour harbour"], { collection: "loud" });
    const quiet = index.add("p", ["a long remark in which the harbour is named once"], {
      collection: "quiet",
      metadata: { year: 1999, kind: "note", tags: ["sea", "port"], place: { town: "Hull", pier: 2 } },
    });
    const filtered = (filter: Parameters<typeof matchingDocuments>[2]) =>
      index
        .search("p", "harbour", { topK: 3, documents: matchingDocuments(index.read, "p", filter) })
        .map(({ documentNumber }) => documentNumber);
    expect(filtered({ collectionId: "quiet" })).toEqual([quiet]);
    expect(filtered({ metadata: { year: 1999 } })).toEqual([quiet]);
    expect(filtered({ metadata: { year: "1999" } })).toEqual([]);
    expect(filtered({ metadata: { year: 1999, kind: "letter" } })).toEqual([]);
    expect(filtered({ metadata: { tags: ["sea", "port"], place: { pier: 2, town: "Hull" } } })).toEqual([quiet]);
    expect(filtered({ metadata: { tags: ["port", "sea"] } })).toEqual([]);
    expect(filtered({ metadata: { place: { town: "Hull" } } })).toEqual([]);
    expect(filtered({ documentNumbers: [quiet, 4_711] })).toEqual([quiet]);
    expect(filtered({ metadata: { constructor: null } })).toEqual([]);
    const foreign = index.add("q", ["harbour"]);
    expect(filtered({ documentNumbers: [foreign] })).toEqual([]);
  });
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
