/** LangChain JS over OpenAI's and Anthropic's classes. */

import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { z } from "zod";
import { BASE_URL, check, equal, finish, KEY, rejects } from "./check.mjs";

const configuration = { baseURL: `${BASE_URL}/v1` };
const models = {
  openai: new ChatOpenAI({ model: "auto", apiKey: KEY, configuration, maxRetries: 0, useResponsesApi: false }),
  responses: new ChatOpenAI({ model: "auto", apiKey: KEY, configuration, maxRetries: 0, useResponsesApi: true }),
  anthropic: new ChatAnthropic({ model: "auto", apiKey: KEY, anthropicApiUrl: BASE_URL, maxRetries: 0, maxTokens: 500 }),
};
const prompt = "[[sandbox:reply=All lines are clear.]]";
const weather = { name: "get_weather", description: "The weather in a city", schema: z.object({ city: z.string() }) };

for (const [name, model] of Object.entries(models)) {
  await check(`${name}: invoke`, async () => equal((await model.invoke(prompt)).text, "All lines are clear."));
  await check(`${name}: stream`, async () => {
    let text = "";
    for await (const chunk of await model.stream(prompt)) text += chunk.text;
    equal(text, "All lines are clear.");
  });
  await check(`${name}: tools`, async () => {
    const answer = await model.bindTools([weather]).invoke("What is the weather in Paris and Tokyo?");
    equal(
      answer.tool_calls.map(({ args }) => args.city),
      ["Paris", "Tokyo"],
    );
  });
  await check(`${name}: structured output`, async () => {
    const person = await model
      .withStructuredOutput(z.object({ name: z.string(), age: z.number().int() }), { name: "person" })
      .invoke("Ada Lovelace is 36 years old. Extract name and age.");
    equal(Object.keys(person).sort(), ["age", "name"]);
  });
  await check(`${name}: usage`, async () => {
    if (!((await model.invoke(prompt)).usage_metadata.output_tokens > 0)) throw new Error("no usage");
  });
}
await check("embeddings", async () => {
  const vectors = await new OpenAIEmbeddings({ model: "embed-local", apiKey: KEY, configuration }).embedDocuments(["one", "two"]);
  equal(
    vectors.map((vector) => vector.length),
    [256, 256],
  );
});
await check("a wrong key raises", () =>
  rejects(
    () => new ChatOpenAI({ model: "auto", apiKey: "pk_test_nobody", configuration, maxRetries: 0 }).invoke(prompt),
    (error) => error.status === 401,
  ),
);
finish();
