/** Tools whose names a vendor would refuse, through the real provider: it is told others, and its calls come back under the callers' own. */

import { expect, test } from "bun:test";
import type { Dialect } from "../../src/catalog/model.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { contextWith, providerFor } from "../support/chat-provider.ts";
import { type Answer, json, upstreamStubOfFile } from "../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

const LONG = `mcp__records__${"find_by_name_".repeat(5)}and_place`;
const DOTTED = "math.add numbers";
const PLAIN = "look_up";
const OTHER = "look_up_more";

const asking = (name: string): ChatRequest => ({
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: "", toolCalls: [{ id: "c0", name, arguments: "{}" }] },
    { role: "tool", toolCallId: "c0", content: "1" },
  ],
  tools: [{ name }, { name: OTHER }],
  toolChoice: { name },
});

type Wire = { namesIn(body: any): string[]; answer(name: string): Answer };

const openAiCall = (name: string) => ({ index: 0, id: "c1", type: "function", function: { name, arguments: "{}" } });
const geminiAnswer = (name: string) => ({
  candidates: [{ content: { parts: [{ functionCall: { name, args: {} } }] }, finishReason: "STOP" }],
});
const WIRES: Partial<Record<Dialect, Wire>> = {
  openai: {
    namesIn: ({ tools, tool_choice, messages }) => [
      ...tools.map((tool: any) => tool.function.name),
      tool_choice.function.name,
      messages[1].tool_calls[0].function.name,
    ],
    answer: (name) => json({ choices: [{ message: { tool_calls: [openAiCall(name)] }, finish_reason: "tool_calls" }] }),
  },
  anthropic: {
    namesIn: ({ tools, tool_choice, messages }) => [
      ...tools.map((tool: any) => tool.name),
      tool_choice.name,
      messages[1].content[0].name,
    ],
    answer: (name) => json({ content: [{ type: "tool_use", id: "c1", name, input: {} }], stop_reason: "tool_use" }),
  },
  google: {
    namesIn: ({ tools, toolConfig, contents }) => [
      ...tools[0].functionDeclarations.map((tool: any) => tool.name),
      ...toolConfig.functionCallingConfig.allowedFunctionNames,
      contents[1].parts[0].functionCall.name,
    ],
    answer: (name) => json(geminiAnswer(name)),
  },
};

const TAKEN: Partial<Record<Dialect, RegExp>> = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  google: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
};

for (const dialect of ["openai", "anthropic", "google"] as const) {
  const { namesIn, answer } = WIRES[dialect]!;
  test(`${dialect} is told names that it takes, and the caller its own`, async () => {
    for (const name of [LONG, DOTTED, "9 lives", PLAIN, `${LONG}${LONG}`]) {
      const provider = providerFor(dialect, stub.url);
      stub.answer(({ body }) => answer(namesIn(body)[0]!)(undefined as never));
      const { toolCalls } = await provider.chat!("m", asking(name), contextWith());
      const [sent, other, ...again] = namesIn(stub.seen.at(-1)!.body);
      expect(sent).toMatch(TAKEN[dialect]!);
      expect([other, ...again]).toEqual([OTHER, sent!, sent!]);
      if (TAKEN[dialect]!.test(name)) expect(sent).toBe(name);
      expect(toolCalls.map((call) => call.name)).toEqual([name]);
    }
  });
}

test("names that differ stay apart, and each is the same in every request", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 2; round++) {
    for (const name of ["a.b", "a b", "a_b", `${LONG}1`, `${LONG}2`]) {
      stub.answer(WIRES.openai!.answer("x"));
      await providerFor("openai", stub.url).chat!("m", asking(name), contextWith());
      seen.add(WIRES.openai!.namesIn(stub.seen.at(-1)!.body)[0]!);
    }
  }
  expect(seen.size).toBe(5);
});
