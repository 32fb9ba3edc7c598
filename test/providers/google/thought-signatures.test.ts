/** Gemini's signatures go back with their calls; what it refuses is left behind. */

import { expect, test } from "bun:test";
import { withSignature } from "../../../src/providers/dialect/tool-call-ids.ts";
import type { ChatMessage } from "../../../src/providers/provider.ts";
import { contextWith, providerFor } from "../../support/chat-provider.ts";
import { json, upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { answersOf, contents, end, frame } from "./ask-gemini.ts";

const stub = upstreamStubOfFile();
const { streamed } = answersOf(stub);

test("a thought signature and Gemini's own id return with the call, inside an id that clients keep", async () => {
  const signature = "EtoF+/abc==";
  const all = await streamed([
    frame([{ functionCall: { id: "own-1", name: "f", args: { a: 1 } }, thoughtSignature: signature }]),
    end,
  ]);
  const [toolCall] = all.toolCalls;
  expect(toolCall!.id).toMatch(/^[\w-]+$/);
  const [, model, user] = contents([
    { role: "user", content: "hi" },
    { role: "assistant", content: "", toolCalls: [toolCall!] },
    { role: "tool", toolCallId: toolCall!.id, content: '{"r":1}' },
  ]);
  expect(model).toEqual({
    role: "model",
    parts: [{ functionCall: { id: "own-1", name: "f", args: { a: 1 } }, thoughtSignature: signature }],
  });
  expect(user).toEqual({ role: "user", parts: [{ functionResponse: { id: "own-1", name: "f", response: { r: 1 } } }] });
});

test("calls of other models go with the stand-in signature where the model asks for one", () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "",
      toolCalls: [
        { id: "call_1", name: "f", arguments: "" },
        { id: "call_2", name: "g", arguments: "{}" },
      ],
    },
    { role: "tool", toolCallId: "call_1", content: "plain" },
    { role: "tool", toolCallId: "call_2", content: "[1]" },
  ];
  const [, plain, results] = contents(messages);
  expect(plain.parts).toEqual([
    { functionCall: { id: "call_1", name: "f", args: {} } },
    { functionCall: { id: "call_2", name: "g", args: {} } },
  ]);
  expect(results.parts.map(({ functionResponse }: any) => [functionResponse.name, functionResponse.response])).toEqual([
    ["f", { result: "plain" }],
    ["g", { result: "[1]" }],
  ]);
  const [, signed] = contents(messages, { thinking: "level" });
  expect(signed.parts.map((part: any) => part.thoughtSignature)).toEqual(["skip_thought_signature_validator", undefined]);
});

test("signatures that Gemini refuses, or misses, are left behind: the call is made again with the stand-in alone", async () => {
  const id = withSignature("own-1", "google", "of another account");
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: "Let me look.",
      toolCalls: [
        { id, name: "f", arguments: "{}" },
        { id: "own-2", name: "g", arguments: "{}" },
      ],
    },
    { role: "tool", toolCallId: id, content: "1" },
    { role: "tool", toolCallId: "own-2", content: "2" },
  ];
  for (const message of [
    "Corrupted thought signature.",
    "Unable to submit request because Thought signature is not valid.",
    "Function call is missing a thought_signature in functionCall parts.",
  ]) {
    stub.seen.length = 0;
    stub.answer(
      json({ error: { code: 400, status: "INVALID_ARGUMENT", message } }, 400),
      json(frame([{ text: "Done." }], { finishReason: "STOP" })),
    );
    expect((await providerFor("google", stub.url).chat!("m", { messages }, contextWith())).text).toBe("Done.");
    const signatures = stub.seen.map(({ body }) => body.contents[1].parts.map((part: any) => part.thoughtSignature));
    expect(signatures).toEqual([
      [undefined, "of another account", undefined],
      [undefined, "skip_thought_signature_validator", undefined],
    ]);
  }
});
