/** The Vercel AI SDK, through its OpenAI-compatible, OpenAI (Responses by default, and chat) and Anthropic providers. */

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embed, generateImage, generateText, Output, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { BASE_URL, check, equal, finish, KEY, rejects } from "./check.mjs";

const compatible = createOpenAICompatible({
  name: "signalbox",
  baseURL: `${BASE_URL}/v1`,
  apiKey: KEY,
  supportsStructuredOutputs: true,
});
const openai = createOpenAI({ baseURL: `${BASE_URL}/v1`, apiKey: KEY });
const anthropic = createAnthropic({ baseURL: `${BASE_URL}/v1`, apiKey: KEY });
const models = {
  compatible: compatible("auto"),
  openai: openai("auto"),
  "openai.chat": openai.chat("auto"),
  anthropic: anthropic("auto"),
};
const prompt = "[[sandbox:reply=All lines are clear.]]";

for (const [name, model] of Object.entries(models)) {
  await check(`${name}: generateText`, async () =>
    equal((await generateText({ model, prompt, maxRetries: 0 })).text, "All lines are clear."),
  );
  await check(`${name}: streamText`, async () => {
    let text = "";
    for await (const piece of streamText({ model, prompt, maxRetries: 0 }).textStream) text += piece;
    equal(text, "All lines are clear.");
  });
  await check(`${name}: tools in parallel, then an answer`, async () => {
    const asked = [];
    const get_weather = tool({
      description: "The weather in a city",
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        asked.push(city);
        return "Sunny, 21 degrees.";
      },
    });
    const { text } = await generateText({
      model,
      prompt: "What is the weather in Paris and Tokyo?",
      tools: { get_weather },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    equal(asked, ["Paris", "Tokyo"]);
    if (text === "") throw new Error("no answer");
  });
  await check(`${name}: structured output`, async () => {
    const { output } = await generateText({
      model,
      output: Output.object({ schema: z.object({ name: z.string(), age: z.number().int() }) }),
      prompt: "Ada Lovelace is 36 years old. Extract name and age.",
      maxRetries: 0,
    });
    equal(Object.keys(output).sort(), ["age", "name"]);
  });
}
const twoTurns = async (options) => {
  const model = openai("auto");
  const { response } = await generateText({ model, prompt, maxRetries: 0 });
  const messages = [{ role: "user", content: prompt }, ...response.messages, { role: "user", content: prompt }];
  return (await generateText({ model, messages, maxRetries: 0, ...options })).text;
};
for (const providerOptions of [{}, { openai: { store: false } }])
  await check(`openai: a second turn, with ${JSON.stringify(providerOptions)}`, async () =>
    equal(await twoTurns({ providerOptions }), "All lines are clear."),
  );
await check("openai: a stream that breaks off is an error", async () => {
  let errors = 0;
  const broken = "[[sandbox:disconnect:always]] Tell me about railways.";
  const { textStream, finishReason } = streamText({
    model: openai("auto"),
    prompt: broken,
    maxRetries: 0,
    onError: () => errors++,
  });
  for await (const _ of textStream);
  equal([errors > 0, await finishReason], [true, "error"]);
});
await check("embed", async () => {
  const { embedding } = await embed({ model: compatible.textEmbeddingModel("embed-local"), value: "one" });
  equal(embedding.length, 256);
});
await check("generateImage", async () => {
  const { image } = await generateImage({ model: openai.image("image-a-3"), prompt: "A signal box", maxRetries: 0 });
  equal([...image.uint8Array.subarray(1, 4)], [80, 78, 71]);
});
await check("an unknown model raises", () =>
  rejects(
    () => generateText({ model: compatible("no-such-model"), prompt, maxRetries: 0 }),
    (error) => error.statusCode === 404,
  ),
);
finish();
