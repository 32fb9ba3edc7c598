/** Tools that share a name reach every vendor once. */

import { expect, test } from "bun:test";
import { uniqueTools } from "../../src/providers/unique-tools.ts";
import { contextWith, providerFor } from "../support/chat-provider.ts";
import { upstreamStubOfFile } from "../support/upstream-stub.ts";
import { claude } from "../support/vendor-answers.ts";

const stub = upstreamStubOfFile();
const tools = [
  { name: "list", description: "of one server" },
  { name: "list", description: "of another" },
  { name: "get", description: "" },
];

test("of tools with one name the first is offered", async () => {
  stub.answer(claude("Hello."));
  const request = { messages: [{ role: "user" as const, content: "hi" }], maxOutputTokens: 10, tools };
  await providerFor("anthropic", stub.url).chat!("m", request, contextWith());
  const sent = stub.seen[0]!.body.tools.map(({ name, description }: any) => [name, description]);
  expect(sent).toEqual([
    ["list", "of one server"],
    ["get", ""],
  ]);
});

test("a request whose tools are all different stays as it is", () => {
  const request = { messages: [], tools: tools.slice(1) };
  expect(uniqueTools(request)).toBe(request);
});
