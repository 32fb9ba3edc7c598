import { expect, test } from "bun:test";
import { picturesToUser } from "../../src/providers/pictures-to-user.ts";
import type { ChatMessage, ContentPart } from "../../src/providers/provider.ts";

const picture: ContentPart = { type: "image", url: "data:image/png;base64,AAAA" };
const text = (words: string): ContentPart => ({ type: "text", text: words });
const moved = (...messages: ChatMessage[]): ChatMessage[] => picturesToUser({ messages }).messages;

test("an answer keeps its words and calls, but not its thoughts, which are valid only in the original", () => {
  const toolCalls = [{ id: "a", name: "look", arguments: "{}" }];
  const thoughts = [{ thought: { text: "Hm.", signature: "s" }, partsBefore: 1, callsBefore: 0 }];
  const user: ChatMessage = { role: "user", content: "Make it blue." };
  expect(moved({ role: "assistant", content: [picture, text("A fox.")], toolCalls, thoughts }, user)).toEqual([
    { role: "assistant", content: "A fox.", toolCalls },
    { role: "user", content: [picture, text("Make it blue.")] },
  ]);
});

test("an answer of pictures alone is left out, and its pictures too where no message of the user follows", () => {
  const user: ChatMessage = { role: "user", content: "Draw a fox." };
  expect(moved(user, { role: "assistant", content: [picture] })).toEqual([user]);
});

test("a conversation without any is the same object", () => {
  const request = { messages: [{ role: "user" as const, content: [picture] }] };
  expect(picturesToUser(request)).toBe(request);
});
