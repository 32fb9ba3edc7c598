import { describe, expect, test } from "bun:test";
import { PERSONAL_DATA_TYPES } from "../../../src/policies/content/personal-data-type.ts";
import { findPersonalData } from "../../../src/policies/content/review-content.ts";
import { readLabelledTexts } from "./labelled-texts.ts";

const labelled = await readLabelledTexts();
const found = (text: string) => findPersonalData(text).map(({ type, value }) => `${type}:${value}`);

describe("personal data", () => {
  test.each(labelled.map((each) => [each.tag, each.text, each] as const))("%s: %s", (_tag, text, { entities, ignore }) => {
    const seen = findPersonalData(text)
      .filter(({ start, end }) => !ignore.some((span) => span.start < end && start < span.end))
      .map(({ type, start, end }) => ({ type, start, end }));
    expect(seen).toEqual(entities);
  });

  test("has offsets in UTF-16 code units", () => {
    const text = "😀 é john@example.com";
    expect(findPersonalData(text)).toEqual([{ type: "email", start: 5, end: 21, value: "john@example.com" }]);
    expect(text.slice(5, 21)).toBe("john@example.com");
  });

  test("is not hidden by characters that no font shows, which go with it", () => {
    const hidden = "SSN 219\u200b-09-9999, mail jane.doe\u2060@exam\u00adple.com or \ufeff4111\u200d1111\u{e0001}11111111.";
    expect(found(hidden)).toEqual([
      "ssn:219\u200b-09-9999",
      "email:jane.doe\u2060@exam\u00adple.com",
      "credit_card:4111\u200d1111\u{e0001}11111111",
    ]);
    expect(found(`219${"\u200b".repeat(17)}-09-9999`)).toEqual([]);
  });

  test("is not hidden by full-width letters or the digits of other scripts", () => {
    expect(
      found(
        "SSN ２１９-０９-９９９９, mail ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ, ٢١٩-٠٩-٩٩٩٩ or ４１１１１１１１\u200b１１１１１１１１.",
      ),
    ).toEqual([
      "ssn:２１９-０９-９９９９",
      "email:ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ",
      "ssn:٢١٩-٠٩-٩٩٩٩",
      "credit_card:４１１１１１１１\u200b１１１１１１１１",
    ]);
  });

  test("is not hidden by digits of India or Thailand, small forms, the slash of fractions or blanks of any width", () => {
    expect(found("SSN ২১৯-০৯-৯৯৯৯, ๒๑๙-๐๙-๙๙๙๙, born 04⁄08⁄1947, jane﹫example․com, 4111\u20071111\u20071111\u20071111")).toEqual(
      [
        "ssn:২১৯-০৯-৯৯৯৯",
        "ssn:๒๑๙-๐๙-๙๙๙๙",
        "date_of_birth:04⁄08⁄1947",
        "email:jane﹫example․com",
        "credit_card:4111\u20071111\u20071111\u20071111",
      ],
    );
  });

  test("is not hidden by references of HTML, nor by Markdown's strike-through", () => {
    expect(
      found(
        "jane&#64;example.com, jo&commat;example&#x2e;com; 219&#45;09&ndash;9999, (415)&nbsp;555-2671, ~~10.1.2.3~~, R&D & co",
      ),
    ).toEqual([
      "email:jane&#64;example.com",
      "email:jo&commat;example&#x2e;com",
      "ssn:219&#45;09&ndash;9999",
      "phone_us:(415)&nbsp;555-2671",
      "ip_address:10.1.2.3",
    ]);
  });

  test("is found where a line is broken behind a dash, a parenthesis or a group of a card", () => {
    expect(found("Call 415-555-\n2671 or (415)\n555-2671, SSN 219-09-\r\n9999. My card: 4111 1111\n1111 1111")).toEqual([
      "phone_us:415-555-\n2671",
      "phone_us:(415)\n555-2671",
      "ssn:219-09-\r\n9999",
      "credit_card:4111 1111\n1111 1111",
    ]);
    expect(found("Paid by card:\n4111\n1111\n1111\n1111\n")).toEqual([]);
  });

  test("is not hidden by escapes, which go with it", () => {
    expect(found('{"mail":"ann\\u0040example.com"} q=bob%40example.com, SSN\\n219-09-9999, 10\\.1\\.2\\.3')).toEqual([
      "email:ann\\u0040example.com",
      "email:bob%40example.com",
      "ssn:219-09-9999",
      "ip_address:10\\.1\\.2\\.3",
    ]);
  });

  test("counts once where findings overlap: the longest wins", () => {
    expect(found("123-45-6789@example.com")).toEqual(["email:123-45-6789@example.com"]);
    expect(found("mail 123456789@example.com")).toEqual(["email:123456789@example.com"]);
  });

  test("is looked for only among the wanted types", () => {
    const text = "john@example.com 10.0.0.1 123-45-6789";
    for (const type of PERSONAL_DATA_TYPES) {
      const types = findPersonalData(text, [type]).map((finding) => finding.type);
      expect(types.every((each) => each === type)).toBe(true);
    }
    expect(findPersonalData(text, ["email", "ssn"]).map(({ type }) => type)).toEqual(["email", "ssn"]);
  });

  test("stays linear on hostile text: ten times the text costs no more than about ten times the steps", () => {
    // Every detector reads through `codeAt`; counting reads instead of seconds makes the bound exact.
    const pieces = [
      "@",
      "a@",
      "1",
      "1 ",
      "1.",
      "1-",
      "+1 ",
      "(",
      "4444 ",
      "123456789 ",
      "a.b@c.com ",
      "a".repeat(63).concat("@"),
      "10.0.0.1 ",
    ];
    for (const piece of pieces) {
      const reads = (length: number): number => {
        let count = 0;
        const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
        const counting = new Proxy(Object(text), {
          get(target, property) {
            if (property === "length") return text.length;
            count++;
            const value = (target as never)[property] as unknown;
            return typeof value === "function" ? value.bind(text) : value;
          },
        }) as string;
        findPersonalData(counting);
        return count;
      };
      expect(reads(8_000) / reads(800)).toBeLessThan(13);
    }
  });
});
