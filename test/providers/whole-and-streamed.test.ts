/** An answer says the same whether it comes whole or as a stream, in each dialect, and so does what is none. */

import { expect, test } from "bun:test";
import type { ModelQuirks, SpokenDialect } from "../../src/catalog/model.ts";
import type { AnswerReader } from "../../src/providers/dialect/wire-dialect.ts";
import type { ChatEvent, ChatRequest, ChatResult } from "../../src/providers/provider.ts";
import { createCollector } from "../../src/providers/upstream/collect-answer.ts";
import { WIRE_DIALECTS } from "../../src/providers/wire-dialects.ts";
import { block, delta as blockDelta, over, stop } from "../support/anthropic-stub.ts";
import { askFor } from "../support/chat-provider.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { called, framesOf, refused, responseOf, said, thought } from "../support/responses-stub.ts";

type Json = Record<string, any>;

/** One answer in both forms, and the request and the model that it is read for. */
type Forms = { whole: unknown; frames: (Json | string)[]; request?: Partial<ChatRequest>; quirks?: ModelQuirks };

const readerFor = (dialect: SpokenDialect, { request, quirks = {} }: Forms, events: ChatEvent[]) =>
  WIRE_DIALECTS[dialect].createReader({ provider: "Stub", request: { ...askFor("hi"), ...request }, quirks }, events);

/** Ids that were made here differ each time. */
const collected = (events: ChatEvent[]): ChatResult => {
  const { result, take } = createCollector();
  take(events);
  const calls = result.toolCalls.map((call) => ({ ...call, id: call.id.replace(/^[A-Za-z0-9]{9}(?=$|__)/, "made") }));
  return { ...result, toolCalls: calls };
};

const wholeOf = (dialect: SpokenDialect, forms: Forms): ChatResult => {
  const events: ChatEvent[] = [];
  readerFor(dialect, forms, events).readWhole(forms.whole);
  return collected(events);
};

const streamedOf = (dialect: SpokenDialect, forms: Forms): ChatResult => {
  const events: ChatEvent[] = [];
  const reader = readerFor(dialect, forms, events);
  const isOver = forms.frames.some((frame) => reader.readFrame(typeof frame === "string" ? frame : JSON.stringify(frame)));
  if (!isOver) reader.end();
  return collected(events);
};

const WORDS = ["Grüße", "世界", "👋", "{}", "null", "\n\n", " ", "a", "[DONE]", '"'] as const;
const ARGUMENTS = ["{}", "", "null", '{"x":1}', '{"x": "}\\"{", "y":[{}]}', '{"cut": "of'] as const;

const wordsFrom = (random: Random): string =>
  Array.from({ length: 1 + random.integer(6) }, () => random.pick(WORDS)).join(random.pick(["", " "]));
const maybe = (random: Random): string => (random.chance(0.5) ? wordsFrom(random) : "");
const several = <Item>(random: Random, most: number, make: (place: number) => Item): Item[] =>
  Array.from({ length: random.integer(most + 1) }, (_, place) => make(place));
const piecesFrom = (random: Random, text: string): string[] => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at = pieces.join("").length) pieces.push(text.slice(at, at + 1 + random.integer(7)));
  return pieces;
};
const oddFrom = (random: Random): Json => random.pick([{}, { of_tomorrow: { a: [null] } }, { name: null, metadata: null }]);

const openAiForms = (random: Random): Forms => {
  const [thinking, text] = [maybe(random), maybe(random)];
  const refusal = text === "" ? maybe(random) : "";
  const named = random.pick(["reasoning_content", "reasoning", "reasoning_text"]);
  const calls = several(random, 3, (place) => ({
    ...random.pick([{ index: place }, { index: 0 }, {}]),
    id: `call_${place}`,
    type: "function",
    function: { name: random.pick(["look", "draw"]), arguments: random.pick(ARGUMENTS) },
  }));
  const url_citation = { url: "https://example.org/a", title: "", start_index: 0, end_index: 1 };
  const more = { ...oddFrom(random), ...(random.chance(0.3) && { annotations: [{ type: "url_citation", url_citation }] }) };
  const message = {
    role: "assistant",
    content: text || random.pick([null, ""]),
    [named]: thinking || null,
    refusal: refusal || null,
    ...(calls.length > 0 ? { tool_calls: calls } : random.pick([{}, { tool_calls: null }, { tool_calls: [] }])),
    ...more,
  };
  const finish_reason = random.pick(["stop", "length", "tool_calls", "content_filter", "eos"]);
  const end = { finish_reason, stop_reason: random.pick([null, "END", 7]) };
  const usage = random.pick([
    undefined,
    null,
    { prompt_tokens: 9, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: null },
    { prompt_tokens: 9, completion_tokens: 2, total_tokens: 16, completion_tokens_details: { reasoning_tokens: 5 } },
  ]);
  const piece = (delta: Json) => ({ ...oddFrom(random), choices: [{ index: 0, delta, finish_reason: null, logprobs: null }] });
  const ofCall = (call: Json) => [
    piece({ tool_calls: [{ ...call, function: { name: call["function"].name, arguments: "" } }] }),
    ...(call["function"].arguments === "null" ? ["null"] : piecesFrom(random, call["function"].arguments)).map((part) =>
      piece({ tool_calls: [{ ...call, function: { arguments: part } }] }),
    ),
  ];
  const frames = [
    piece({ role: "assistant", content: "", refusal: null }),
    ...piecesFrom(random, thinking).map((part) => piece({ content: null, [named]: part })),
    ...piecesFrom(random, text).map((content) => piece({ content })),
    ...piecesFrom(random, refusal).map((part) => piece({ refusal: part })),
    ...calls.flatMap(ofCall),
    { choices: [{ index: 0, delta: more, ...end }] },
    { choices: [], usage },
    "[DONE]",
  ];
  const whole = { ...oddFrom(random), choices: [{ index: 0, message, ...end }], usage };
  return { whole, frames, request: { stop: ["END"] }, quirks: random.pick([{}, { efforts: ["low"] }]) };
};

