import { describe, expect, test } from "bun:test";
import { compileContentPolicies } from "../../../src/policies/content/content-rules.ts";
import { type Review, reviewText } from "../../../src/policies/content/review-content.ts";
import { reviewInSteps } from "../../../src/policies/content/review-json.ts";
import { createStreamReview, STEP_CHARACTERS } from "../../../src/policies/content/review-stream.ts";
import { randomFrom } from "../../support/random.ts";
import { contentPolicy } from "../policy-of.ts";
import { hostilePieces, withEscapes, withInvisible } from "./random-text.ts";

const rules = compileContentPolicies([
  contentPolicy({
    pii_detection: { enabled: true, action: "redact" },
    blocked_terms: {
      enabled: true,
      action: "redact",
      terms: [
        "secret",
        "top secret plan",
        "straße",
        "禁止",
        "C++",
        "café",
        "is my",
        "at 10",
        "my card",
        "secret secret",
        "한국",
        "كتاب",
      ],
    },
  }),
]);

const streamed = (pieces: string[], set = rules): string => {
  const review = createStreamReview(set);
  return pieces.map((piece) => review.push(piece)).join("") + review.end();
};

describe("a stream's review", () => {
  test("gives what the review of the whole text gives, wherever the text is cut in two or three", () => {
    const texts = [
      "Mail john.doe+x@mail.example.co.uk. Call +1 (415) 438-9386 or 415-438-9386, SSN 123-45-6789; card 4532 0151 1283 0366 exp 12/25.",
      "123456789 is my order number, 223456789 is my SSN. Born 04/08/1947, paid 05/05/2022 14:33. Host 10.0.0.1, version 1.2.3.4-beta",
      "A Top\n Secret  plan; STRASSE, cafe\u0301 and café: 这是禁止的词 C++ 😀 sec\u200bret",
      "한국은행과 한국은, 한국에서도 한\u200b국으\u00ad로 한국어와 한국들의 한국에게서만 한국",
      "الكتاب والكتاب مكتاب ال\u200bكتاب كتابي كتاب",
      "9478953520 is my cell, 4155482671 is my member id. git@github.com:a/b pkg@1.2.3 https://u:p@host.com/x me@a.b.c.d.example.com.Next",
    ];
    for (const text of texts) {
      const whole = reviewText(rules, text).text;
      for (let a = 0; a <= text.length; a++) {
        expect(streamed([text.slice(0, a), text.slice(a)])).toBe(whole);
        const b = Math.min(text.length, a + 3);
        expect(streamed([text.slice(0, a), text.slice(a, b), text.slice(b)])).toBe(whole);
      }
      expect(streamed([...text].flatMap((character) => character.split("")))).toBe(whole);
    }
  });

  test("is that of the whole text where terms overlap that are treated differently", () => {
    const set = compileContentPolicies([
      contentPolicy({ blocked_terms: { terms: ["top secret plan", "is my plan"], action: "warn" } }),
      contentPolicy({ blocked_terms: { terms: ["secret", "plan is my"], action: "redact" } }),
    ]);
    const text = "The top secret plan is my plan, a plan is mine.";
    expect(reviewText(set, text).text).toBe("The [REDACTED] plan, a plan is mine.");
    for (let a = 0; a <= text.length; a++)
      for (let b = a; b <= text.length; b++)
        expect(streamed([text.slice(0, a), text.slice(a, b), text.slice(b)], set)).toBe("The [REDACTED] plan, a plan is mine.");
  });

  test("sends no half of a character, also where nothing but a judge reviews", () => {
    const judged = compileContentPolicies([contentPolicy({ criteria: ["It is polite."] })]);
    const [high, low] = "\u{1f600}".split("");
    for (const set of [rules, judged]) {
      const review = createStreamReview(set);
      const sent = [review.push(`All is well ${high}`), review.push(`${low} here`), review.end()];
      expect(sent.join("")).toBe("All is well \u{1f600} here");
      for (const piece of sent) expect(piece.isWellFormed()).toBe(true);
    }
  });

  test("knows the head of a column and the announcement of a list, however long ago they were sent", () => {
    const row = (n: number) => `| Ann${n} Lee | 10/1${n % 10}/1961 | 0${1 + (n % 9)}/05/2014 | 2194511${10 + n} |\n`;
    const table = `| Name | Born | Hired | Badge |\n|---|---|---|---|\n${Array.from({ length: 12 }, (_, n) => row(n)).join("")}`;
    const list = `The order numbers:\n\n${Array.from({ length: 12 }, (_, n) => `- 2194511${10 + n}\n`).join("")}\nHer number is 219451180.`;
    for (const text of [table, list, table + list, list + table]) {
      const whole = reviewText(rules, text).text;
      for (let a = 0; a <= text.length; a += 23) expect(streamed([text.slice(0, a), text.slice(a)])).toBe(whole);
      expect(streamed([...text])).toBe(whole);
    }
    expect(reviewText(rules, table).text).toBe(table.replace(/10\/1\d\/1961/g, "[REDACTED]"));
    expect(reviewText(rules, list).text).toBe(list.replace("219451180", "[REDACTED]"));
  });

  /** Cuts each text at random and compares with the review of the whole. */
  const compare = (rounds: number, seed: number, textOf: (next: () => number) => string) => {
    const next = randomFrom(seed).next;
    for (let round = 0; round < rounds; round++) {
      const text = textOf(next);
      const whole = reviewText(rules, text);
      const review = createStreamReview(rules);
      let out = "";
      for (let at = 0; at < text.length; ) {
        const size = 1 + Math.floor(next() * (round % 3 === 0 ? 2 : 12));
        out += review.push(text.slice(at, at + size));
        at += size;
      }
      out += review.end();
      if (out !== whole.text)
        throw new Error(`${JSON.stringify(text)}\nwhole  ${JSON.stringify(whole.text)}\nstream ${JSON.stringify(out)}`);
      expect({ ...review.evaluation(), latency_ms: 0 }).toEqual({ ...whole.evaluation, latency_ms: 0 });
    }
  };

  test("equals the whole-text review for random texts cut at random, with the same findings and counts", () => {
    compare(1_200, 7, (next) => hostilePieces(next, 1 + Math.floor(next() * 24)));
  });

  test("equals it also where characters that no font shows stand between the others", () => {
    compare(120, 11, (next) => withInvisible(next, hostilePieces(next, 1 + Math.floor(next() * 16))));
  });

  test("equals it also where characters are written as escapes of JSON", () => {
    compare(300, 13, (next) => withEscapes(next, hostilePieces(next, 1 + Math.floor(next() * 16))));
  });

  test("holds back no more of plain prose than the word at its end", () => {
    const review = createStreamReview(rules);
    const prose = "The harbour was quiet, and nobody expected the ships before noon; still, the lamps were lit. ".repeat(4);
    let sent = 0;
    for (let at = 0; at < prose.length; at++) {
      sent += review.push(prose[at]!).length;
      const lastBlank = prose.lastIndexOf(" ", at);
      expect(sent).toBeGreaterThanOrEqual(lastBlank);
    }
  });

  test("lets everything through at once where no rule is set", () => {
    const review = createStreamReview(compileContentPolicies([]));
    expect(review.push("john@exam")).toBe("john@exam");
  });

  test("sends nothing from the piece that completes a blocked finding on", () => {
    const blocking = compileContentPolicies([contentPolicy({ pii_detection: { types: ["email"], action: "block" } })]);
    const review = createStreamReview(blocking);
    expect(review.push("Write to ")).toBe("Write to ");
    expect(review.push("john@example.com, ")).toBe("");
    expect(review.blocked()).toBe(true);
    expect(review.push("please") + review.end()).toBe("");
    expect(review.evaluation()).toMatchObject({ result: "block", pii_count: 1, redacted: false });
  });
});

