/** The repair against what models emit: a careful reader's reading, valid JSON untouched, prose never data, hostile text in linear work. */
import { describe, expect, test } from "bun:test";
import { compileSchema } from "../../../src/schemas/compile/compile-schema.ts";
import { repairJson } from "../../../src/schemas/repair/repair-json.ts";
import { NOT_JSON, REPAIR_CASES } from "../../fixtures/json/repair-cases.ts";

const families = [...new Set(REPAIR_CASES.map(([family]) => family))];

describe.each(families)("%s", (family) => {
  test.each(REPAIR_CASES.filter(([name]) => name === family))("%s: %j", (_family, text, value) => {
    const repaired = repairJson(text);
    if (value === NOT_JSON) expect(repaired.ok).toBe(false);
    else expect(repaired).toMatchObject({ ok: true, value });
  });
});

test("valid JSON is never changed and reports no repair", () => {
  for (const [family, text] of REPAIR_CASES) {
    if (family !== "valid" || text.startsWith("\ufeff")) continue;
    expect(repairJson(text)).toEqual({ ok: true, value: JSON.parse(text), repairs: [], text });
  }
});

test("whatever was mended is named", () => {
  const repairs = (text: string) => {
    const repaired = repairJson(text);
    return repaired.ok ? repaired.repairs : repaired.message;
  };
  expect(repairs("```json\n{'a': 1,}\n```")).toEqual(["code_fence", "extra_comma", "quotes"]);
  expect(repairs('Sure: {"a": 1} Bye')).toEqual(["surrounding_text"]);
  expect(repairs('{"a": [1, 2')).toEqual(["truncated"]);
  expect(repairs('<think>x</think>{"a": True} // done')).toContain("thinking");
  for (const [family, text, value] of REPAIR_CASES) {
    if (family !== "valid" && value !== NOT_JSON) expect(repairs(text)).not.toEqual([]);
  }
});

test("JSON in prose is read as it is, whatever its strings contain", () => {
  for (const value of [
    { data: ["a"], n: { open: "{", close: "}" } },
    { tokens: ["[", '"', "]"], at: 3 },
    [{ code: 'x = {a: "b", c: "}' }],
  ]) {
    const text = JSON.stringify(value);
    expect(repairJson(`Here it is: ${text}\n\nAnything else?`)).toEqual({ ok: true, value, repairs: ["surrounding_text"], text });
  }
});

describe("a slip in one place loses nothing beside it", () => {
  const rows = [
    { kind: "a", tags: ["x", "y z"] },
    { kind: "b", tags: [] },
  ];
  test.each([
    ["a bracket too many", '{"rows": [{"kind": "a", "tags": ["x", "y z"]]}, {"kind": "b", "tags": []}]}', { rows }],
    ["a brace too many", '{"rows": [{"kind": "a", "tags": ["x", "y z"]}}, {"kind": "b", "tags": []}]}', { rows }],
    ["no quote after the last element", '{"rows": [{"kind": "a", "tags": ["x", "y z]}, {"kind": "b", "tags": []}]}', { rows }],
    ["no quote before an element", '{"rows": [{"kind": "a", "tags": ["x", y z"]}, {"kind": "b", "tags": []}]}', { rows }],
    [
      "no quote after the last value",
      '[{"n": 1, "s": "it\'s\n  },\n  {\n    "n": 2, "s": "b"}]',
      [
        { n: 1, s: "it's" },
        { n: 2, s: "b" },
      ],
    ],
    [
      "no brace after the last value",
      '[{"n": 1, "s": "a", {"n": 2, "s": "b"}]',
      [
        { n: 1, s: "a" },
        { n: 2, s: "b" },
      ],
    ],
    [
      "no quote after a key",
      '{"plan": "p", "rows: [{"kind": "a", "tags": ["x", "y z"]}, {"kind": "b", "tags": []}]}',
      { plan: "p", rows },
    ],
    ["no bracket after an empty list", '{"tags": [, "rows": [], "n": 1}', { tags: [], rows: [], n: 1 }],
    [
      "a key in two pairs of quotes",
      '[{"s": "a b", ""rows"": [1]}, {"s": "c", "rows": [2]}]',
      [
        { s: "a b", rows: [1] },
        { s: "c", rows: [2] },
      ],
    ],
    ["a path in two pairs of quotes", '{"at": ""/a/b"", "n": 1}', { at: "/a/b", n: 1 }],
    ["a word of one letter without its first quote", '{"grade": B", "n": 1}', { grade: "B", n: 1 }],
    ["an element without quotes", '["f (2)", g of (3)]', ["f (2)", "g of (3)"]],
    ["strings without commas", '["a""b""c""d"]', ["a", "b", "c", "d"]],
    ["strings in backticks", '{`a`: [`say "b"`, `c`]}', { a: ['say "b"', "c"] }],
    [
      "a long value without its colon",
      `{"a": "b", "c" "${"long ".repeat(60)}", "d": 1}`,
      { a: "b", c: "long ".repeat(60), d: 1 },
    ],
    ["a long element before one without its last quote", `["a, "${"long ".repeat(60)}"]`, ["a", "long ".repeat(60)]],
    ["braces around the first members alone", '{{"a": 1}, "b": 2}', { a: 1, b: 2 }],
    ["a character cut in two", '{"s": "so \\ud83d\\ude', { s: "so " }],
  ])("%s", (_slip, text, value) => {
    expect(repairJson(text)).toMatchObject({ ok: true, value });
  });
});

