/** Calls that models write into their text, in each of the markups, and what looks like one and stays text. */

import { describe, expect, test } from "bun:test";
import { type ChatEvent, type ChatRequest, noUsage } from "../../../src/providers/provider.ts";
import { CLOSINGS, OPENINGS, SEPARATORS } from "../../../src/providers/text-calls/markup.ts";
import { readTextCalls } from "../../../src/providers/text-calls/read-text-calls.ts";
import { randomFrom } from "../../support/random.ts";
import { asText, collected, passed } from "../../support/stage.ts";

const REQUEST: ChatRequest = {
  messages: [{ role: "user", content: "What is the weather in Paris?" }],
  tools: [
    {
      name: "get_weather",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string" },
          days: { type: "integer" },
          metric: { type: ["boolean", "null"] },
          hours: { $ref: "#/$defs/hours" },
          unit: { enum: ["C", "F"] },
          note: {},
        },
        $defs: { hours: { type: "array", items: { type: "integer" } } },
      },
    },
    { name: "get_weather_log" },
    { name: "now", parameters: { type: "object", properties: {} } },
  ],
};
const PARIS = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const NOW = '{"name": "now", "arguments": {}}';

const FINISH: ChatEvent = { type: "finish", reason: "stop" };

const told = (lists: readonly (readonly ChatEvent[])[], request = REQUEST): ChatEvent[] =>
  passed((take) => readTextCalls(take, request), lists).told;
const read = (lists: readonly (readonly ChatEvent[])[], request = REQUEST) => {
  const { text, toolCalls, finishReason } = collected(told(lists, request));
  return { text, calls: toolCalls.map((call) => [call.name, call.arguments]), finish: finishReason };
};
const readWhole = (text: string, request = REQUEST) => read([[asText(text), FINISH]], request);
const readStreamed = (text: string, size: () => number) => {
  const lists: ChatEvent[][] = [];
  for (let at = 0, length = size(); at < text.length; at += length, length = size())
    lists.push([asText(text.slice(at, at + length))]);
  return read([...lists, [FINISH]]);
};

const CITY = '{"city": "Paris"}';
const WEATHER = [["get_weather", CITY]];
const BOTH = [
  ["get_weather", CITY],
  ["now", "{}"],
];
const CODER = "<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>";

