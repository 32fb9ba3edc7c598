/** Code snippets with the real address and key, for common clients (decisions §5). */

export type Snippet = { id: string; label: string; code: string };

export const snippetsFor = (origin: string, key: string, prompt: string): Snippet[] => {
  const text = JSON.stringify(prompt);
  return [
    curl(origin, key, JSON.stringify({ messages: [{ role: "user", content: prompt }] })),
    {
      id: "openai-js",
      label: "OpenAI SDK (Node)",
      code: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: "${key}" });
const answer = await client.chat.completions.create({
  model: "auto",
  messages: [{ role: "user", content: ${text} }],
});
console.log(answer.choices[0].message.content);`,
    },
    {
      id: "openai-python",
      label: "OpenAI SDK (Python)",
      code: `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="auto",
    messages=[{"role": "user", "content": ${text}}],
)
print(answer.choices[0].message.content)`,
    },
    {
      id: "anthropic",
      label: "Anthropic SDK",
      code: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${origin}", apiKey: "${key}" });
const answer = await client.messages.create({
  model: "auto",
  max_tokens: 1024,
  messages: [{ role: "user", content: ${text} }],
});
console.log(answer.content[0].text);`,
    },
    {
      id: "claude-code",
      label: "Claude Code",
      code: `export ANTHROPIC_BASE_URL="${origin}"
export ANTHROPIC_AUTH_TOKEN="${key}"
claude`,
    },
  ];
};

/** Within single quotes a shell changes nothing; only single quotes need escaping. */
const curl = (origin: string, key: string, json: string): Snippet => ({
  id: "curl",
  label: "curl",
  code: `curl ${origin}/v1/chat \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", `'\\''`)}'`,
});

/** The playground's request, as it was sent. */
export const requestSnippets = (origin: string, body: object): Snippet[] => {
  const { messages, model, ...rest } = body as Record<string, unknown>;
  // A message that calls tools has no content.
  const answered = "tools" in rest ? "answer.choices[0].message" : "answer.choices[0].message.content";
  const extra = Object.keys(rest).length === 0 ? "" : `,\n  ${JSON.stringify(rest, null, 2).slice(2, -2).trim()}`;
  return [
    curl(origin, "$SIGNALBOX_KEY", JSON.stringify(body, null, 2)),
    {
      id: "openai-js",
      label: "OpenAI SDK (Node)",
      code: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: process.env.SIGNALBOX_KEY });
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model ?? "auto")},
  messages: ${JSON.stringify(messages, null, 2).replaceAll("\n", "\n  ")}${extra}
});
console.log(${answered});`,
    },
    {
      id: "openai-python",
      label: "OpenAI SDK (Python)",
      code: `import json, os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["SIGNALBOX_KEY"])
request = json.loads(r"""${JSON.stringify({ messages }, null, 2)}""")
answer = client.chat.completions.create(
    model=${JSON.stringify(model ?? "auto")},
    messages=request["messages"],${Object.keys(rest).length === 0 ? "" : `\n    extra_body=json.loads(r"""${JSON.stringify(rest)}"""),`}
)
print(${answered})`,
    },
  ];
};
