import { describe, expect, test } from "bun:test";
import { scanTerms } from "../../../src/policies/content/find-terms.ts";
import { compileTerms } from "../../../src/policies/content/term-automaton.ts";
import { randomFrom } from "../../support/random.ts";

const found = (terms: string[], text: string): string[] =>
  scanTerms(text, 0, compileTerms(terms)).found.map(({ start, end }) => text.slice(start, end));

describe("blocked terms", () => {
  test.each([
    ["straße", "STRASSE Strasse straße straßen", ["STRASSE", "Strasse", "straße"]],
    ["STRASSE", "die Straße, die STRAẞE", ["Straße", "STRAẞE"]],
    ["ﬁre", "FIRE fire", ["FIRE", "fire"]],
    ["i", "ﬁ", []],
    ["σας", "ΣΑΣ σασ", ["ΣΑΣ", "σασ"]],
    ["Äpfel", "a\u0308pfel ÄPFEL Apfel", ["a\u0308pfel", "ÄPFEL"]],
    ["cafe", "café cafe\u0301 cafe CAFÉ", ["cafe"]],
    ["café", "cafe\u0301 CAFÉ cafe", ["cafe\u0301", "CAFÉ"]],
    ["ırk", "ırk irk", ["ırk"]],
    ["damn", "Damn! goddamn damned _damn_ *DAMN* damn.", ["Damn", "damn", "DAMN", "damn"]],
    ["damn", "ｄａｍｎ d\u200bam\u00adn", ["ｄａｍｎ", "d\u200bam\u00adn"]],
    ["foo bar", "foo  bar foo\n\tbar foobar foo\u00a0bar foo-bar", ["foo  bar", "foo\n\tbar", "foo\u00a0bar"]],
    ["C++", "C++ and C++, not xC++", ["C++", "C++"]],
    ["$$$", "pay $$$ now", ["$$$"]],
    ["禁止", "这是禁止的", ["禁止"]],
    ["เหล้า", "ซื้อเหล้าที่ร้าน", ["เหล้า"]],
    ["ばか", "おばかさん", ["ばか"]],
    ["금지", "금지 단어, 금지어", ["금지"]],
    ["한국", "한국은 한국에서도, 한국들의 한국은행 한국어가 남한국은 (한국)", ["한국", "한국", "한국", "한국"]],
    ["한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1173\u11ab 한국은1 한국a", ["\u1112\u1161\u11ab\u1100\u116e\u11a8"]],
    ["كتاب", "الكتاب والكتاب للكتاب، كتاب مكتاب كتابي ال كتاب وكتاب", ["كتاب", "كتاب", "كتاب", "كتاب", "كتاب"]],
    ["كتاب", "اَلْكتاب ال\u200bكتاب xالكتاب", ["كتاب", "كتاب"]],
    ["ספר", "הספר והספר ספר, מספר ספרים", ["ספר", "ספר", "ספר"]],
    ["гад", "Гад! гадкий", ["Гад"]],
    ["kelvin", "\u212aelvin", ["\u212aelvin"]],
    ["x86", "x86 x8 x861", ["x86"]],
    ["a.b", "a.b axb", ["a.b"]],
    ["😀", "hi 😀😀", ["😀", "😀"]],
    ["co-op", "co\u2011op co\u2010op CO\u2013OP coop co\u2014op", ["co\u2011op", "co\u2010op", "CO\u2013OP"]],
    ["co\u2011op", "co-op", ["co-op"]],
    ["don't ask", "Don\u2019t ask, don\u2018t ask", ["Don\u2019t ask", "don\u2018t ask"]],
    ['a "deal"', "a \u201cdeal\u201d", ["a \u201cdeal\u201d"]],
    ["𐐀", "𐐨", ["𐐨"]],
  ])("%p in %p", (term, text, expected) => {
    expect(found([term], text)).toEqual(expected);
  });

  test("are not hidden by any character that no font shows", () => {
    const invisible = Array.from({ length: 0x110000 }, (_, point) => point)
      .filter((point) => /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(point)))
      .map((point) => String.fromCodePoint(point));
    expect(invisible.length).toBeGreaterThan(4_000);
    expect(invisible.filter((character) => found(["damn"], `so da${character}mn.`).length === 0)).toEqual([]);
  });

  test("are taken leftmost and longest; one that begins within another counts if it is longer", () => {
    expect(found(["new york", "york", "new york times", "times square"], "the New York Times square in York")).toEqual([
      "New York Times",
      "York",
    ]);
    expect(found(["new york", "york city", "city"], "in New York City")).toEqual(["New York", "York City"]);
    expect(found(["ha ha"], "ha ha ha ha ha")).toEqual(["ha ha", "ha ha"]);
  });

  test("that are blank match nothing", () => {
    expect(found(["", "  ", "\u200b"], "a b \u200b c")).toEqual([]);
  });

  test("are found as a plain search over words finds them", () => {
    const next = randomFrom(11).next;
    const words = ["ab", "abc", "b", "bab", "a", "cab", "ba"];
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: 30 }, () => words[Math.floor(next() * words.length)]! + (next() < 0.5 ? " " : "-")).join(
        "",
      );
      const terms = words.filter(() => next() < 0.4);
      const expected = text.split(/[ -]/).filter((word) => terms.includes(word));
      expect(found(terms, text)).toEqual(expected);
    }
  });

  test("say from where on a text is still undecided", () => {
    const terms = compileTerms(["top secret", "gold"]);
    const openFrom = (text: string) => scanTerms(text, 0, terms).openFrom;
    expect(openFrom("a top")).toBe(2);
    expect(openFrom("a top ")).toBe(2);
    expect(openFrom("a top hat")).toBe(9);
    expect(openFrom("marigol")).toBe(7);
    expect(openFrom("gold")).toBe(0);
    expect(openFrom("gold ")).toBe(5);
  });
});
