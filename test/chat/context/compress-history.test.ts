/** Rule 5: what becomes of a conversation that is too long for its model. */

import { describe, expect, test } from "bun:test";
import { compressHistory } from "../../../src/chat/context/compress-history.ts";
import type { ChatMessage } from "../../../src/providers/provider.ts";
import { countPrompt } from "../../../src/router/count-prompt.ts";
import { ingested } from "../../documents/documents.ts";
import { startGateway } from "../../support/gateway.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { startUpstreamStub, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { claude, completion } from "../../support/vendor-answers.ts";

const WINDOW = 4_000;
const TURNS = 40;
const system: ChatMessage = { role: "system", content: "Answer in one sentence." };
const chatter = "We went on about the weather for a while. ".repeat(20);
const turn = (number: number): ChatMessage[] => [
  { role: "user", content: `Question ${number} is about the ferry. ${chatter}` },
  { role: "assistant", content: `${chatter} Berth ${number} is free.` },
];
const turns = (count: number): ChatMessage[] => Array.from({ length: count }, (_, number) => turn(number)).flat();
const question: ChatMessage = { role: "user", content: "Which berth was it?" };

describe("a conversation", () => {
  test("that fits stays as it is", () => {
    const request = { messages: [system, ...turns(2), question] };
    const result = compressHistory(request, WINDOW);
    expect(result.request).toBe(request);
    expect(result).toEqual({ request, promptTokens: countPrompt(request) });
  });

  test("that is too long keeps the system's words and its last turns, and the oldest become a summary between them", () => {
    const messages = [system, ...turns(TURNS), question];
    const { request, promptTokens, compressed } = compressHistory({ messages }, WINDOW);
    const [first, summary, ...kept] = request.messages;
    expect(first).toBe(system);
    const newest = TURNS - (kept.length - 1) / 2 - 1;
    const said = String(summary!.content);
    expect(said).toEndWith(`\nuser: Question ${newest} is about the ferry.\nassistant: Berth ${newest} is free.`);
    expect(said).not.toContain("weather");
    expect(kept).toEqual(messages.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(3);
    expect(kept[0]!.role).toBe("user");
    expect(promptTokens).toBe(countPrompt(request));
    expect(promptTokens).toBeLessThan(WINDOW);
    expect(compressed).toEqual({ originalTokens: countPrompt({ messages }), finalTokens: promptTokens });
  });

  test("that is too long keeps the documents that it is about", () => {
    const document: ChatMessage = { role: "user", content: `The ferry's timetable. ${chatter.repeat(3)}` };
    const { request, compressed } = compressHistory({ messages: [system, document, ...turns(TURNS), question] }, WINDOW, 1);
    expect(request.messages.slice(0, 2)).toEqual([system, document]);
    expect(String(request.messages[2]!.content)).toStartWith("Summary of the earlier conversation");
    expect(compressed!.finalTokens).toBeLessThan(WINDOW);
  });

  test("whose last turn alone is too long stays as it is: there is nothing to summarise", () => {
    const request = { messages: [{ role: "user" as const, content: chatter.repeat(40) }] };
    expect(compressHistory(request, WINDOW).request).toBe(request);
    const alone = { messages: [{ role: "user" as const, content: chatter.repeat(17) }] };
    expect(countPrompt(alone)).toBeWithin(0.8 * WINDOW, 0.9 * WINDOW);
    expect(compressHistory(alone, WINDOW).request).toBe(alone);
    const later = { messages: [...turns(3), ...request.messages] };
    expect(compressHistory(later, WINDOW).request).toBe(later);
  });
});

const price = "input_usd_per_million: 1, output_usd_per_million: 1";
const upstream = upstreamStubOfFile();
upstream.answer(completion("Berth 39 it was."));
const gateway = await gatewayOfFile({
  settings: `providers:
  house:
    base_url: ${upstream.url}/v1
models:
  - { id: small, provider: house, context_window: ${WINDOW}, abilities: [vision], ${price} }
  - { id: large, provider: house, context_window: ${25 * WINDOW}, abilities: [tools], ${price} }
`,
});

describe("a call", () => {
  test("says that its context was compressed, and from how much to how much", async () => {
    const key = await gateway.key({ mode: "live" });
    const response = await gateway.send(key, "POST", "/v1/chat", { model: "small", messages: [...turns(TURNS), question] });
    const { svc } = (await response.json()) as any;
    expect(svc.context).toEqual({ compressed: true, original_tokens: expect.any(Number), final_tokens: expect.any(Number) });
    expect(svc.context.original_tokens).toBeGreaterThan(WINDOW);
    expect(svc.context.final_tokens).toBeLessThan(WINDOW);
    const sent = upstream.seen.at(-1)!.body.messages;
    expect([sent[0].role, sent[0].content]).toEqual(["system", expect.stringContaining("Berth 30 is free.")]);
    expect(sent.at(-1)).toEqual(question);
  });

  test("about a document is sent what of it the question is about, however long the conversation was", async () => {
    const key = await gateway.key({ mode: "live", project: "about-document" });
    const pages = Array.from(
      { length: 30 },
      (_, number) => `# Berth ${number}\n\nPier ${number} has ${number + 500} bollards. ${chatter}`,
    );
    const { id } = await ingested(gateway, key, "harbour.md", pages.join("\n\n"));
    const messages = [...turns(TURNS), { role: "user", content: "How many bollards has pier 17?" }];
    const response = await gateway.send(key, "POST", "/v1/chat", { model: "small", document_id: id, messages });
    const { svc } = (await response.json()) as any;
    expect([svc.context.compressed, svc.citations.length > 0]).toEqual([true, true]);
    expect(upstream.seen.at(-1)!.body.messages[0].content).toContain("517 bollards");
  });

  test("is made to fit the models that may answer, or can, not those that may not or cannot", async () => {
    const asked = async (project: string, last: unknown) => {
      const key = await gateway.key({ mode: "live", project });
      const response = await gateway.send(key, "POST", "/v1/chat", {
        messages: [...turns(TURNS), { role: "user", content: last }],
      });
      const { model, svc } = (await response.json()) as any;
      return [model, svc.context?.compressed];
    };
    expect(await asked("free", "Which berth was it?")).toEqual(["large", undefined]);
    const pixel = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    expect(await asked("free", [{ type: "text", text: "Which berth is this?" }, pixel])).toEqual(["small", true]);
    await gateway.policy(await gateway.key({ project: "bound" }), "routing", { model_allow_list: ["small"] });
    expect(await asked("bound", "Which berth was it?")).toEqual(["small", true]);
  });
});

test("a call is made to fit a model whose tokenizer makes more of it than our estimate", async () => {
  using upstream = startUpstreamStub();
  await using gateway = await startGateway({
    environment: { ANTHROPIC_API_KEY: "sk-ant", ANTHROPIC_BASE_URL: upstream.url },
    settings: `models: [{ id: claude-sonnet-5-5, context_window: ${WINDOW} }]`,
  });
  upstream.answer(claude("Berth 39."));
  const key = await gateway.key({ mode: "live" });
  const ask = async (messages: ChatMessage[]) => {
    expect(countPrompt({ messages })).toBeLessThan(0.87 * WINDOW);
    return (await gateway.send(key, "POST", "/v1/chat", { model: "claude-sonnet-5-5", messages })).json() as any;
  };
  expect((await ask([...turns(7), question])).svc.context?.compressed).toBe(true);
  const { error } = await ask([{ role: "user", content: chatter.repeat(17) }]);
  expect(error.code).toBe("context_length_exceeded");
  // By these words Anthropic's clients know that they must shorten the conversation.
  expect(error.message).toMatch(/prompt is too long: about \d+ tokens > \d+ maximum/);
});
