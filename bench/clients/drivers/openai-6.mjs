/** The last 6.x of OpenAI's Node SDK. */

import OpenAI from "openai";
import { BASE_URL, check, equal, finish, KEY, rejects } from "./check.mjs";

const client = new OpenAI({ apiKey: KEY, baseURL: `${BASE_URL}/v1`, maxRetries: 0 });
const messages = [{ role: "user", content: "[[sandbox:reply=All lines are clear.]]" }];

await check("create", async () => {
  equal((await client.chat.completions.create({ model: "auto", messages })).choices[0].message.content, "All lines are clear.");
});
await check("stream", async () => {
  let text = "";
  for await (const chunk of await client.chat.completions.create({ model: "auto", messages, stream: true }))
    text += chunk.choices[0]?.delta?.content ?? "";
  equal(text, "All lines are clear.");
});
await check("tools", async () => {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const { choices } = await client.chat.completions
    .stream({
      model: "auto",
      messages: [{ role: "user", content: "What is the weather in Paris and Tokyo?" }],
      tools: [{ type: "function", function: { name: "get_weather", parameters } }],
    })
    .finalChatCompletion();
  equal(
    choices[0].message.tool_calls.map((call) => JSON.parse(call.function.arguments).city),
    ["Paris", "Tokyo"],
  );
});
await check("embeddings", async () => {
  const { data } = await client.embeddings.create({ model: "embed-local", input: "one" });
  equal(data[0].embedding.length, 256);
});
await check("errors", () =>
  rejects(
    () => client.chat.completions.create({ model: "no-such-model", messages }),
    (error) => error instanceof OpenAI.NotFoundError,
  ),
);
finish();
