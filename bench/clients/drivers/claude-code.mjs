/** The requests that Claude Code sends: a HEAD probe, the beta query and header, cache marks, system blocks, tools, thinking, token counts. */

import { BASE_URL, check, equal, finish, KEY } from "./check.mjs";

const headers = {
  authorization: `Bearer ${KEY}`,
  "content-type": "application/json",
  "anthropic-version": "2023-06-01",
  "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14",
  "x-app": "cli",
  "user-agent": "claude-cli/2.1.0 (external, cli)",
};
const cached = { cache_control: { type: "ephemeral" } };
const body = {
  model: "claude-sonnet-4-5-20250929",
  max_tokens: 32_000,
  stream: true,
  metadata: { user_id: "user_0a1b_account__session_2c3d" },
  thinking: { type: "enabled", budget_tokens: 31_999 },
  system: [
    { type: "text", text: "You are Claude Code, Anthropic's official CLI for Claude." },
    { type: "text", text: "Use the tools to help the user.", ...cached },
  ],
  tools: [
    {
      name: "Read",
      description: "Reads a file",
      input_schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: { file_path: { type: "string" }, limit: { type: "number" } },
        required: ["file_path"],
        additionalProperties: false,
      },
    },
    {
      name: "Bash",
      description: "Runs a command",
      input_schema: { type: "object", properties: { command: { type: "string" } } },
      ...cached,
    },
  ],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "<system-reminder>Today is Friday.</system-reminder>" },
        { type: "text", text: "[[sandbox:reply=Done.]]", ...cached },
      ],
    },
  ],
};
const post = (path, payload) => fetch(`${BASE_URL}${path}`, { method: "POST", headers, body: JSON.stringify(payload) });
const events = async (response) => {
  equal([response.status, response.headers.get("content-type")?.split(";")[0]], [200, "text/event-stream"]);
  return (await response.text())
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => {
      const data = JSON.parse(/^data: (.*)$/m.exec(block)[1]);
      equal(/^event: (.*)$/m.exec(block)[1], data.type);
      return data;
    });
};

await check("HEAD /", async () => {
  const { status } = await fetch(BASE_URL, { method: "HEAD", redirect: "manual" });
  if (status >= 400) throw new Error(`answered ${status}`);
});
await check("a streamed turn with the beta query", async () => {
  const all = await events(await post("/v1/messages?beta=true", body));
  equal(all[0].type, "message_start");
  equal(all.at(-1).type, "message_stop");
  equal(
    all
      .filter(({ delta }) => delta?.type === "text_delta")
      .map(({ delta }) => delta.text)
      .join(""),
    "Done.",
  );
  equal(all.find(({ type }) => type === "message_delta").delta.stop_reason, "end_turn");
});
await check("a turn that brings tool results and earlier thinking along", async () => {
  const messages = [
    ...body.messages,
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I should read it.", signature: "c2lnbmF0dXJl" },
        { type: "text", text: "I'll read the file." },
        { type: "tool_use", id: "toolu_01", name: "Read", input: { file_path: "/a.txt" } },
        { type: "tool_use", id: "toolu_02", name: "Bash", input: { command: "ls" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_01", content: "1→hello" },
        { type: "tool_result", tool_use_id: "toolu_02", content: [{ type: "text", text: "a.txt" }], is_error: false, ...cached },
        { type: "text", text: "[[sandbox:reply=It says hello.]]" },
      ],
    },
  ];
  const all = await events(await post("/v1/messages?beta=true", { ...body, messages }));
  equal(
    all
      .filter(({ delta }) => delta?.type === "text_delta")
      .map(({ delta }) => delta.text)
      .join(""),
    "It says hello.",
  );
});
await check("a picture that a tool read", async () => {
  const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const messages = [
    { role: "user", content: "Look at a.png" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_01", name: "Read", input: { file_path: "/a.png" } }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_01",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }],
        },
      ],
    },
  ];
  const response = await post("/v1/messages?beta=true", { ...body, stream: false, messages });
  equal(response.status, 200);
});
await check("the small question for a title, not streamed", async () => {
  const response = await post("/v1/messages?beta=true", {
    model: "claude-haiku-4-5-20251001",
    max_tokens: 512,
    temperature: 0,
    system: [{ type: "text", text: "Give a title for this conversation." }],
    messages: [{ role: "user", content: "quota" }],
  });
  const message = await response.json();
  equal([response.status, message.type, message.role], [200, "message", "assistant"]);
});
await check("count_tokens with the beta query", async () => {
  const response = await post("/v1/messages/count_tokens?beta=true", {
    model: body.model,
    system: body.system,
    tools: body.tools,
    messages: body.messages,
    thinking: body.thinking,
  });
  if (!((await response.json()).input_tokens > 10)) throw new Error("not counted");
});
await check("what it sends besides is told to be missing, not broken", async () => {
  const response = await post("/api/event_logging/batch", { events: [] });
  equal(response.status, 404);
});
finish();