describe("a review in steps", () => {
  const random = randomFrom(20261121);
  const long = (make: () => string): string => {
    let text = "";
    while (text.length < 4 * STEP_CHARACTERS) text += make();
    return text;
  };
  const pieces = () => hostilePieces(random.next, 200);
  const kinds = ({ findings }: Review) => findings.map(({ type, action }) => [type, action]);

  test("finds what the review of the whole text finds, at the same places", async () => {
    for (const text of [long(pieces), long(() => withEscapes(random.next, pieces()))]) {
      const whole = reviewText(rules, text);
      const stepped = await reviewInSteps(rules, text, false);
      expect(stepped.text).toBe(whole.text);
      expect(kinds(stepped)).toEqual(kinds(whole));
      expect({ ...stepped.evaluation, latency_ms: 0 }).toEqual({ ...whole.evaluation, latency_ms: 0 });
    }
  });

  test("keeps JSON valid, reads long values with their key, and blocks", async () => {
    const filler = "The harbour was quiet. ".repeat(2 * STEP_CHARACTERS);
    const json = JSON.stringify({ order: `123456789 ${filler}`, ssn: `123456789 ${filler}`, mails: ["a@b.co", "c@d.co"] });
    const hidden = "[REDACTED]";
    const expected = JSON.stringify({ order: `123456789 ${filler}`, ssn: `${hidden} ${filler}`, mails: [hidden, hidden] });
    for (const isJsonAsked of [true, false]) {
      const review = await reviewInSteps(rules, json, isJsonAsked);
      expect(review.text).toBe(expected);
      expect(review.evaluation).toMatchObject({ result: "redact", pii_count: 3 });
    }
    const strict = compileContentPolicies([contentPolicy({ pii_detection: { action: "block" } })]);
    for (const text of [json, `${filler} SSN 123-45-6789 ${filler}`])
      expect(await reviewInSteps(strict, text, false)).toMatchObject({ text: "", evaluation: { result: "block" } });
  });

  test("ends when its caller leaves", async () => {
    const text = "The harbour was quiet. ".repeat(STEP_CHARACTERS / 2);
    const caller = new AbortController();
    const review = reviewInSteps(rules, text, false, caller.signal);
    caller.abort(new Error("left"));
    await expect(review).rejects.toThrow("left");
  });

  test("lets others be served while it reads", async () => {
    const text = "The harbour was quiet. ".repeat(STEP_CHARACTERS / 2);
    for (const each of [text, JSON.stringify({ text }), JSON.stringify(text.split(". "))]) {
      let turns = 0;
      const count = () => {
        turns++;
        timer = setImmediate(count);
      };
      let timer = setImmediate(count);
      await reviewInSteps(rules, each, false);
      clearImmediate(timer);
      expect(turns).toBeGreaterThan(8);
    }
  });
});