for (const [model, text, calls, left = ""] of [
  ["Hermes", `Let me look.\n<tool_call>\n${PARIS}\n</tool_call>`, WEATHER, "Let me look.\n"],
  ["Qwen", `\n\n<tool_call>\n${PARIS}\n</tool_call>\n<tool_call>\n${NOW}\n</tool_call>\n`, BOTH],
  ["behind code in a line", `\`\`\`now\`\`\` tells it.\n<tool_call>${NOW}</tool_call>`, [["now", "{}"]], "```now``` tells it.\n"],
  ["without an end", `<tool_call>\n${PARIS}`, WEATHER],
  ["with prose behind it", `<tool_call>${PARIS}</tool_call>\n\nOne moment.`, WEATHER, "\n\nOne moment."],
  ["in the line of prose", `Let me look.<tool_call>${PARIS}</tool_call>`, WEATHER, "Let me look."],
  ["Qwen3-Coder", `I look.\n\n<tool_call>\n${CODER}\n</tool_call>`, WEATHER, "I look.\n\n"],
  ["Qwen3-Coder without its first tag", `I look.\n\n${CODER}\n</tool_call>`, WEATHER, "I look.\n\n"],
  ["a value's missing end", "<function=get_weather>\n<parameter=city>\nParis\n</function>", WEATHER],
  ["a call without parameters", "<tool_call>\n<function=now>\n</function>\n</tool_call>", [["now", "{}"]]],
  ["Mistral", `[TOOL_CALLS] [${PARIS}, ${NOW}]`, BOTH],
  ["newer Mistral", `[TOOL_CALLS]get_weather[ARGS]${CITY}[TOOL_CALLS]now[CALL_ID]a1B2c3D4e[ARGS]{}`, BOTH],
  ["Llama", `<|python_tag|>{"name": "get_weather", "parameters": ${CITY}}; ${NOW}<|eom_id|>`, BOTH],
  ["Llama's functions", `<function=get_weather>${CITY}</function>`, WEATHER],
  ["JSON alone", `{"name": "get_weather", "parameters": ${CITY}}`, WEATHER],
  ["several in JSON", `${PARIS} ${NOW}`, BOTH],
  ["a list in JSON", `[${PARIS},\n${NOW}]`, BOTH],
  ["OpenAI's form", '{"type": "function", "function": {"name": "now", "arguments": "{\\"a\\": 1}"}}', [["now", '{"a": 1}']]],
  ["a fence", `\`\`\`json\n${PARIS}\n\`\`\`\n`, WEATHER],
  ["a markup in a fence", `\`\`\`xml\n<tool_call>\n${PARIS}\n</tool_call>\n\`\`\``, WEATHER],
  [
    "DeepSeek",
    "I look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n" +
      `${CITY}\n\`\`\`<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n\`\`\`json\n{}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    BOTH,
    "I look.",
  ],
  [
    "DeepSeek 3.1",
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${CITY}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    WEATHER,
  ],
  [
    "DeepSeek 3.2",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">75</｜DSML｜parameter>\n' +
      '<｜DSML｜parameter name="note" string="false">{"a": 1}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [["get_weather", '{"city": "75", "note": {"a": 1}}']],
  ],
  [
    "Kimi",
    "I look. <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>" +
      `${CITY}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`,
    BOTH,
    "I look. ",
  ],
  [
    "GLM",
    "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>\n<tool_call>now</tool_call>\nDone",
    BOTH,
    "\nDone",
  ],
  ["LM Studio's prompt", `[TOOL_REQUEST]${PARIS}[END_TOOL_REQUEST]`, WEATHER],
  [
    "Gemma 4",
    '<|tool_call>call:get_weather{city:<|"|>Paris "x\\n"<|"|>,days:3,note:{a:[true,<|"|>b<|"|>]}}<tool_call|>',
    [["get_weather", '{"city": "Paris \\"x\\\\n\\"", "days": 3, "note": {"a": [true, "b"]}}']],
  ],
  ["FunctionGemma", "<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>", WEATHER],
  ["a tag of Qwen's prompt", `<tools>\n${PARIS}\n</tools>`, WEATHER],
  [
    "Command",
    `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": ${CITY}}]<|END_ACTION|>`,
    WEATHER,
  ],
  [
    "GPT-OSS with the tool before the channel",
    `I look.<|start|>assistant to=functions.now<|channel|>commentary <|constrain|>json<|message|>{}<|call|>`,
    [["now", "{}"]],
    "I look.",
  ],
  ["LongCat", `<longcat_tool_call>\n${PARIS}\n</longcat_tool_call>`, WEATHER],
  ["InternLM", `I look.<|action_start|><|plugin|>\n${PARIS}<|action_end|>\n`, WEATHER, "I look."],
  ["Llama's Python", '[get_weather(city="Paris"), now()]', BOTH],
  ["LFM", "<|tool_call_start|>[get_weather(city='Paris')]<|tool_call_end|>I look.", WEATHER, "I look."],
  ["Gemma", '```tool_code\nget_weather(city="Paris")\n```', WEATHER],
  ["Olmo", '<function_calls>\nget_weather(city="Paris")\nnow()\n</function_calls>', BOTH],
  [
    "values as in Python",
    `[now(a='it\\'s "x"\\n', b=[1, -2.5, True, False,], c={'d': None, "e": {}}, f="(,)=")]`,
    [["now", '{"a": "it\'s \\"x\\"\\n", "b": [1, -2.5, true, false], "c": {"d": null, "e": {}}, "f": "(,)="}']],
  ],
  ["Granite", `<|tool_call|>[${PARIS}]`, WEATHER],
  [
    "MiniMax",
    '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</minimax:tool_call>',
    WEATHER,
  ],
  ["GPT-OSS", `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${CITY}<|call|>`, WEATHER],
  [
    "a name that another begins with",
    '<tool_call>{"name": "get_weather_log", "arguments": {}}</tool_call>',
    [["get_weather_log", "{}"]],
  ],
  [
    "a tag in a string",
    '<tool_call>{"name": "now", "arguments": {"a": "</tool_call>"}}</tool_call>',
    [["now", '{"a": "</tool_call>"}']],
  ],
  ["lines in a string", '{"name": "now", "arguments": {"a": "x\ny"}}', [["now", '{"a": "x\\ny"}']]],
  ["a large number", '{"name": "now", "arguments": {"a": 12345678901234567890}}', [["now", '{"a": 12345678901234567890}']]],
  ["half of a second call", `<tool_call>${PARIS}</tool_call>\n<tool_call>{"name": "no`, WEATHER, '<tool_call>{"name": "no'],
] as [string, string, string[][], string?][])
  test(`${model}: the call is read, in pieces of any size`, () => {
    expect(readWhole(text)).toEqual({ text: left, calls, finish: "tool_calls" });
    for (let size = 1; size <= text.length; size++) expect(readStreamed(text, () => size)).toEqual(readWhole(text));
  });