test.each(["{: 1}", "{[1]: 2}", '{"a": 1, =2}'])("where a key is due and none stands, nothing is read: %s", (text) => {
  expect(repairJson(text).ok).toBe(false);
});

test("a key named __proto__ stays a key", () => {
  const repaired = repairJson('{"__proto__": {"admin": true},}');
  expect(repaired.ok && JSON.stringify(repaired.value)).toBe('{"__proto__":{"admin":true}}');
  expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
});

describe("with a schema", () => {
  const person = compileSchema({
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name", "age"],
    additionalProperties: false,
  });

  test("the reading that fits is chosen", () => {
    const text = 'Example: {"name": "Tom"} Answer: {"name": "Ada", "age": 36}';
    expect(repairJson(text, person)).toMatchObject({ ok: true, value: { name: "Ada", age: 36 } });
  });

  test("JSON inside a JSON string is taken where the schema wants the object", () => {
    const text = JSON.stringify(JSON.stringify({ name: "Ada", age: 36 }));
    expect(repairJson(text, person)).toMatchObject({ value: { name: "Ada", age: 36 }, repairs: ["json_in_string"] });
    expect(repairJson(text)).toMatchObject({ ok: true, value: '{"name":"Ada","age":36}', repairs: [] });
  });

  test("what no reading makes fit is refused with the reason", () => {
    const cut = repairJson('{"name": "Ada", "ag', person);
    expect(cut).toMatchObject({
      ok: false,
      message: "The JSON does not fit the schema: the value must have required properties age.",
    });
    expect(repairJson("I would rather not say.", person)).toEqual({ ok: false, message: "The text contains no JSON." });
  });
});

describe("bounds", () => {
  test("more than 1 MB or 128 levels is refused", () => {
    expect(repairJson(`["${"x".repeat(1024 * 1024)}"]`).ok).toBe(false);
    expect(repairJson("[".repeat(129) + "]".repeat(129)).ok).toBe(false);
    expect(repairJson("[".repeat(128) + "]".repeat(128)).ok).toBe(true);
    expect(repairJson(`{"a": ${"[".repeat(127)}1,${"]".repeat(127)}}`).ok).toBe(true);
  });

  test("hostile text of a megabyte comes back within the test's time", () => {
    const units = [
      "{",
      '{"a":[',
      '"',
      'x" y ',
      '"a":"x, ',
      "//",
      "a: b, ",
      "f(",
      "{{",
      "```\n",
      "<think>",
      'Use {"name for ',
      "“x” ",
      '""',
      "«a:1,",
      "「a\\」:1,",
    ];
    for (const unit of units) {
      for (const start of ["", "{", '{"a":"', "["]) {
        expect(repairJson(start + unit.repeat(20_000))).toHaveProperty("ok");
      }
    }
  }, 30_000);
});

test.each([
  ["letters behind a fence", "```", "a", "`"],
  ["blanks behind a fence", "```", " ", "`"],
  ["marks of a fence", "~~~", "~", "`"],
  ["blanks in what is quoted whole", '"[{', " ", "x"],
])(
  "a line of a million %s is looked at once",
  (_what, start, unit, end) => {
    expect(repairJson(start + unit.repeat(1_000_000) + end)).toHaveProperty("ok");
  },
  30_000,
);

test("what follows data amid prose is not read again for each place where data begins", () => {
  const text = `see ${"[1, 2] # ".repeat(500)}\n${"#\n".repeat(510_000)}`;
  expect(repairJson(text)).toHaveProperty("ok");
}, 20_000);

test("what may belong to an object that was closed too early is not read again for each such object", () => {
  const text = `None${'{"c": 1}, "b":'.repeat(40_000)}${'<think>",\n"| a | b |\n'.repeat(20_000)}`;
  expect(repairJson(text, compileSchema({ type: "array", items: { type: "string" } }))).toMatchObject({ ok: false });
}, 20_000);

test("a regular expression is the string that it is written as", () => {
  expect(repairJson('{"pattern": /^a{2},b$/i, "n": 1}')).toMatchObject({ ok: true, value: { pattern: "/^a{2},b$/i", n: 1 } });
});

test("an answer with stray backslashes and quotes that fits no schema is given up, not read for ever", () => {
  const schema = compileSchema({ type: "array" });
  for (const text of ['{"txt": "t he "best" -- they ay\\, "n": 1}', '{"t": "a "b" \\, "n": 1}', '["y"\\, "z"']) {
    expect(repairJson(text, schema)).toHaveProperty("ok");
  }
});
