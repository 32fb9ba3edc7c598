/** OpenAI's Agents SDK, which speaks the Responses API. */

import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";
import { BASE_URL, check, equal, finish, KEY, rejects } from "./check.mjs";

// Traces would go to OpenAI.
setTracingDisabled(true);
setDefaultOpenAIClient(new OpenAI({ apiKey: KEY, baseURL: `${BASE_URL}/v1`, maxRetries: 0 }));

const asked = [];
const weather = new Agent({
  name: "Weather",
  instructions: "You tell the weather.",
  model: "auto",
  tools: [
    tool({
      name: "get_weather",
      description: "The weather in a city",
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        asked.push(city);
        return "Sunny, 21 degrees.";
      },
    }),
  ],
});
const question = "What is the weather in Paris and Tokyo?";

await check("tools in parallel, then an answer", async () => {
  const { finalOutput } = await run(weather, question);
  equal([asked.splice(0), finalOutput.includes("21")], [["Paris", "Tokyo"], true]);
});
await check("the same, streamed", async () => {
  const stream = await run(weather, question, { stream: true });
  let text = "";
  for await (const piece of stream.toTextStream()) text += piece;
  await stream.completed;
  equal([asked.splice(0), text], [["Paris", "Tokyo"], stream.finalOutput]);
});
await check("a second turn with the whole history", async () => {
  const { history } = await run(weather, question);
  const { finalOutput } = await run(weather, [...history, { role: "user", content: "[[sandbox:reply=All lines are clear.]]" }]);
  equal(finalOutput, "All lines are clear.");
});
await check("structured output", async () => {
  const outputType = z.object({ name: z.string(), age: z.number().int() });
  const reader = new Agent({ name: "Reader", instructions: "Extract.", model: "auto", outputType });
  const { finalOutput } = await run(reader, "Ada Lovelace is 36 years old. Extract name and age.");
  equal(Object.keys(finalOutput).sort(), ["age", "name"]);
});
await check("a handoff", async () => {
  const spanish = new Agent({ name: "Spanish", instructions: "Answer.", model: "auto" });
  const triage = new Agent({ name: "Triage", instructions: "Hand over.", model: "auto", handoffs: [spanish] });
  equal((await run(triage, "Please transfer to the Spanish agent.")).lastAgent.name, "Spanish");
});
await check("a stream that breaks raises", () =>
  rejects(
    async () => {
      const stream = await run(weather, "[[sandbox:disconnect:always]] Tell me about railways.", { stream: true });
      for await (const _ of stream);
      await stream.completed;
    },
    (error) => error.message.includes("response.failed"),
  ),
);
finish();
