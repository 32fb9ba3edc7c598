/** What Claude thought: asked for, shown with its proof, and handed back where it stood. */

import { expect, test } from "bun:test";
import type { ModelQuirks } from "../../../src/catalog/model.ts";
import type { ChatMessage, ChatRequest, PastThought } from "../../../src/providers/provider.ts";
import { block, build, delta, finish, over, start, stop, stubAnthropic } from "../../support/anthropic-stub.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { json } from "../../support/upstream-stub.ts";

const { stub, streamed } = stubAnthropic();

const turns = (messages: ChatMessage[]): any[] => build({ messages }).messages;

const call = (id: string, name = "f") => ({ id, name, arguments: '{"a":1}' });

test("thinking: adaptive or by budget, never beside a forced tool or inside a tool exchange, and without sampling", () => {
  const think = (request: Partial<ChatRequest>, thinking: "adaptive" | "budget") =>
    build({ reasoningEffort: "high", maxOutputTokens: 10_000, temperature: 0.5, ...request }, { thinking });
  expect(think({}, "adaptive")).toMatchObject({
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "high" },
  });
  expect(think({}, "budget").thinking).toEqual({ type: "enabled", budget_tokens: 5000 });
  expect(think({}, "budget")).not.toHaveProperty("temperature");
  expect(think({ maxOutputTokens: 500 }, "budget")).not.toHaveProperty("thinking");
  expect(think({ tools: [{ name: "f" }], toolChoice: "required" }, "budget")).toMatchObject({ temperature: 0.5 });
  expect(think({ reasoningEffort: "none" }, "adaptive").thinking).toEqual({ type: "disabled" });
});

const thoughtBefore = (partsBefore: number, callsBefore: number, text = "hm") => ({
  thought: { text, signature: `proof of ${text}` },
  partsBefore,
  callsBefore,
});

const asked: ChatMessage = { role: "user", content: "a" };

const calledTwice = (thoughts: PastThought[]): ChatMessage[] => [
  asked,
  { role: "assistant", content: [{ type: "text", text: "Let me see." }], toolCalls: [call("t1"), call("t2")], thoughts },
  { role: "tool", toolCallId: "t1", content: "r" },
  { role: "tool", toolCallId: "t2", content: "r" },
];

test("what was thought goes back unchanged, where it stood; nothing ends with it, and what has no proof stays away", () => {
  const hidden = { thought: { redacted: "xyz" }, partsBefore: 1, callsBefore: 0 };
  const blocks = (thoughts: PastThought[]) => turns(calledTwice(thoughts))[1].content;
  const kinds = (thoughts: PastThought[]) => blocks(thoughts).map(({ type }: any) => type);
  const signed = { type: "thinking", thinking: "hm", signature: "proof of hm" };
  expect(blocks([thoughtBefore(0, 0), hidden])).toMatchObject([
    signed,
    { type: "text" },
    { type: "redacted_thinking", data: "xyz" },
    { type: "tool_use", id: "t1" },
    { type: "tool_use", id: "t2" },
  ]);
  expect(kinds([thoughtBefore(1, 1)])).toEqual(["text", "tool_use", "thinking", "tool_use"]);
  expect(kinds([thoughtBefore(1, 2)])).toEqual(["text", "tool_use", "tool_use"]);
  expect(kinds([{ thought: { text: "hm" }, partsBefore: 0, callsBefore: 0 }])).toEqual(["text", "tool_use", "tool_use"]);
});

