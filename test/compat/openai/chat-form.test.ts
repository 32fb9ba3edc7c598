/** What Cursor and Zed send to chat completions in other APIs' forms, and what stays as it is. */

import { expect, test } from "bun:test";
import { inChatForm } from "../../../src/compat/openai/chat-form.ts";

const SCHEMA = { type: "object", properties: { path: { type: "string" } } };
const PIXEL = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };

const toolsOf = (...tools: object[]) => (inChatForm({ tools }) as { tools: unknown }).tools;
const choiceOf = (choice: unknown) => (inChatForm({ tool_choice: choice }) as { tool_choice: unknown }).tool_choice;
const messagesOf = (...messages: object[]) => (inChatForm({ messages }) as { messages: unknown }).messages;

test("what is in the form of chat, or in none that is known, stays as it is", () => {
  const body = {
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }, "hi", { role: "user" }],
    tools: [
      { type: "function", function: { name: "look" } },
      { type: "custom", custom: { name: "patch" } },
      { type: "web_search" },
      1,
    ],
    tool_choice: { type: "function", function: { name: "look" } },
    extra: 1,
  };
  expect(inChatForm(body)).toEqual(body);
  expect(toolsOf({ type: "bash_20250124", name: "bash" })).toEqual([{ type: "bash_20250124", name: "bash" }]);
  for (const other of [[], "text", null]) expect(inChatForm(other)).toEqual(other as never);
});

test("tools of the Responses API and of Anthropic are declared as chat declares them", () => {
  const grammar = { syntax: "lark", definition: 'start: "x"' };
  expect(
    toolsOf(
      { type: "function", name: "look", description: "Looks", parameters: SCHEMA, strict: false },
      { type: "custom", name: "patch", description: "Patches", format: { type: "grammar", ...grammar } },
      { type: "custom", name: "plain", cache_control: { type: "ephemeral" } },
      { name: "read", description: "Reads", input_schema: SCHEMA, cache_control: { type: "ephemeral" } },
      { type: "custom", name: "write", input_schema: SCHEMA },
    ),
  ).toEqual([
    { type: "function", function: { name: "look", description: "Looks", parameters: SCHEMA, strict: false } },
    { type: "custom", custom: { name: "patch", description: "Patches", format: { type: "grammar", grammar } } },
    { type: "custom", custom: { name: "plain" }, cache_control: { type: "ephemeral" } },
    {
      type: "function",
      function: { name: "read", description: "Reads", parameters: SCHEMA },
      cache_control: { type: "ephemeral" },
    },
    { type: "function", function: { name: "write", parameters: SCHEMA } },
  ]);
});

test("a choice among tools is told as chat tells it", () => {
  for (const word of ["auto", "none", "any", "required"]) expect(choiceOf({ type: word })).toBe(word);
  for (const type of ["tool", "function"])
    expect(choiceOf({ type, name: "look" })).toEqual({ type: "function", function: { name: "look" } });
  expect(choiceOf({ type: "custom", name: "patch" })).toEqual({ type: "custom", custom: { name: "patch" } });
  for (const other of ["auto", null, { type: "allowed_tools", allowed_tools: {} }]) expect(choiceOf(other)).toEqual(other);
});

test("Anthropic's calls, results and pictures in messages become chat's", () => {
  const call = (id: string, input?: object) => ({ type: "tool_use", id, name: "read", input });
  expect(
    messagesOf(
      {
        role: "assistant",
        content: [
          { type: "redacted_thinking", data: "x" },
          { type: "text", text: "Let me see." },
          call("a", { path: "x" }),
          call("b"),
        ],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "Go on." },
          { type: "tool_result", tool_use_id: "a", content: "done" },
          {
            type: "tool_result",
            tool_use_id: "b",
            content: [
              { type: "text", text: "seen" },
              { type: "image", source: PIXEL },
            ],
          },
          { type: "tool_result", tool_use_id: "c" },
        ],
      },
      { role: "user", content: [{ type: "image", source: { type: "url", url: "https://a.example/x.png" } }] },
      { role: "user", content: [{ type: "image_url", image_url: "https://a.example/y.png" }] },
    ),
  ).toEqual([
    {
      role: "assistant",
      content: [{ type: "text", text: "Let me see." }],
      tool_calls: [
        { id: "a", type: "function", function: { name: "read", arguments: '{"path":"x"}' } },
        { id: "b", type: "function", function: { name: "read", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "done" },
    {
      role: "tool",
      tool_call_id: "b",
      content: [
        { type: "text", text: "seen" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      ],
    },
    { role: "tool", tool_call_id: "c", content: "" },
    { role: "user", content: [{ type: "text", text: "Go on." }] },
    { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/x.png" } }] },
    { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/y.png" } }] },
  ]);
  expect(messagesOf({ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "done" }] })).toEqual([
    { role: "tool", tool_call_id: "a", content: "done" },
  ]);
});

test("how much to think is read in the words of other servers, unless chat's own field says it", () => {
  const asked = (body: object) => inChatForm(body);
  for (const [body, effort] of [
    [{ reasoning: { effort: "high", exclude: true } }, "high"],
    [{ reasoning: { max_tokens: 5_000 } }, "medium"],
    [{ reasoning: { enabled: false } }, "none"],
    [{ thinking: { type: "disabled" } }, "none"],
    [{ thinking: { type: "enabled", budget_tokens: 20_000 } }, "high"],
    [{ enable_thinking: false }, "none"],
    [{ chat_template_kwargs: { enable_thinking: false } }, "none"],
  ] as const)
    expect(asked(body)).toEqual({ reasoning_effort: effort });
  for (const body of [
    { reasoning_effort: "low", thinking: { type: "disabled" } },
    { reasoning: { effort: "ultra" } },
    { reasoning: { enabled: true } },
    { thinking: { type: "enabled" } },
    { enable_thinking: true, chat_template_kwargs: { other: 1 } },
  ])
    expect(asked(body)).toEqual(body);
});
