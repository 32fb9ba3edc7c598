/** What a body may hold where a field can be left out, and what is said where it cannot. */

import { expect, spyOn, test } from "bun:test";
import { ApiError } from "../../src/api-error.ts";
import { ChatBody } from "../../src/chat/wire.ts";
import { DocumentQuery } from "../../src/documents/query/query-wire.ts";
import { DocumentUpload } from "../../src/documents/wire.ts";
import { checkShape, parseJson, requireJsonType } from "../../src/http/read-json.ts";
import { CreatePolicySchema } from "../../src/policies/wire.ts";

const messages = [{ role: "user", content: "Hello." }];

const refusal = (check: () => unknown): [unknown, string] => {
  try {
    check();
  } catch (error) {
    if (error instanceof ApiError) return [error.options.param, error.message];
    throw error;
  }
  throw new Error("It was taken.");
};

test("null stands for a field that is left out, also inside of others", () => {
  const url = "https://example.com/a.png";
  const picture = (detail: object) => ({ role: "user", content: [{ type: "image_url", image_url: { url, ...detail } }] });
  const given = {
    messages: [picture({ detail: null }), { role: "user", name: null, content: "Hello." }],
    memory: { enabled: null, include_last_n: null },
    stream_options: { include_usage: null },
    tools: [{ type: "function", function: { name: "f", description: null, parameters: null } }],
  };
  expect(checkShape(ChatBody, given) as unknown).toEqual({
    messages: [picture({}), messages[0]],
    memory: {},
    stream_options: {},
    tools: [{ type: "function", function: { name: "f" } }],
  });
  expect(checkShape(DocumentUpload, { filename: "a.txt", content: "x", content_type: null, encoding: null })).toEqual({
    filename: "a.txt",
    content: "x",
  });
  expect(checkShape(DocumentQuery, { query: "x", top_k: null, threshold: null, metadata: { filter: null } })).toEqual({
    query: "x",
    metadata: {},
  });
});

test("null among free names stands for a name that is left out", () => {
  expect(
    checkShape(ChatBody, { messages: [{ role: "user", content: "Hello." }], metadata: { team: "red", run: null } }).metadata,
  ).toEqual({
    team: "red",
  });
});

test("null is refused where a field is required, unknown or an item", () => {
  expect(refusal(() => checkShape(ChatBody, { messages: null, memory: { enabled: null } }))).toEqual([
    "messages",
    "`messages` must be an array of at least 1 item; it was null.",
  ]);
  expect(refusal(() => checkShape(ChatBody, { messages: [{ role: "user", content: null }] }))[0]).toBe("messages.0.content");
  expect(refusal(() => checkShape(ChatBody, { messages: [null] }))[0]).toBe("messages.0");
  expect(refusal(() => checkShape(ChatBody, { messages, document_ids: [null] }))[0]).toBe("document_ids.0");
  expect(refusal(() => checkShape(CreatePolicySchema, { template: "budget-mode", shape: null }))[0]).toBe("shape");
});

test("however many nulls there are, each message is looked at a few times", () => {
  let looks = 0;
  const message = () => ({
    get role() {
      looks++;
      return "user";
    },
    content: "Hello.",
    name: null,
  });
  const looksAt = (count: number) => {
    looks = 0;
    checkShape(ChatBody, { messages: Array.from({ length: count }, message) });
    return looks / count;
  };
  expect(looksAt(400)).toBeLessThanOrEqual(looksAt(50));
});

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const parsed = (text: string): unknown => parseJson(new TextEncoder().encode(text));

test("a body may be 128 levels deep, wherever in it, and is otherwise refused", () => {
  expect(JSON.stringify(parsed(nested(128)))).toBe(nested(128));
  expect(parsed('{"a":[null]}')).toEqual({ a: [null] });
  for (const inside of [(text: string) => text, (text: string) => `{"a":[1,{"b":${text.slice(2, -2)}}]}`]) {
    expect(refusal(() => parsed(inside(nested(130))))[1]).toBe("The request body is nested deeper than 128 levels.");
  }
  expect(refusal(() => parsed(nested(100_000)))[1]).toBe("The request body is nested deeper than 128 levels.");
});

test("a list is looked at item by item: it is not copied, and not read on behind what is too deep", () => {
  const seen = { copies: 0, behind: 0 };
  const items = [JSON.parse(nested(128)), {}];
  Object.defineProperty(items, 1, { enumerable: true, get: () => ++seen.behind });
  const list = new Proxy(items, {
    ownKeys: (target) => {
      seen.copies++;
      return Reflect.ownKeys(target);
    },
  });
  using _parse = spyOn(JSON, "parse").mockReturnValueOnce(list);
  expect(refusal(() => parsed("[]"))[1]).toContain("nested deeper");
  expect(seen).toEqual({ copies: 0, behind: 0 });
});

test("a body that is no JSON, or no UTF-8, is refused for what it is", () => {
  const typed = (headers: Record<string, string>) => () => requireJsonType(new Request("http://a/", { headers }));
  expect(refusal(typed({ "content-type": "text/plain" }))[1]).toContain("application/json");
  const curls = refusal(typed({ "content-type": "application/x-www-form-urlencoded" }))[1];
  expect(curls).toContain('as curl does unless it is told: -H "Content-Type: application/json".');
  for (const type of ["application/problem+json; charset=utf-8", ""]) expect(typed({ "content-type": type })).not.toThrow();
  expect(refusal(() => parseJson(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])))[1]).toContain("not valid UTF-8");
});
