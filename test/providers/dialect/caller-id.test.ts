/** Ids that callers choose, as vendors accept them. */

import { expect, test } from "bun:test";
import { buildAnthropicRequest } from "../../../src/providers/anthropic/build-request.ts";
import { buildOpenAiRequest } from "../../../src/providers/openai/build-request.ts";
import { buildResponsesRequest } from "../../../src/providers/openai-responses/build-request.ts";

const ask = (user: string) => ({ messages: [{ role: "user" as const, content: "hi" }], user, cacheKey: user });
const OPTIONS = { stream: false, quirks: { cacheKey: true } };

test("OpenAI gets no id of more than 64 characters, Anthropic none of more than 256", () => {
  for (const build of [buildOpenAiRequest, buildResponsesRequest]) {
    const fieldsOf = (user: string) => {
      const body = build("m", ask(user), OPTIONS);
      return [body["user"], body["prompt_cache_key"]] as string[];
    };
    expect(fieldsOf("u".repeat(64))).toEqual(["u".repeat(64), "u".repeat(64)]);
    const [one, other] = ["a", "b"].map((end) => fieldsOf("u".repeat(64) + end));
    expect(one!.concat(other!).map((id) => id.length)).toEqual([64, 64, 64, 64]);
    expect(one).toEqual(fieldsOf(`${"u".repeat(64)}a`));
    expect(one).not.toEqual(other);
  }
  const idOf = (user: string) => (buildAnthropicRequest("m", ask(user), OPTIONS)["metadata"] as { user_id: string }).user_id;
  expect(idOf("u".repeat(256))).toBe("u".repeat(256));
  expect(idOf("u".repeat(257))).toMatch(/^[0-9a-f]{64}$/);
});

test("Anthropic gets nobody's e-mail address or telephone number", () => {
  const idOf = (user: string) => (buildAnthropicRequest("m", ask(user), OPTIONS)["metadata"] as { user_id: string }).user_id;
  for (const personal of ["anna@example.org", "+49 (30) 123-4567", "5551234567"])
    expect(idOf(personal)).toMatch(/^[0-9a-f]{64}$/);
  for (const opaque of ["u1", "user_2f1b_account__session_9", "6f9619ff-8b86-d011-b42d-00cf4fc964ff"])
    expect(idOf(opaque)).toBe(opaque);
});
