import { expect, test } from "bun:test";
import { type ApiError, invalidRequest, serviceUnavailable } from "../../../src/api-error.ts";
import { type ChatInput, messagesAs } from "../../../src/chat/request/chat-input.ts";

const asTold = (error: ApiError, messagesField?: "prompt" | "input") =>
  messagesAs({ ...(messagesField && { messagesField }) } as ChatInput, error) as ApiError;

test("a place in the messages is told by the name that the caller's API has for them", () => {
  const error = invalidRequest("`messages.0.content` is too long.", "messages.0.content", "too_long");
  const { message, options } = asTold(error, "input");
  expect([message, options.param, options.code]).toEqual(["`input` is too long.", "input", "too_long"]);
  expect(asTold(error)).toBe(error);
  for (const other of [invalidRequest("No.", "model"), serviceUnavailable("Down.")]) expect(asTold(other, "prompt")).toBe(other);
});