const anthropicForms = (random: Random): Forms => {
  const answersByTool = random.chance(0.2);
  const blocks = several(
    random,
    5,
    (place): Json =>
      random.pick([
        { type: "text", text: wordsFrom(random), citations: null },
        { type: "thinking", thinking: maybe(random), signature: random.pick(["", "proof"]) },
        { type: "redacted_thinking", data: "sealed" },
        { type: "server_tool_use", id: `srv_${place}`, name: "web_search", input: { query: "x" } },
        { type: "tool_use", id: random.pick([`toolu_${place}`, ""]), name: "look", input: random.pick([{}, { x: [1] }]) },
        { type: "tool_use", id: `toolu_${place}`, name: answersByTool ? "answer" : "", input: { n: place } },
      ]),
  );
  const usage = {
    input_tokens: 9,
    cache_read_input_tokens: random.pick([4, null]),
    cache_creation_input_tokens: random.pick([6, 0]),
    cache_creation: random.pick([null, { ephemeral_1h_input_tokens: 5 }]),
    output_tokens: 8,
    output_tokens_details: random.pick([null, { thinking_tokens: 3 }]),
  };
  const stop_reason = random.pick(["end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence", "pause_turn", null]);
  const end = { stop_reason, stop_sequence: stop_reason === "stop_sequence" ? "END" : null };
  const ofBlock = (content: Json, place: number): Json[] => {
    const deltas = (type: string, field: string, text: string) =>
      piecesFrom(random, text).map((part) => blockDelta(place, { type, [field]: part }));
    const pieces = {
      text: () => deltas("text_delta", "text", content["text"]),
      thinking: () => [
        ...deltas("thinking_delta", "thinking", content["thinking"]),
        ...deltas("signature_delta", "signature", content["signature"]),
      ],
      tool_use: () => deltas("input_json_delta", "partial_json", JSON.stringify(content["input"])),
      server_tool_use: () => deltas("input_json_delta", "partial_json", JSON.stringify(content["input"])),
    }[content["type"] as string];
    const begun = { text: "", thinking: "", signature: "", input: {} };
    const empty = Object.fromEntries(Object.entries(content).map(([name, value]) => [name, (begun as Json)[name] ?? value]));
    const comesWhole = pieces === undefined || random.chance(0.2);
    return [block(place, comesWhole ? content : empty), ...(comesWhole ? [] : pieces()), stop(place)];
  };
  const frames = [
    { type: "message_start", message: { content: [], usage: { ...usage, output_tokens: 1 }, stop_reason: null } },
    { type: "ping" },
    ...blocks.flatMap(ofBlock),
    {
      type: "message_delta",
      delta: end,
      usage: random.pick([usage, { output_tokens: 8, output_tokens_details: usage.output_tokens_details }]),
    },
    over,
  ];
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  return {
    whole: { type: "message", ...oddFrom(random), content: blocks, ...end, usage },
    frames,
    ...(answersByTool && {
      request: { outputFormat: { type: "schema", name: "s", schema, strict: true } },
      quirks: { schemaBy: "forced_tool" },
    }),
  };
};

