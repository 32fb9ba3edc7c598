/** Which model a conversation stays with, and when it stops. */

import { expect, test } from "bun:test";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { conversationKey, createConversations, isContinued } from "../../src/router/conversations.ts";

const first: ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Name a river." },
];
const second: ChatMessage[] = [...first, { role: "assistant", content: "The Elbe." }, { role: "user", content: "Another." }];

test("a later turn has the key of the first; another opening, owner or session has not", () => {
  const key = conversationKey("project live", first, undefined);
  expect(conversationKey("project live", second, undefined)).toBe(key);
  expect(conversationKey("project test", first, undefined)).not.toBe(key);
  expect(conversationKey("project live", second.slice(3), undefined)).not.toBe(key);
  expect(conversationKey("project live", second, "s1")).toBe(conversationKey("project live", [], "s1"));
});

test("only what has an answer before it, or a session, is continued", () => {
  expect(isContinued(first, undefined)).toBe(false);
  expect(isContinued(second, undefined)).toBe(true);
  expect(isContinued(first, "s1")).toBe(true);
});

test("the model is kept for half an hour, and not when the prompt has become harder", () => {
  const conversations = createConversations();
  conversations.remember("key", "gpt-6-luna", 1, 0);
  expect(conversations.find("key", 1, 29 * 60_000)).toBe("gpt-6-luna");
  expect(conversations.find("key", 0, 29 * 60_000)).toBe("gpt-6-luna");
  expect(conversations.find("key", 2, 1)).toBeUndefined();
  expect(conversations.find("key", 1, 31 * 60_000)).toBeUndefined();
  expect(conversations.find("other", 0, 0)).toBeUndefined();
});

test("five thousand conversations are remembered", () => {
  const conversations = createConversations();
  for (let i = 0; i < 15_000; i++) conversations.remember(`key ${i}`, "model", 0, 0);
  expect(conversations.find("key 10000", 0, 0)).toBe("model");
  expect(conversations.find("key 0", 0, 0)).toBeUndefined();
});