test("thinking by a budget joins no answer that began without, whatever the user adds to a tool's result", () => {
  const think = (messages: ChatMessage[]) =>
    build({ messages, reasoningEffort: "low", maxOutputTokens: 10_000 }, { thinking: "budget" }).thinking?.type;
  const more: ChatMessage = { role: "user", content: "Be quick." };
  const secondStep: ChatMessage[] = [
    { role: "assistant", content: "", toolCalls: [call("t3")] },
    { role: "tool", toolCallId: "t3", content: "r" },
  ];
  const without = calledTwice([]);
  const withThought = calledTwice([thoughtBefore(0, 0)]);
  expect([think(without), think([...without, more]), think([...without, ...secondStep])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([think(withThought), think([...withThought, more]), think([...withThought, ...secondStep])]).toEqual(
    Array(3).fill("enabled"),
  );
  expect(think([...without, { role: "assistant", content: "Done." }, more])).toBe("enabled");
});

test("what Anthropic's own clients say of thinking is said as they said it", () => {
  const say = (request: Partial<ChatRequest>, thinking: "adaptive" | "budget" | "always") => {
    const body = build({ maxOutputTokens: 10_000, ...request }, { thinking });
    return [body.thinking, body.output_config];
  };
  const enabled = { mode: "enabled", budgetTokens: 9_000 } as const;
  expect(say({ thinking: enabled }, "budget")).toEqual([{ type: "enabled", budget_tokens: 9_000 }, undefined]);
  // Less is left of the bound than was thought.
  expect(say({ thinking: enabled, maxOutputTokens: 4_000 }, "budget")[0].budget_tokens).toBe(2_000);
  expect(say({ thinking: enabled, reasoningEffort: "medium" }, "adaptive")).toEqual([{ type: "adaptive" }, { effort: "medium" }]);
  const summarized = { mode: "adaptive", display: "summarized" } as const;
  expect(say({ thinking: summarized }, "adaptive")).toEqual([{ type: "adaptive", display: "summarized" }, undefined]);
  expect(say({ thinking: summarized }, "always")).toEqual([{ type: "adaptive", display: "summarized" }, undefined]);
  expect(say({ thinking: enabled, reasoningEffort: "high" }, "always")).toEqual([{ type: "adaptive" }, { effort: "high" }]);
  expect(say({ thinking: { mode: "adaptive" } }, "budget")[0]).toEqual({ type: "enabled", budget_tokens: 5_000 });
  expect(say({ thinking: { mode: "disabled" }, reasoningEffort: "low" }, "adaptive")).toEqual([
    { type: "disabled" },
    { effort: "low" },
  ]);
  const disabled = { thinking: { mode: "disabled" }, reasoningEffort: "none" } as const;
  expect(say(disabled, "adaptive")).toEqual([{ type: "disabled" }, undefined]);
  expect(say(disabled, "always")).toEqual([undefined, undefined]);
  expect(say({ thinking: { mode: "disabled" }, reasoningEffort: "max" }, "adaptive")).toEqual([
    { type: "disabled" },
    { effort: "high" },
  ]);
  expect(say({ thinking: { mode: "default" }, reasoningEffort: "max" }, "adaptive")).toEqual([undefined, { effort: "max" }]);
});

for (const [what, message] of [
  ["another's", "messages.1.content.0: Invalid `signature` in `thinking` block"],
  [
    "another conversation's",
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block.",
  ],
  [
    "changed",
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
  ],
  [
    "missing",
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
  ],
  ["redacted elsewhere", "messages.1.content.0: Invalid `data` in `redacted_thinking` block"],
  [
    "another request's",
    "messages.1.content.0: When providing `thinking` or `redacted_thinking` blocks, the blocks must match the parameters during the original request.",
  ],
  [
    "misplaced",
    "messages.1.content.0: If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`.",
  ],
  ["empty", "messages.1.content.0.thinking: each thinking block must contain thinking"],
  [
    "sealed elsewhere",
    "The encrypted content gAAA could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
  ],
] as const) {
  test(`thoughts that are refused as ${what} are left out of that request, and thinking by a budget with them`, async () => {
    const refused = json({ type: "error", error: { type: "invalid_request_error", message } }, 400);
    const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
    const provider = providerFor("anthropic", stub.url, {}, { thinking: "budget" });
    const request = {
      ...askFor(""),
      maxOutputTokens: 4_000,
      messages: calledTwice([thoughtBefore(0, 0)]),
      reasoningEffort: "low",
    } as const;
    stub.answer(refused, answered);
    expect((await provider.chat!("m", request, contextWith())).text).toBe("ok");
    await provider.chat!("m", request, contextWith());
    const sent = stub.seen.map(({ body }) => [body.thinking?.type, body.messages[1].content[0].type]);
    expect(sent).toEqual([
      ["enabled", "thinking"],
      [undefined, "text"],
      ["enabled", "thinking"],
    ]);
  });
}

test("of a model that the catalog does not know, an Anthropic client's own form of thinking is asked; others ask for none", () => {
  const think = (request: Partial<ChatRequest>) => build({ maxOutputTokens: 4000, ...request }).thinking;
  expect(think({ thinking: { mode: "enabled", budgetTokens: 2000 } })).toEqual({ type: "enabled", budget_tokens: 2000 });
  expect(think({ thinking: { mode: "adaptive", display: "summarized" } })).toEqual({ type: "adaptive", display: "summarized" });
  expect(think({ thinking: { mode: "default" } })).toBeUndefined();
  expect(think({ reasoningEffort: "high" })).toBeUndefined();
});

test("what becomes of earlier thinking is said beside how to think, or alone; where that is refused, only that is left out", async () => {
  const blockBinding = { prefix_mismatch_behavior: "drop_block" };
  const bound = { block_binding: blockBinding };
  const thinking = { mode: "adaptive" as const, blockBinding };
  expect(build({ thinking }, { thinking: "adaptive" }).thinking).toEqual({ type: "adaptive", ...bound });
  expect(build({ thinking: { mode: "default", blockBinding } }, { thinking: "always" }).thinking).toEqual(bound);
  stub.seen.length = 0;
  const message = "thinking.adaptive.block_binding: Extra inputs are not permitted";
  const refused = json({ type: "error", error: { type: "invalid_request_error", message } }, 400);
  const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
  stub.answer(refused, answered, refused, answered);
  const provider = providerFor("anthropic", stub.url, {}, { thinking: "adaptive" });
  for (const _ of [1, 2]) await provider.chat!("m", { ...askFor("hi"), thinking }, contextWith());
  // Another request may name the beta feature that this one lacked.
  const sent = [{ type: "adaptive", ...bound }, { type: "adaptive" }];
  expect(stub.seen.map(({ body }) => body.thinking)).toEqual([...sent, ...sent]);
});

test("thinking that is left to the model stays where thoughts are refused, and goes where they are missing", async () => {
  const refusal = (message: string) => json({ type: "error", error: { type: "invalid_request_error", message } }, 400);
  const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
  const ask = async (thoughts: PastThought[], message: string) => {
    stub.seen.length = 0;
    stub.answer(refusal(message), answered);
    const provider = providerFor("anthropic", stub.url, {}, { thinking: "adaptive" });
    await provider.chat!("m", { ...askFor(""), messages: calledTwice(thoughts), reasoningEffort: "low" }, contextWith());
    return stub.seen.map(({ body }) => body.thinking?.type);
  };
  const invalid = "messages.1.content.0: Invalid `signature` in `thinking` block";
  expect(await ask([thoughtBefore(0, 0)], invalid)).toEqual(["adaptive", "adaptive"]);
  const missing = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.";
  expect(await ask([], missing)).toEqual(["adaptive", undefined]);
});

test("thoughts are cleared only while there is thinking, other edits always; where they are refused, none are made", async () => {
  const edits = [{ type: "clear_thinking_20251015" }, { type: "clear_tool_uses_20250919" }];
  const edited = (thinking: ChatRequest["thinking"], quirks: ModelQuirks) =>
    build({ forAnthropic: { edits }, maxOutputTokens: 8_000, ...(thinking && { thinking }) }, quirks).context_management.edits;
  expect(edited({ mode: "adaptive" }, { thinking: "adaptive" })).toEqual(edits);
  expect(edited({ mode: "default" }, { thinking: "always" })).toEqual(edits);
  for (const mode of ["default", "disabled"] as const) expect(edited({ mode }, { thinking: "adaptive" })).toEqual([edits[1]!]);
  const message = "`clear_thinking_20251015` strategy requires `thinking` to be enabled";
  const answered = json({ type: "message", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" });
  stub.answer(json({ type: "error", error: { type: "invalid_request_error", message } }, 400), answered);
  const provider = providerFor("anthropic", stub.url, {}, { thinking: "always" });
  await provider.chat!("m", { ...askFor("hi"), forAnthropic: { edits } }, contextWith());
  expect(stub.seen.map(({ body }) => body.context_management?.edits.length)).toEqual([2, undefined]);
});

test("what is thought comes with its proof, streamed or not", async () => {
  const all = await streamed([
    start(),
    block(0, { type: "thinking", thinking: "", signature: "" }),
    delta(0, { type: "thinking_delta", thinking: "h" }),
    delta(0, { type: "thinking_delta", thinking: "m" }),
    delta(0, { type: "signature_delta", signature: "pro" }),
    delta(0, { type: "signature_delta", signature: "of" }),
    stop(0),
    block(1, { type: "redacted_thinking", data: "xyz" }),
    stop(1),
    block(2, { type: "text", text: "ok" }),
    stop(2),
    finish("end_turn"),
    over,
  ]);
  expect(all.events.slice(1, 6)).toEqual([
    { type: "thinking", text: "h" },
    { type: "thinking", text: "m" },
    { type: "thinking-end", signature: "proof" },
    { type: "thought", thought: { redacted: "xyz" } },
    { type: "text", text: "ok" },
  ]);
  stub.answer(
    json({
      type: "message",
      content: [
        { type: "thinking", thinking: "", signature: "proof" },
        { type: "text", text: "ok" },
        { type: "redacted_thinking", data: "xyz" },
        { type: "tool_use", id: "t", name: "f", input: {} },
      ],
      stop_reason: "tool_use",
    }),
  );
  const whole = await providerFor("anthropic", stub.url).chat!("m", askFor("hi"), contextWith());
  expect(whole.thoughts).toEqual([
    { thought: { text: "", signature: "proof" }, textBefore: 0 },
    { thought: { redacted: "xyz" }, textBefore: 2 },
  ]);
});

test("a model whose thinking cannot be turned off is only told how hard to think", () => {
  for (const [reasoningEffort, effort] of [
    ["none", "low"],
    ["minimal", "low"],
    ["high", "high"],
    ["xhigh", "xhigh"],
  ] as const) {
    const body = build({ reasoningEffort }, { thinking: "always" });
    expect([body.thinking, body.output_config]).toEqual([undefined, { effort }]);
  }
  const notes: ModelQuirks = { thinking: "always", notesBetweenTools: true };
  expect(build({ reasoningEffort: "none" }, notes)).toMatchObject({ thinking: { type: "between_tools" } });
  expect(build({ thinking: { mode: "between_tools" } }, notes)).toMatchObject({ thinking: { type: "between_tools" } });
  expect(build({ reasoningEffort: "none" }, notes)).not.toHaveProperty("output_config");
  expect(build({ reasoningEffort: "low" }, notes)).not.toHaveProperty("thinking");
  const fewer: ModelQuirks = { thinking: "adaptive", efforts: ["low", "medium", "high", "max"] };
  expect(build({ reasoningEffort: "xhigh" }, fewer).output_config).toEqual({ effort: "high" });
});
