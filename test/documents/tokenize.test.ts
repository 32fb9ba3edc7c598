import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { stemEnglish } from "../../src/documents/index/stem-english.ts";
import { createTokenizer } from "../../src/documents/index/tokenize.ts";

const tokens = createTokenizer();
const tokenize = (text: string): string[] => tokens(text).terms;

describe("index terms", () => {
  test("join the forms of an English word", () => {
    // Porter's own examples (1980), and his exceptions of short and double letters.
    const stems = {
      caresses: "caress",
      ponies: "poni",
      agreed: "agre",
      plastered: "plaster",
      motoring: "motor",
      hopping: "hop",
      hoping: "hope",
      filing: "file",
      relational: "relat",
      vietnamization: "vietnam",
      triplicate: "triplic",
      hopefulness: "hope",
      adoption: "adopt",
      probate: "probat",
      controll: "control",
      sky: "sky",
      happy: "happi",
      conflated: "conflat",
    };
    for (const [word, stem] of Object.entries(stems)) expect([word, stemEnglish(word)]).toEqual([word, stem]);
  });

  test("fold case, width and accents", () => {
    expect(tokenize("Ｃａｆé CAFE\u0301 Straße STRASSE")).toEqual(["cafe", "cafe", "strass", "strass"]);
    for (const [written, typed] of [
      ["cœur", "coeur"],
      ["đường", "duong"],
      ["fjærtåke", "fjaertake"],
      ["Þór", "thor"],
    ] as const)
      expect(tokenize(written)).toEqual(tokenize(typed));
  });

  test("where no spaces are written go on where a line ends in the middle of one, and only there", () => {
    expect(tokenize("返回路\n径。\n频道")).toEqual(tokenize("返回路径。频道"));
    expect(tokenize("メモ\nリー")).toEqual(tokenize("メモリー"));
    expect(tokenize("Sky\n频道\n서울\n도")).toEqual(["sky", "频道", "서울", "도"]);
  });

  test("are pairs of characters where no spaces are written, whatever stands beside them", () => {
    expect(tokenize("信号箱SBX9东京")).toEqual(["信号", "号箱", "sbx9", "东京"]);
    expect(tokenize("カタカナ 한국어")).toEqual(["カタ", "タカ", "カナ", "한국", "국어"]);
    expect(tokenize("猫")).toEqual(["猫"]);
  });

  test("are words of a dictionary in Thai", () => {
    const terms = tokenize("ภาษาไทยเป็นภาษา");
    expect(terms.filter((term) => term === "ภาษา")).toHaveLength(2);
  });

  test("keep the vowel signs of Hindi and drop the optional ones of Arabic", () => {
    expect(tokenize("हिन्दी")).toEqual(["हिन्दी"]);
    expect(tokenize("كِتَاب")).toEqual(tokenize("كتاب"));
    expect(tokenize("الكتاب")).toEqual(tokenize("كتاب"));
  });

  test("hold nothing that the full-text index could read as syntax", () => {
    for (const term of tokenize(`"quoted" (a:b) -x * NEAR/2 {c} ^d 'e' OR`)) expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
  });

  test("take time in proportion to the text, also for one endless word", () => {
    expect(tokenize("a".repeat(2_000_000))).toEqual(["a".repeat(40)]);
    expect(tokenize("é".repeat(200_000))).toHaveLength(1);
    expect(tokenize("ก".repeat(20_000)).length).toBeGreaterThan(0);
  });

  test("are remembered without the texts that they come from", () => {
    const heldBytes = (): number => {
      Bun.gc(true);
      return heapStats().extraMemorySize;
    };
    const before = heldBytes();
    const tokenizer = createTokenizer();
    for (let at = 0; at < 100; at++)
      tokenizer(`${"The quick brown fox. ".repeat(5_000)} extraordinary${at}word ${"x".repeat(50_000)}`);
    expect(heldBytes() - before).toBeLessThan(3_000_000);
    expect(tokenizer("extraordinary7word").terms).toHaveLength(1);
  });
});