const NESTED = `<tool_call>{"name":"now","arguments":${'{"a":'.repeat(200)}1${"}".repeat(200)}}</tool_call>`;

for (const [what, text] of [
  ["prose", "Tags such as <tool_call>, [TOOL_CALLS] and <function=x> mark calls; see [1] and a < b."],
  ["a tool that is not offered", '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
  ["a name that goes on", '<function=now_or_never>{"a": 1}</function>'],
  ["arguments that are no object", '<tool_call>{"name": "now", "arguments": [1]}</tool_call>'],
  ["arguments that are no JSON", '<tool_call>{"name": "now", "arguments": {a: 1}}</tool_call>'],
  ["arguments nested too deep", NESTED],
  ["a call that is cut off", `Let me look.\n<tool_call>\n${PARIS.slice(0, -8)}`],
  ["a cut value", "<function=get_weather>\n<parameter=city>\nPar"],
  ["a cut list", `[TOOL_CALLS][${PARIS}, `],
  ["an example in a fence", `It calls so:\n\n\`\`\`\n<tool_call>\n${PARIS}\n</tool_call>\n\`\`\`\n`],
  ["an example in a fence of Windows", `It calls so:\r\n\r\n\`\`\`\r\n<tool_call>${PARIS}</tool_call>\r\n\`\`\`\r\n`],
  ["an example in a quoted fence", `> ~~~xml\n> x\n<tool_call>${PARIS}</tool_call>\n~~~`],
  ["JSON in a fence amid prose", `It calls so:\n\`\`\`json\n${PARIS}\n\`\`\``],
  ["a fence that prose follows", `\`\`\`json\n${PARIS}\n\`\`\`\nThis calls the tool.`],
  ["a quotation", `Write \`<tool_call>${PARIS}</tool_call>\` to call it.`],
  ["a call in a line of prose", `I would write <tool_call>${PARIS}</tool_call> here.`],
  ["a call between tags in a line of prose", "I would write <function=now>\n</function> here."],
  ["JSON behind prose", `I would call ${PARIS}`],
  ["JSON before prose", `${PARIS} calls the tool.`],
  ["JSON of another kind", '{"name": "now", "city": "Paris", "arguments": {}}'],
  ["JSON of a function in a function", '{"function": {"function": {"name": "now", "arguments": {}}}}'],
  ["JSON that names no arguments", '{"name": "now"}'],
  ["a list of links", "[now](https://example.org) and [get_weather]"],
  ["arguments without names", '[get_weather("Paris")]'],
  ["an expression", "[get_weather(city=home())]"],
  ["code", "```python\nprint('<tool_call>')\n```"],
  ["blanks", " \n "],
  ["nothing", ""],
] as const)
  test(`${what} stays text`, () => {
    expect(readWhole(text)).toEqual({ text, calls: [], finish: "stop" });
    for (let size = 1; size <= text.length; size++) expect(readStreamed(text, () => size)).toEqual(readWhole(text));
  });

test("values between tags have the types that the tool's schema names", () => {
  const given = { city: "75", days: "3", metric: "True", hours: "[1, 2]", unit: "C", note: '{"a": 1}', other: "x" };
  const parameters = Object.entries(given).map(([name, value]) => `<parameter=${name}>\n${value}\n</parameter>\n`);
  const [call] = readWhole(`<function=get_weather>\n${parameters.join("")}</function>`).calls;
  expect(JSON.parse(call![1]!)).toEqual({ ...given, days: 3, metric: true, hours: [1, 2], note: { a: 1 } });
});

test("what does not fit its type is passed on as text, and lines of a text are kept", () => {
  const text =
    "<function=get_weather>\n<parameter=days>\nthree\n</parameter>\n<parameter=city>\n\n  if (a < b) {\n  }\n\n</parameter>\n</function>";
  expect(JSON.parse(readWhole(text).calls[0]![1]!)).toEqual({ days: "three", city: "\n  if (a < b) {\n  }\n" });
});

test("a number where only texts may be is a text, also where several kinds of value may be", () => {
  const a = { anyOf: [{ type: "string" }, { type: "null" }] };
  const tools = [{ name: "now", parameters: { type: "object", properties: { a } } }];
  const argumentsOf = (value: string) =>
    readWhole(`<function=now>\n<parameter=a>${value}</parameter>\n</function>`, { ...REQUEST, tools }).calls[0]![1];
  expect([argumentsOf("5"), argumentsOf("null")]).toEqual(['{"a": "5"}', '{"a": null}']);
});

test("a value of blanks is kept, and one of no lines is empty", () => {
  const text = "<function=get_weather>\n<parameter=city>\n</parameter>\n<parameter=unit>  </parameter>\n</function>";
  expect(JSON.parse(readWhole(text).calls[0]![1]!)).toEqual({ city: "", unit: "  " });
});

test("a schema whose parts refer to each other many times is read in linear time", () => {
  const choices = Array.from({ length: 30 }, (_, place) => ({ $ref: `#/$defs/d${place}` }));
  const $defs = Object.fromEntries(
    choices.map((_, place) => [`d${place}`, { anyOf: place < 29 ? choices : [{ type: "integer" }] }]),
  );
  const tools = [{ name: "now", parameters: { type: "object", properties: { a: { anyOf: choices } }, $defs } }];
  const text = "<function=now>\n<parameter=a>5</parameter>\n</function>";
  expect(readWhole(text, { ...REQUEST, tools }).calls[0]![1]).toBe('{"a": 5}');
});

describe("who gets the text", () => {
  const CALL = `<tool_call>${PARIS}</tool_call>`;
  test.each([
    ["no tools", { tools: [] }],
    ["tool choice none", { toolChoice: "none" }],
    ["another tool chosen", { toolChoice: { name: "now" } }],
    ["a user who mentions the markup", { messages: [{ role: "user", content: "What does <tool_call> mean?" }] }],
  ] as [string, Partial<ChatRequest>][])("%s", (_, more) => {
    const request = { ...REQUEST, ...more };
    expect(readWhole(CALL, request)).toEqual({ text: CALL, calls: [], finish: "stop" });
    expect(read([[asText(CALL)], [FINISH]], request).text).toBe(CALL);
  });

  test("but not a system prompt that says how tools are called, nor who shows code", () => {
    const system = "Call tools like this: <tool_call>…</tool_call>";
    const request: ChatRequest = { ...REQUEST, messages: [{ role: "system", content: system }, ...REQUEST.messages] };
    expect(readWhole(CALL, request).calls).toEqual(WEATHER);
    const showing: ChatRequest = { ...REQUEST, messages: [{ role: "user", content: "```json\n{}\n```" }] };
    expect(readWhole(`\`\`\`json\n${PARIS}\n\`\`\``, showing).calls).toEqual(WEATHER);
  });

  test("who asks for JSON, unless a markup says that it is a call", () => {
    const request: ChatRequest = { ...REQUEST, outputFormat: { type: "json" } };
    expect(readWhole(PARIS, request).calls).toEqual([]);
    expect(readWhole(CALL, request).calls).toEqual(WEATHER);
  });

  test("whose server told a call itself", () => {
    const own: ChatEvent[] = [
      { type: "tool-start", index: 0, id: "a", name: "now" },
      { type: "tool-arguments", index: 0, text: "{}" },
    ];
    const finish: ChatEvent = { type: "finish", reason: "tool_calls" };
    for (const lists of [[own, [asText(CALL), finish]], [[asText(CALL), ...own, finish]]])
      expect(told(lists)).toEqual(lists.flat());
    expect(read([[asText(CALL)], own, [finish]]).calls).toEqual(BOTH);
    const begun = "<tool_call>{";
    expect(read([[asText(begun)], own, [finish]])).toEqual({ text: begun, calls: [["now", "{}"]], finish: "tool_calls" });
  });
});

test("a cut answer says so beside its calls", () => {
  const lists: ChatEvent[][] = [[asText(`<tool_call>${PARIS}</tool_call>`), { type: "finish", reason: "length" }]];
  expect(read(lists).finish).toBe("length");
});

test("each call has an id of its own", () => {
  const ids = collected(told([[asText(`[TOOL_CALLS][${PARIS}, ${NOW}]`), FINISH]])).toolCalls.map(({ id }) => id);
  expect(ids[0]).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(new Set(ids).size).toBe(2);
});

test("a stream flows, except for what may begin a call; thinking and usage pass at once", () => {
  const reasoning: ChatEvent = { type: "reasoning", text: "Hm." };
  const usage: ChatEvent = { type: "usage", usage: noUsage() };
  const each = [..."I| look at a <|b> and <tool".split("|").map(asText), reasoning, usage].concat(
    "_box>| [1]|\n```\n<tool_call>|{".split("|").map(asText),
  );
  const seen: string[] = [];
  const take = readTextCalls(
    (events) => seen.push(...events.map((event) => ("text" in event ? event.text : event.type === "held" ? "" : event.type))) > 0,
    REQUEST,
  );
  const after = each.map((event) => {
    seen.length = 0;
    take([event]);
    return seen.join("");
  });
  expect(after).toEqual(["I", " look at a ", "<b> and ", "Hm.", "usage", "<tool_box>", " [1]", "\n```\n<tool_call>", "{"]);
});

test("a call leaves as soon as its markup is closed", () => {
  const take = (pieces: string[]) => read([pieces.map(asText)]).calls;
  expect(take(["<tool_call>", PARIS])).toEqual([]);
  expect(take(["<tool_call>", PARIS, "</tool_call>"])).toEqual(WEATHER);
});

test("no more is held back than the answer's bound allows, in pieces of any size", () => {
  const call = `<tool_call>{"name": "now", "arguments": {"a": "${"x".repeat(100)}"}}</tool_call>`;
  const bounded = (maxOutputTokens: number) => ({ ...REQUEST, maxOutputTokens });
  expect(readWhole(call, bounded(20)).calls).toHaveLength(1);
  for (const size of [1, 7, 200]) {
    const pieces = call.match(new RegExp(`.{1,${size}}`, "g"))!.map((piece) => [asText(piece)]);
    expect(read([...pieces, [FINISH]], bounded(5))).toEqual({ text: call, calls: [], finish: "stop" });
    expect(read(pieces, bounded(5)).text.length).toBeGreaterThanOrEqual(80);
  }
});

test("text of all the markups' parts, cut anywhere, is read as if it came whole", () => {
  const random = randomFrom(20);
  const parts = [
    PARIS,
    NOW,
    '{"name": "now", "arg',
    "now",
    "get_weather",
    "{}",
    "[",
    "]",
    "{",
    "}",
    "```",
    "```json\n",
    "\n",
    " ",
    "so",
  ]
    .concat([
      ", ",
      ";",
      "`",
      "> ",
      ">",
      '">',
      "5",
      "<parameter=city>",
      "</parameter>",
      "</function>",
      "</invoke>",
      "functions.",
      ":0",
    ])
    .concat(['<parameter name="days">', "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"])
    .concat(OPENINGS, OPENINGS, CLOSINGS, SEPARATORS);
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: 1 + random.integer(8) }, () => random.pick(parts)).join("");
    const most = 1 + random.integer(12);
    const read = readWhole(text);
    expect([text, readStreamed(text, () => 1 + random.integer(most))]).toEqual([text, read]);
    if (read.calls.length === 0) expect(read.text).toBe(text);
  }
});

test.each([
  "<tool_call>",
  "<tool_call>{",
  "<",
  "{",
  "\n",
  "```\n",
  '<tool_call>{"name":"now","arguments":{"a":"',
  "<function=now><parameter=a>x</parameter>",
  "<function=get_weather>\n<parameter=a>x</parameter>\n",
  "<tool_call>now<arg_key>",
])("a flood of %j ends", (unit) => {
  const text = unit.repeat(Math.ceil(200_000 / unit.length));
  expect(readWhole(text).text.length).toBeLessThanOrEqual(text.length);
});