const responsesForms = (random: Random): Forms => {
  const items = several(
    random,
    5,
    (place): Json =>
      random.pick([
        said(wordsFrom(random), random.pick(["commentary", "final_answer"])),
        thought(random.pick(["", `seal${place}`]), ...several(random, 3, () => maybe(random))),
        called(`call_${place}`, random.pick(["look", "draw", ""]), random.pick(ARGUMENTS)),
        { type: "web_search_call", status: "completed", action: { type: "search", query: "x" } },
      ]),
  ).map((item) => ({ ...item, ...random.pick([{}, { id: null }, { id: "" }, { id: "one_for_all" }]) }));
  const refusals = random.chance(0.2) ? several(random, 2, () => refused(wordsFrom(random))) : [];
  const response = responseOf([...items, ...refusals], {
    ...random.pick([{}, { usage: null }, { status: "" }]),
    ...(random.chance(0.3) && { status: "incomplete", incomplete_details: random.pick([null, { reason: "max_output_tokens" }]) }),
  });
  const last = { type: "response.completed", response };
  const frames = framesOf(response, last);
  const ended = frames.filter(({ type }) => type === "response.output_item.done" || type === "response.completed");
  const emptied = [...frames.slice(0, -1), { ...last, response: { ...response, output: [] } }];
  return { whole: response, frames: random.pick([frames, frames, ended, emptied, [last]]) };
};

const googleForms = (random: Random): Forms => {
  const parts = several(
    random,
    5,
    (place): Json =>
      random.pick([
        { text: wordsFrom(random) },
        { text: wordsFrom(random), thought: true },
        { functionCall: { name: "look", args: random.pick([{ x: 1 }, {}, null]) }, thoughtSignature: `sig${place}` },
        { functionCall: { id: `fc_${place}`, name: "draw" } },
        { executableCode: { code: "1" } },
      ]),
  );
  const finishReason = random.pick(["STOP", "MAX_TOKENS", "SAFETY", "OF_TOMORROW"]);
  const usageMetadata = random.pick([
    { promptTokenCount: 9, cachedContentTokenCount: 4, candidatesTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 16 },
    { promptTokenCount: 9, totalTokenCount: 9 },
  ]);
  const frame = (some: Json[], more: Json = {}) => ({
    candidates: [{ index: 0, content: { role: "model", parts: some }, ...more }],
    usageMetadata,
    ...oddFrom(random),
  });
  const frames = [...parts.map((part) => frame([part])), frame([], { finishReason })];
  return { whole: random.pick([frame(parts, { finishReason }), frames]), frames };
};

const ollamaForms = (random: Random): Forms => {
  const [thinking, content] = [maybe(random), maybe(random)];
  const calls = several(random, 3, (place) => ({
    ...random.pick([{}, { id: `call_${place}` }]),
    function: { index: 0, name: random.pick(["look", ""]), arguments: random.pick([{ x: 1 }, {}, null]) },
  }));
  const end = {
    ...oddFrom(random),
    done: true,
    done_reason: random.pick(["stop", "length", "load"]),
    ...random.pick([{}, { prompt_eval_count: 9, eval_count: 4 }, { eval_count: 4 }]),
  };
  const line = (message: Json) => ({ message: { role: "assistant", content: "", ...message }, done: false });
  const frames = [
    ...piecesFrom(random, thinking).map((part) => line({ thinking: part })),
    ...piecesFrom(random, content).map((part) => line({ content: part })),
    ...calls.map((call) => line({ tool_calls: [call] })),
    { ...line({}), ...end },
  ];
  return { whole: { message: { role: "assistant", content, thinking, tool_calls: calls }, ...end }, frames };
};

const FORMS: Record<SpokenDialect, (random: Random) => Forms> = {
  openai: openAiForms,
  anthropic: anthropicForms,
  "openai-responses": responsesForms,
  google: googleForms,
  ollama: ollamaForms,
};
const DIALECTS = Object.entries(FORMS) as [SpokenDialect, (random: Random) => Forms][];

test.each(DIALECTS)("%s", (dialect, formsFrom) => {
  for (let seed = 1; seed <= 200; seed++) {
    const forms = formsFrom(randomFrom(seed));
    expect([seed, streamedOf(dialect, forms)]).toEqual([seed, wholeOf(dialect, forms)]);
  }
});

test.each(DIALECTS)(
  "%s: what is no answer is a failure that was accepted, and an error in the place of one says what it is",
  (dialect) => {
    const failureOf = (read: (reader: AnswerReader) => unknown): unknown => {
      try {
        return read(readerFor(dialect, { whole: undefined, frames: [] }, []));
      } catch (error) {
        return error;
      }
    };
    for (const body of [{}, [], "text", null])
      expect(failureOf((reader) => reader.readWhole(body))).toMatchObject({ kind: "server", details: { accepted: true } });
    const error = { error: dialect === "ollama" ? "It broke." : { message: "It broke." } };
    const told = { kind: "server", details: { accepted: true, upstreamMessage: expect.stringContaining("It broke.") } };
    expect(failureOf((reader) => reader.readWhole(error))).toMatchObject(told);
    expect(failureOf((reader) => reader.readFrame(JSON.stringify(error)))).toMatchObject(told);
  },
);
