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
const { content: input } = messages[0];
await check("responses", async () => {
  const whole = await client.responses.create({ model: "auto", input });
  const streamed = await client.responses.stream({ model: "auto", input }).finalResponse();
  equal(
    [whole.output_text, streamed.output_text, streamed.status],
    ["All lines are clear.", "All lines are clear.", "completed"],
  );
});
await check("responses: parsed output", async () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name", "age"],
    additionalProperties: false,
  };
  const { output_parsed: person } = await client.responses.parse({
    model: "auto",
    input: "Ada Lovelace is 36 years old. Extract name and age.",
    text: { format: { type: "json_schema", name: "person", strict: true, schema } },
  });
  equal(Object.keys(person).sort(), ["age", "name"]);
});
await check("responses: tools and their results", async () => {
  const tools = [
    {
      type: "function",
      name: "get_weather",
      strict: false,
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ];
  const question = { role: "user", content: "What is the weather in Paris and Tokyo?" };
  const { output } = await client.responses.stream({ model: "auto", input: [question], tools }).finalResponse();
  equal(
    output.map((item) => JSON.parse(item.arguments).city),
    ["Paris", "Tokyo"],
  );
  const results = output.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "Sunny" }));
  const answer = await client.responses.create({ model: "auto", input: [question, ...output, ...results], tools });
  if (answer.output_text === "") throw new Error("no answer");
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
