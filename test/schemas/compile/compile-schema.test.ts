/** What a schema may be, how a refusal names the place, and that no schema can make a check run away. */
import { describe, expect, spyOn, test } from "bun:test";
import { RE2JS } from "re2js";
import { ApiError } from "../../../src/api-error.ts";
import { compileSchema } from "../../../src/schemas/compile/compile-schema.ts";
import { compileCached, createSchemaCache } from "../../../src/schemas/schema-cache.ts";

const refusal = (schema: unknown): ApiError => {
  try {
    compileSchema(schema);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("the schema was accepted");
};

const nested = (levels: number): unknown => {
  let value: unknown = "end";
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
};

describe("errors of a value", () => {
  const compiled = compileSchema({
    type: "object",
    properties: { total: { type: "number", minimum: 0 }, currency: { enum: ["EUR", "USD"] }, "a/b": { type: "string" } },
    required: ["total"],
    additionalProperties: false,
  });

  test("a value that fits has none", () => {
    expect(compiled.check({ total: 3, currency: "EUR" })).toEqual({ valid: true, errors: [] });
  });

  test("each names the place as a JSON pointer and says what must be there", () => {
    const { valid, errors } = compiled.check({ total: -1, currency: "GBP", "a/b": 4, extra: true });
    expect(valid).toBe(false);
    expect(errors).toContainEqual({ path: "/total", message: "must be >= 0" });
    expect(errors).toContainEqual({ path: "/currency", message: 'must be one of "EUR", "USD"' });
    expect(errors).toContainEqual({ path: "/a~1b", message: "must be string" });
    expect(errors).toContainEqual({ path: "", message: 'must not have the additional properties "extra"' });
  });

  test("a missing property is named", () => {
    expect(compiled.check({}).errors).toEqual([{ path: "", message: "must have required properties total" }]);
  });

  test("what a condition selects says where it does not fit, at any depth", () => {
    const address = JSON.parse(
      '{"if":{"properties":{"country":{"const":"US"}},"required":["country"]},' +
        '"then":{"properties":{"zip":{"pattern":"^[0-9]{5}$"}},"required":["zip"]},"else":{"properties":{"zip":{"type":"integer"}}}}',
    );
    const errorsOf = (value: unknown) => compileSchema({ properties: { to: address } }).check(value).errors;
    expect(errorsOf({ to: { country: "US", zip: "1" } })).toEqual([
      { path: "/to/zip", message: 'must match pattern "^[0-9]{5}$"' },
    ]);
    expect(errorsOf({ to: { country: "US" } })).toEqual([{ path: "/to", message: "must have required properties zip" }]);
    expect(errorsOf({ to: { country: "DE", zip: "1" } })).toEqual([{ path: "/to/zip", message: "must be integer" }]);
    expect(errorsOf({ to: { country: "US", zip: "12345" } })).toEqual([]);
    const nested = JSON.parse('{"if":{"if":true,"then":true},"then":{"type":"object"}}');
    expect(compileSchema(nested).check("x").errors).toEqual([
      { path: "", message: "must fit the schema that its condition selects" },
    ]);
    const closed = compileSchema({ ...address, properties: { n: { type: "integer" } }, unevaluatedProperties: false });
    expect(closed.check({ country: "US", zip: "12345", n: 1 }).valid).toBe(true);
    expect(closed.check({ country: "US", zip: "12345", n: "1" }).errors).toContainEqual({
      path: "/n",
      message: "must be integer",
    });
    expect(closed.check({ country: "US", zip: "12345", m: 1 }).errors).toEqual([
      { path: "", message: 'must not have unevaluated properties "m"' },
    ]);
  });

  test("a value that is not allowed, a property of a wrong value and the count of `contains` are told as such", () => {
    const errorsOf = (schema: object, value: unknown) => compileSchema(schema).check(value).errors;
    expect(errorsOf({ properties: { a: false } }, { a: 1 })).toEqual([{ path: "/a", message: "must not be there" }]);
    expect(errorsOf({ additionalProperties: { type: "string" } }, { a: 1 })).toEqual([{ path: "/a", message: "must be string" }]);
    expect(errorsOf({ contains: { type: "integer" }, minContains: 2 }, [1])[0]?.message).toContain("at least 2 of");
    expect(errorsOf({ contains: { type: "integer" }, maxContains: 1 }, [1, 2])[0]?.message).toContain("at least 1 and at most 1");
  });

  test("a value that is not allowed is told beside other errors, and a wrong name of the object that has it", () => {
    const errorsOf = (schema: object, value: unknown) => compileSchema(schema).check(value).errors;
    expect(errorsOf({ properties: { a: false, b: { type: "integer" } } }, { a: 1, b: "x" })).toEqual([
      { path: "/a", message: "must not be there" },
      { path: "/b", message: "must be integer" },
    ]);
    expect(errorsOf({ additionalProperties: false }, { a: 1 })).toHaveLength(1);
    const scores = { properties: { scores: { propertyNames: { pattern: "^[a-z]+$" } } } };
    expect(errorsOf(scores, { scores: { "A/B": 1, c: 2 } })).toEqual([
      { path: "/scores", message: 'must not have a property named "A/B": the name must match pattern "^[a-z]+$"' },
    ]);
    expect(errorsOf({ propertyNames: false }, { a: 1 })).toEqual([{ path: "", message: 'must not have properties named "a"' }]);
  });

  test("names that every object inherits are ordinary names", () => {
    const schema = JSON.parse(
      '{"properties":{"toString":{"type":"string"},"__proto__":{"type":"number"}},"dependentRequired":{"constructor":["x"]}}',
    );
    const inherited = compileSchema(schema);
    expect(inherited.check({}).valid).toBe(true);
    expect(inherited.check(JSON.parse('{"__proto__":"text"}')).errors[0]?.path).toBe("/__proto__");
    expect(inherited.check(JSON.parse('{"constructor":1}')).valid).toBe(false);
    expect(compileSchema({ required: ["toString"] }).check({}).valid).toBe(false);
  });

  test("format is a hint", () => {
    expect(compileSchema({ type: "string", format: "date" }).check("soon").valid).toBe(true);
  });

  test("in draft-07 a $ref silences what stands beside it, in 2020-12 it does not", () => {
    const schema = { $ref: "#/$defs/text", maxLength: 1, $defs: { text: { type: "string" } } };
    expect(compileSchema(schema).check("ab").valid).toBe(false);
    expect(compileSchema({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" }).check("ab").valid).toBe(true);
  });
});

describe("a schema is refused with the place", () => {
  const cases: [string, unknown, string][] = [
    ["an unknown type", { properties: { "a/b": { type: "strin" } } }, "/properties/a~1b/type"],
    ["a bound that is no number", { items: { minimum: "3" } }, "/items/minimum"],
    ["draft-04's boolean exclusiveMinimum", { exclusiveMinimum: true }, "/exclusiveMinimum"],
    ["an empty anyOf", { anyOf: [] }, "/anyOf"],
    ["an empty list of items", { items: [] }, "/items"],
    [
      "a list of items in what says that it is 2020-12",
      { $schema: "https://json-schema.org/draft/2020-12/schema", properties: { a: { items: [{ type: "string" }] } } },
      "/properties/a/items",
    ],
    ["a dependency on what is no name", { dependencies: { a: [1] } }, "/dependencies"],
    ["an anchor that no reference could name", { $defs: { a: { $anchor: "#a b" } } }, "/$defs/a/$anchor"],
    ["properties that is no object", { properties: [] }, "/properties"],
    ["a subschema that is no schema", { properties: { a: 5 } }, "/properties/a"],
    ["required that is no list", { required: "a" }, "/required"],
    ["another draft", { $schema: "http://json-schema.org/draft-04/schema#" }, "/$schema"],
    ["a reference to another host", { properties: { a: { $ref: "https://example.com/a.json" } } }, "/properties/a/$ref"],
    ["a reference to nothing", { items: { $ref: "#/$defs/none" } }, "/items/$ref"],
    ["a lookahead within a pattern", { properties: { a: { pattern: "^a(?=x)" } } }, "/properties/a/pattern"],
    ["a lookahead that may be left out", { properties: { a: { pattern: "^(?=x)?a" } } }, "/properties/a/pattern"],
    ["a lookahead in an alternative", { properties: { a: { pattern: "^(?=x).|b" } } }, "/properties/a/pattern"],
    ["a lookbehind", { properties: { a: { pattern: "^(?<=x)" } } }, "/properties/a/pattern"],
    ["a backreference", { pattern: "(a)\\1" }, "/pattern"],
    ["a pattern that is none", { patternProperties: { "(": {} } }, "/patternProperties/("],
    ["a pattern of thousands of alternatives", { pattern: "(x|y|z)".repeat(2_000) }, "/pattern"],
    ["a pattern of a thousand thousands", { pattern: `${"(a{1000}b)".repeat(200)}` }, "/pattern"],
  ];
  test.each(cases)("%s", (_name, schema, place) => {
    const error = refusal(schema);
    expect(error.status).toBe(400);
    expect(error.options.param).toBe("schema");
    expect(error.message).toContain(`"${place}"`);
  });

  test("what is neither an object nor a boolean", () => {
    for (const schema of [null, [], "text", 5, undefined]) expect(refusal(schema).options.param).toBe("schema");
  });
});

describe("references", () => {
  const text = { type: "string" };

  test.each([
    ["a condition", { if: { properties: { a: text } }, properties: { b: { $ref: "#/if/properties/a" } } }],
    [
      "what a condition selects",
      { if: { required: ["a"] }, else: { $defs: { x: text }, properties: { b: { $ref: "#/else/$defs/x" } } } },
    ],
    [
      "what depends on a property",
      { dependentSchemas: { a: { properties: { c: text } } }, properties: { b: { $ref: "#/dependentSchemas/a/properties/c" } } },
    ],
    ["an unknown keyword", { "x-parts": [{ if: text }], properties: { b: { $ref: "#/x-parts/0/if" } } }],
    [
      "an unknown keyword's list of lists, beside a part with an address",
      {
        $defs: { part: { $id: "https://own.example/part" } },
        "x-parts": [[{ ...text, format: "date" }]],
        properties: { b: { $ref: "#/x-parts/0/0" } },
      },
    ],
    ["a name", { $defs: { x: { $anchor: "x", ...text } }, properties: { b: { $ref: "#x" } } }],
    ["the schema's own address", { $id: "https://own.example/s", $defs: { x: text }, properties: { b: { $ref: "s#/$defs/x" } } }],
  ])("lead into %s", (_place, schema) => {
    const compiled = compileSchema(schema);
    expect(compiled.check({ b: "x" }).valid).toBe(true);
    expect(compiled.check({ b: 1 }).errors).toEqual([{ path: "/b", message: "must be string" }]);
  });

  test.each([
    { $defs: { x: text }, items: { $ref: "https://other.example/s#/$defs/x" } },
    { $defs: { x: text }, items: { $ref: "other.json#/$defs/x" } },
    { $id: "https://own.example/s", $defs: { x: text }, items: { $ref: "https://other.example/s#/$defs/x" } },
    { items: { $ref: "https://other.example/s#" } },
    { properties: { a: { $defs: { x: text } } }, items: { $ref: "#/$defs/x" } },
  ])("to another document are not taken for places in this one: %j", (schema) => {
    expect(refusal(schema).message).toContain("which is not inside this schema");
  });
});

test("a lookahead in a pattern of properties counts for additional properties, too", () => {
  const compiled = compileSchema({
    properties: { "a|b": {}, x1: {} },
    patternProperties: { "^(?!x)[a-z]+$": { type: "string" }, "^y": {} },
    additionalProperties: false,
  });
  expect(compiled.check({ ab: "s", "a|b": 1, x1: 1, y1: 1 }).valid).toBe(true);
  for (const value of [{ xa: "s" }, { ab: 1 }, { "a|": 1 }, { "": 1 }]) expect(compiled.check(value).valid).toBe(false);
});

test("what unknown keywords hold is no schema", () => {
  const compiled = compileSchema({
    type: "string",
    errorMessage: { pattern: "Use (only letters" },
    "x-input": { pattern: true, patternProperties: { "(": 1 }, if: 3 },
  });
  expect(compiled.check("a").valid).toBe(true);
});

describe("bounds", () => {
  test("64 KB, 32 levels and 1,000 subschemas", () => {
    let deep: unknown = {};
    for (let level = 0; level < 3_000; level++) deep = { items: deep };
    expect(refusal(deep).message).toContain("32 levels");
    expect(refusal({ enum: ["x".repeat(70_000)] }).message).toContain("64 KB");
    expect(refusal({ anyOf: Array.from({ length: 1_001 }, () => ({})) }).message).toContain("1000 subschemas");
  });

  test("a reference that leads back to itself is refused, a recursive structure is not", () => {
    expect(refusal({ $ref: "#" }).message).toContain("refers to itself");
    expect(refusal({ $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } }).status).toBe(400);
    const tree = compileSchema({ type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } });
    expect(tree.check({ children: [{ children: [{}] }] }).valid).toBe(true);
    expect(tree.check({ children: [{ children: [3] }] }).errors[0]?.path).toBe("/children/0/children/0");
  });

  test("`contains` within `contains` is bounded, because each bound of it applies its schema once more", () => {
    const within = (levels: number): object => {
      let schema: object = { type: "integer" };
      for (let level = 0; level < levels; level++) schema = { contains: schema, minContains: 1, maxContains: 2 };
      return schema;
    };
    expect(refusal(within(20)).message).toContain("bounds of `contains`");
    expect(compileSchema(within(2)).check([[1], ["x"]]).valid).toBe(true);
    let lists: unknown = 1;
    for (let level = 0; level < 7; level++) lists = [lists, lists, lists];
    expect(compileSchema(within(7)).check(lists, { left: 10_000_000 }).errors[0]?.message).toBe("takes too much work to check");
  });

  test("references to parts with an `$id` are bounded, and looking them up is paid for", () => {
    const named = (names: number): object => ({
      items: { $ref: "n0" },
      $defs: Object.fromEntries(Array.from({ length: names }, (_, name) => [`d${name}`, { $id: `n${name}`, type: "string" }])),
    });
    const chain = Array.from({ length: 200 }, (_, name) => [`d${name}`, { $id: `n${name}`, items: { $ref: "n0" } }]);
    expect(refusal({ $defs: Object.fromEntries(chain) }).message).toContain("too many references");
    const left = (names: number): number => {
      const budget = { left: 1e9 };
      expect(compileSchema(named(names)).check([1], budget).errors[0]?.path).toBe("/0");
      return budget.left;
    };
    expect(left(1) - left(100)).toBeGreaterThan(99 * 1_000);
  });

  test("a reference is found or refused at once, however deep lists stand in lists", () => {
    const inLists = (schema: object) => Array.from({ length: 28 }).reduce<object>((inner) => ({ anyOf: [inner] }), schema);
    const missing = { properties: { a: { $ref: "#/nowhere" } }, ...inLists({ type: "object" }) };
    expect(refusal(missing).message).toContain('"/properties/a/$ref" refers to "#/nowhere"');
    const byName = {
      ...inLists({ type: "object" }),
      properties: { a: { $ref: "#late" } },
      $defs: { late: { $anchor: "late", type: "string" } },
    };
    expect(compileSchema(byName).check({ a: 1 }).errors[0]?.path).toBe("/a");
    const hidden = { $ref: "#/x-parts/0", "x-parts": [{ items: { $dynamicRef: "#nowhere" } }], ...inLists({ type: "array" }) };
    expect(refusal(hidden).message).toContain("lists in lists");
    const withParts = { ...byName, $defs: { ...byName.$defs, part: { $id: "part" } } };
    expect(refusal(withParts).message).toContain("lists in lists");
  });

  test("pairs of alternatives that double at each level are refused", () => {
    const $defs: Record<string, unknown> = { n24: { type: "string" } };
    for (let level = 0; level < 24; level++) {
      const next = { $ref: `#/$defs/n${level + 1}` };
      $defs[`n${level}`] = { oneOf: [next, next] };
    }
    expect(refusal({ $ref: "#/$defs/n0", $defs }).message).toContain("alternatives");
  });

  test("alternatives that double at each level of the value end as invalid", () => {
    const branch = (name: string) => ({ properties: { a: { $ref: "#/$defs/n" } }, required: [name] });
    const compiled = compileSchema({ $ref: "#/$defs/n", $defs: { n: { anyOf: [branch("x"), branch("y")] } } });
    expect(compiled.check(nested(100), { left: 10_000_000 })).toEqual({
      valid: false,
      errors: [{ path: "", message: "takes too much work to check" }],
    });
  });

  test("constants that are compared with each of many items end as invalid, behind a reference too", () => {
    const choice = { enum: Array.from({ length: 4_000 }, (_, number) => ({ number })) };
    const items = Array.from({ length: 2_000 }, () => ({ number: 3_999 }));
    const tooMuch = { valid: false, errors: [{ path: "", message: "takes too much work to check" }] };
    expect(compileSchema({ items: choice }).check(items)).toEqual(tooMuch);
    expect(compileSchema({ items: { $ref: "#/$defs/choice" }, $defs: { choice } }).check(items)).toEqual(tooMuch);
    expect(compileSchema({ items: choice }).check(items.slice(0, 10)).valid).toBe(true);
  });

  test("a pattern of many conditions for many empty texts ends as invalid, one of few does not", () => {
    const texts = Array.from({ length: 5_000 }, () => "");
    const compiled = (conditions: number) => compileSchema({ items: { pattern: `^${"(?!a)".repeat(conditions)}` } });
    expect(compiled(1_500).check(texts).errors[0]?.message).toBe("takes too much work to check");
    expect(compiled(5).check(texts).valid).toBe(true);
  });

  test("hundreds of schemas for one long list end as invalid, one does not", () => {
    const items = Array.from({ length: 10_000 }, (_, number) => number);
    const compiled = (schemas: number) =>
      compileSchema({ allOf: Array.from({ length: schemas }, () => ({ items: { type: "integer" }, uniqueItems: true })) });
    expect(compiled(400).check(items).errors[0]?.message).toBe("takes too much work to check");
    expect(compiled(1).check(items).valid).toBe(true);
  });

  test("a list of the same item, however long, is told as such", () => {
    const items = Array.from({ length: 50_000 }, () => 0);
    expect(compileSchema({ type: "array", uniqueItems: true }).check(items).errors).toEqual([
      { path: "", message: "must not have duplicate items" },
    ]);
  });

  test("a pattern that sends other engines backtracking still gives the right answer", () => {
    const hostile = `${"a".repeat(50_000)}!`;
    expect(compileSchema({ pattern: "^(a+)+$" }).check(hostile).valid).toBe(false);
    expect(compileSchema({ pattern: "^(?:(a+)+$|.*!$)" }).check(hostile).valid).toBe(true);
    const named = compileSchema({ patternProperties: { "^(a+)+$": { type: "string" } }, additionalProperties: false });
    expect(named.check({ [hostile]: 1 }).valid).toBe(false);
    expect(named.check({ aaa: 1 }).errors).toContainEqual({ path: "/aaa", message: "must be string" });
    expect(named.check({ aaa: "text" }).valid).toBe(true);
  });

  test("patternProperties feed unevaluatedProperties", () => {
    const compiled = compileSchema({ patternProperties: { "^x-": { type: "string" } }, unevaluatedProperties: false });
    expect(compiled.check({ "x-a": "1" }).valid).toBe(true);
    expect(compiled.check({ y: "1" }).valid).toBe(false);
  });
});

describe("what was evaluated", () => {
  const fits = (schema: object, value: unknown) => compileSchema(schema).check(value).valid;

  test("is no matter of properties in a list, also inside a schema that an object fits", () => {
    expect(fits({ unevaluatedProperties: false }, [1, 2])).toBe(true);
    expect(fits({ not: { unevaluatedProperties: false } }, [1])).toBe(false);
    expect(fits({ unevaluatedProperties: { type: "array", unevaluatedProperties: false } }, { a: [1] })).toBe(true);
    expect(fits({ unevaluatedProperties: false }, { a: 1 })).toBe(false);
  });

  test("inside a value says nothing about what is around it", () => {
    const nested = { unevaluatedItems: { type: "array", prefixItems: [true, true], unevaluatedItems: false } };
    expect(fits(nested, [[1, 2], 3])).toBe(false);
    const closed = { unevaluatedProperties: { properties: { b: true }, type: "object" } };
    expect(fits(closed, { a: { b: 1 }, b: 2 })).toBe(false);
    expect(fits({ contains: { prefixItems: [true] }, unevaluatedItems: { type: "array" } }, ["x", ["y"]])).toBe(true);
  });

  test("counts where the condition held, and not for the schema that it selects or that depends on a property", () => {
    const condition = { properties: { a: true, c: { const: 2 } } };
    const chosen = { if: condition, else: { properties: { c: true } }, unevaluatedProperties: false };
    expect(fits(chosen, { a: 1, c: 2 })).toBe(true);
    expect(fits(chosen, { a: 1, c: 3 })).toBe(false);
    const selecting = JSON.parse('{"if":{"properties":{"a":true}},"then":{"unevaluatedProperties":false}}');
    expect(fits(selecting, { a: 1 })).toBe(false);
    expect(fits({ properties: { a: true }, dependentSchemas: { a: { unevaluatedProperties: false } } }, { a: 1 })).toBe(false);
  });
});

describe("patterns mean what ECMA-262 says", () => {
  const cases: [string, string, boolean][] = [
    ["^\\s$", "\u00a0", true],
    ["^\\s$", "\u200b", false],
    ["^\\S+$", "a\u2003b", false],
    ["^[\\s]$", "\ufeff", true],
    ["^[\\S]$", "\u3000", false],
    ["^.$", "\u2028", false],
    ["^.$", "😀", true],
    ["^\\uD83D\\uDE00$", "😀", true],
    ["^\\u{1F600}$", "😀", true],
    ["^\\cA$", "\u0001", true],
    ["^\\x41[\\x42-\\x44]$", "AC", true],
    ["^\\0$", "\u0000", true],
    ["^\\u4$", "u4", true],
    ["^\\p{Letter}+$", "Straße", true],
    ["^\\p{Script=Greek}+$", "αβγ", true],
    ["^\\P{Lu}+$", "abc", true],
    ["^[\\p{ASCII}]+$", "aé", false],
    ["^\\d$", "٣", false],
    ["a$", "a\n", false],
    ["^[[]$", "[", true],
    ["^(?<year>\\d{4})\\/\\d{2}$", "2026/11", true],
    ["^[a\\-z]+$", "-", true],
    ["^\\-$", "-", true],
    ["^[^]$", "\n", true],
    ["[]", "a", false],
  ];
  test.each(cases)("%s on %j: %p", (pattern, text, matches) => {
    expect(compileSchema({ pattern }).check(text).valid).toBe(matches);
  });

  test.each([
    // Passwords, names of domains, and what libraries write for e-mail addresses and decimals.
    "^(?=.*[A-Z])(?=.*\\d)(?=.*[!?)(])[^ ]{8,}$",
    "^(?=.{1,9}\\.?$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9]+)*\\.?$",
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
    "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$",
    "^(?!x-|[)(]|a\\))",
    "^(?=[\\])a-z]+$).",
    "^(?=a|b)(?!(ab|ba)$).+",
  ])("lookaheads at the beginning are conditions: %s", (pattern) => {
    const texts = [
      "",
      "x-a",
      "(",
      ")",
      "a)",
      "a",
      "ab",
      "ba",
      "abc",
      "Secret!1",
      "secret!1",
      "Secret(1",
      "Secret1",
      "-",
      "+1.5",
      "-.",
      "007",
      "1.2.3",
    ];
    texts.push("ann@b.co", ".ann@b.co", "a..n@b.co", "ann@b", "example.com", "a.b.", "-a.b");
    const compiled = compileSchema({ pattern });
    for (const text of texts) expect([text, compiled.check(text).valid]).toEqual([text, new RegExp(pattern, "u").test(text)]);
    const named = compileSchema({ patternProperties: { [pattern]: false } });
    for (const text of texts)
      expect([text, named.check({ [text]: 1 }).valid]).toEqual([text, !new RegExp(pattern, "u").test(text)]);
  });
});

test("equal patterns are made once, and none again to explain what does not fit", () => {
  const date = () => ({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" });
  const schema = { properties: { from: date(), to: date() }, patternProperties: { "^on_": date() } };
  using making = spyOn(RE2JS, "compile");
  const { check } = compileSchema(schema);
  const made = making.mock.calls.length;
  const dates = making.mock.calls.filter(([source]) => String(source).includes("-"));
  expect(check({ from: "today", on_monday: "tomorrow" }).errors).toHaveLength(2);
  // The three are read once each before, for their size.
  expect([dates.length, making.mock.calls.length]).toEqual([4, made]);
});

describe("the cache", () => {
  test("gives the same compiled schema for the same JSON", async () => {
    const cache = createSchemaCache();
    const first = await compileCached(cache, { type: "string" });
    expect(await compileCached(cache, { type: "number" })).not.toBe(first);
    expect(await compileCached(cache, { type: "string" })).toBe(first);
  });

  test("schemas are remembered by the memory that they take: many small ones, few with large patterns", async () => {
    const cache = createSchemaCache();
    const first = await compileCached(cache, { type: "string" });
    for (let n = 0; n < 50; n++) await compileCached(cache, { const: n });
    expect(await compileCached(cache, { type: "string" })).toBe(first);
    const names = Array.from({ length: 90 }, (_, n) => `a${n}`);
    const large = (n: number) => ({
      properties: Object.fromEntries(names.map((name) => [name, { pattern: `^[a-z]{1000}${name}${n}$` }])),
    });
    for (let n = 0; n < 3; n++) await compileCached(cache, large(n));
    expect(await compileCached(cache, { type: "string" })).not.toBe(first);
  });
});
