import { expect, test } from "bun:test";
import { CHAT_MODELS } from "../../src/catalog/chat-models.ts";
import { estimateTokens } from "../../src/lib/estimate-tokens.ts";
import { withSignature } from "../../src/providers/dialect/tool-call-ids.ts";
import { sealedCallId } from "../../src/providers/openai-responses/sealed-thoughts.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { countPrompt, extrasIn, extraTokens } from "../../src/router/count-prompt.ts";
import { costBound } from "../../src/router/estimate-cost.ts";
import { makePdf } from "../support/make-pdf.ts";

test("a PDF counts by its pages, however little room they take", () => {
  const pages = Array.from({ length: 30 }, (_, page) => `Page ${page}: rules of the railway.`);
  const data = Buffer.from(makePdf(pages)).toString("base64");
  const tokens = countPrompt({ messages: [{ role: "user", content: [{ type: "document", data }] }] } as never);
  expect(tokens).toBeGreaterThan(30 * 1_500);
});

test("what only Anthropic gets of a prompt counts, too", () => {
  const messages: ChatRequest["messages"] = [{ role: "user", content: "Hi" }];
  const attribution = "x-anthropic-billing-header: cc_version=2.1.37; cch=fa690;";
  expect(countPrompt({ messages, forAnthropic: { attribution } })).toBeGreaterThan(countPrompt({ messages }) + 10);
});

test("sealed thoughts that go back inside a call's id count as what they hold", () => {
  const tokens = (id: string) =>
    countPrompt({ messages: [{ role: "assistant", content: "", toolCalls: [{ id, name: "f", arguments: "{}" }] }] });
  const plain = tokens("call_1");
  expect(tokens(sealedCallId({ call_id: "call_1" }, ["x".repeat(5_000)]))).toBe(plain + 1_000);
  expect(tokens(withSignature("call_1", "google", "x".repeat(5_000)))).toBe(plain + 1_000);
});

/** About what vendors bill for «How warm is it in Graz?» beside one small tool. */
test.each([
  ["claude-haiku-4-5", 610],
  ["claude-sonnet-4-5", 650],
  ["deepseek-flash", 320],
  ["gpt-4o", 60],
  ["grok-4.3", 150],
  ["a model that the catalog does not know", 430],
])("what %s is billed for having tools is not beyond the bound of its prompt", (id, billed) => {
  const known = CHAT_MODELS.find((each) => each.id === id);
  const model = known ?? { ...CHAT_MODELS[0]!, toolTokens: undefined };
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const plain: ChatRequest = { messages: [{ role: "user", content: "How warm is it in Graz?" }] };
  const asked: ChatRequest = {
    ...plain,
    tools: [{ name: "temperature", description: "The temperature in a city.", parameters }],
  };
  const prices = { inputNanoUsd: 1, cacheReadNanoUsd: 1, cacheWriteNanoUsd: 1, outputNanoUsd: 0 };
  expect(
    costBound(prices, countPrompt(asked) + extraTokens(countPrompt(asked), extrasIn(asked), model), 0),
  ).toBeGreaterThanOrEqual(billed);
  expect(extraTokens(countPrompt(plain), extrasIn(plain), model)).toBe(0);
});

test("what Anthropic says about a schema, and writes of it, is not beyond the bound of the prompt", () => {
  const messages: ChatRequest["messages"] = [{ role: "user", content: "Which river is the longest in Europe?" }];
  const field = (description: string) => ({ type: "string", title: "Name", description });
  const schema = {
    type: "object",
    title: "River",
    properties: {
      name: field("Its name in English."),
      ends_in: field("The sea or lake that it flows into."),
      length_km: { type: "integer" },
    },
    required: ["name", "ends_in", "length_km"],
    additionalProperties: false,
  };
  const plain = countPrompt({ messages });
  // The instruction for JSON, which providers without a JSON mode are given.
  expect(countPrompt({ messages, outputFormat: { type: "json" } }) - plain).toBe(32);
  // Billed: about 100 tokens, and what the schema has by our estimate, three quarters more.
  const billed = 100 + 1.7 * estimateTokens(JSON.stringify(schema));
  expect(countPrompt({ messages, outputFormat: { type: "schema", schema, strict: true } as never }) - plain).toBeGreaterThan(
    billed,
  );
});

test("text counts for more where a tokenizer makes more tokens of it, and a picture for what it is billed as", () => {
  const [fine, coarse] = ["claude-opus-5-5", "claude-sonnet-4-5"].map((id) => CHAT_MODELS.find((model) => model.id === id)!);
  const extra = (content: ChatRequest["messages"][number]["content"], model = fine!) => {
    const request = { messages: [{ role: "user" as const, content }] } as ChatRequest;
    return extraTokens(countPrompt(request), extrasIn(request), model);
  };
  expect(extra("one two three four five six seven eight nine ten ".repeat(200))).toBeGreaterThan(600);
  expect(extra("one two three four five six seven eight nine ten ".repeat(200), coarse)).toBe(0);
  const picture = { type: "image" as const, mediaType: "image/png", data: "" };
  expect(extra([picture] as never)).toBeLessThan(fine!.pictureTokens!.most);
});
