/** Content blocks come one after the other, whatever order a provider sends the pieces in; no piece is lost or joins another's. */

import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type BlockEvent, createBlockOrder } from "../../src/compat/order-blocks.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { sse, upstreamStubOfFile } from "../support/upstream-stub.ts";

type Part = Parameters<ReturnType<typeof createBlockOrder>["push"]>[0];
const call = (index: number): Part => ({ type: "tool-start", index, id: `call_${index}`, name: "look_up" });
const piece = (index: number, text: string): Part => ({ type: "tool-arguments", index, text });
const text = (words: string): Part => ({ type: "text", text: words });

const OPENED = { text: "T(", thinking: "H(", redacted: "R(", picture: "P(", "tool-start": "C(" };

const shown = (events: BlockEvent[]): string =>
  events
    .map((event) =>
      event.type === "piece"
        ? event.text
        : event.type === "stop"
          ? ")"
          : event.type === "signature"
            ? `|${event.signature}`
            : OPENED[event.block.type],
    )
    .join("");
const ordered = (...parts: Part[]): string => {
  const order = createBlockOrder();
  return shown([...parts.flatMap(order.push), ...order.end()]);
};

test("a hundred thousand calls that wait are found by their index, not one after the other", () => {
  const indices = Array.from({ length: 100_000 }, (_, index) => index);
  const order = createBlockOrder();
  for (const index of indices) order.push(call(index));
  for (const index of indices) order.push(piece(index, "{}"));
  expect(order.end().filter(({ type }) => type === "piece")).toHaveLength(indices.length - 1);
});

test("calls that come one after the other pass piece by piece", () => {
  const order = createBlockOrder();
  expect(shown(order.push(text("So: ")))).toBe("T(So: ");
  expect(shown(order.push(call(0)))).toBe(")C(");
  expect(shown(order.push(piece(0, "{}")))).toBe("{}");
  expect(shown(order.push(call(1)))).toBe(")C(");
  expect(shown(order.push(text("Done.")))).toBe("");
  expect(shown(order.end())).toBe(")T(Done.)");
});

test("pieces that come in turns are sorted to their calls", () => {
  expect(ordered(call(0), call(1), piece(0, "[1"), piece(1, "[2"), piece(0, "]"), piece(1, "]"))).toBe("C([1])C([2])");
  expect(ordered(call(0), piece(0, "[1"), text("a"), text("b"), call(1), piece(0, "]"), text("c"), piece(1, "[2]"))).toBe(
    "C([1])T(ab)C([2])T(c)",
  );
});

test("a thought is a block of its own, sealed at its end; what comes while a call is open waits in order", () => {
  const think = (words: string): Part => ({ type: "thinking", text: words });
  const seal = (signature: string): Part => ({ type: "thinking-end", signature });
  const hidden: Part = { type: "thought", thought: { redacted: "x" } };
  expect(ordered(think("h"), think("m"), seal("s"), think("ah"), seal("t"), text("So"))).toBe("H(hm|s)H(ah|t)T(So)");
  expect(ordered(seal("s"), hidden, call(0), piece(0, "{}"))).toBe("H(|s)R()C({})");
  expect(ordered(call(0), piece(0, "[1"), think("hm"), seal("s"), think("ah"), hidden, piece(0, "]"))).toBe(
    "C([1])H(hm|s)H(ah|unsigned)R()",
  );
  expect(ordered({ type: "thought", thought: { text: "hm", signature: "s" } }, text("So"))).toBe("H(hm|s)T(So)");
  expect(ordered(think("h"), think("m"), text("So"), think("ah"))).toBe("H(hm|unsigned)T(So)H(ah|unsigned)");
  expect(ordered(think("hm"), seal(""), text("So"))).toBe("H(hm|unsigned)T(So)");
});

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
const key = await gateway.key({ mode: "live" });

const chunk = (delta: object, finish: string | null = null) => ({
  id: "up",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const part = (index: number, rest: object) => chunk({ tool_calls: [{ index, ...rest }] });
const opened = (id: string) => ({ id, type: "function", function: { name: "get_weather", arguments: "" } });
const inTurns = () =>
  sse([
    part(0, opened("call_a")),
    part(1, opened("call_b")),
    part(0, { function: { arguments: '{"city":' } }),
    part(1, { function: { arguments: '{"city":' } }),
    chunk({ content: "Looking." }),
    part(0, { function: { arguments: '"Paris"}' } }),
    part(1, { function: { arguments: '"Tokyo"}' } }),
    chunk({}, "tool_calls"),
  ]);

test("Anthropic's SDK reads two calls whose arguments came in turns", async () => {
  upstream.answer(inTurns());
  const client = new Anthropic({ apiKey: key.text, baseURL: gateway.url, maxRetries: 0 });
  const message = await client.messages
    .stream({
      model: "gpt-4.1",
      max_tokens: 100,
      messages: [{ role: "user", content: "The weather in Paris and Tokyo?" }],
      tools: [{ name: "get_weather", input_schema: { type: "object" } }],
    })
    .finalMessage();
  expect(message.content).toMatchObject([
    { type: "tool_use", id: "call_a", input: { city: "Paris" } },
    { type: "tool_use", id: "call_b", input: { city: "Tokyo" } },
    { type: "text", text: "Looking." },
  ]);
});

test("OpenAI's SDK reads each call when it is complete, though their arguments came in turns", async () => {
  upstream.answer(inTurns());
  const client = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const parameters = {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  };
  const done: unknown[] = [];
  const completion = await client.chat.completions
    .stream({
      model: "gpt-4.1",
      messages: [{ role: "user", content: "The weather in Paris and Tokyo?" }],
      tools: [{ type: "function", function: { name: "get_weather", strict: true, parameters } }],
    })
    .on("tool_calls.function.arguments.done", ({ index, parsed_arguments }) => done.push([index, parsed_arguments]))
    .finalChatCompletion();
  expect(done).toEqual([
    [0, { city: "Paris" }],
    [1, { city: "Tokyo" }],
  ]);
  expect(completion.choices[0]!.message).toMatchObject({
    content: "Looking.",
    tool_calls: [
      { id: "call_a", function: { arguments: '{"city":"Paris"}' } },
      { id: "call_b", function: { arguments: '{"city":"Tokyo"}' } },
    ],
  });
});
