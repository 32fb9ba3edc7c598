/** Memory and a document in one call: what the model is sent, and what is remembered of it. */
import { expect, test } from "bun:test";
import { ingested } from "../documents/documents.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { type Answer, json, upstreamStubOfFile } from "../support/upstream-stub.ts";

const upstream = upstreamStubOfFile();
const gateway = await gatewayOfFile({ environment: { OPENAI_API_KEY: "sk-upstream", OPENAI_BASE_URL: `${upstream.url}/v1` } });
const key = await gateway.key({ mode: "live" });
const documentId = (await ingested(gateway, key, "tower.txt", "The tower has 99 steps.")).id;

const says = (message: object): Answer =>
  json({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }], usage: {} });
const calls = { content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "count", arguments: "{}" } }] };

/** The roles that the model was sent, the document's message by its own name. */
const send = async (messages: object[], answer: object): Promise<string[]> => {
  upstream.answer(says(answer));
  const tools = [{ type: "function", function: { name: "count", parameters: { type: "object" } } }];
  const body = { model: "gpt-4o", messages, tools, session_id: "s", document_id: documentId };
  expect((await gateway.send(key, "POST", "/v1/chat", body)).status).toBe(200);
  const sent: { role: string; content: string | null }[] = upstream.seen.at(-1)!.body.messages;
  return sent.map(({ role, content }) => (content?.includes("99 steps") ? "document" : role));
};
const stored = async () => {
  const { messages } = (await (await gateway.send(key, "GET", "/v1/memory/s")).json()) as any;
  return messages.map(({ role, content }: any) => [role, content]);
};

test("a document parts no tool's result from its remembered call, and no call without a question stores another's", async () => {
  await send([{ role: "user", content: "How high?" }], calls);
  const result = { role: "tool", tool_call_id: "c1", content: "20 m" };
  expect(await send([result], { content: "It is 20 m high." })).toEqual(["document", "user", "assistant", "tool"]);
  await send([{ role: "system", content: "Go on." }], { content: "There are 99." });
  expect(await stored()).toEqual([
    ["user", "How high?"],
    ["assistant", "count({})"],
    ["tool", "20 m"],
    ["assistant", "It is 20 m high."],
    ["assistant", "There are 99."],
  ]);
});

test("what is said beside a tool call is remembered, and no turn is sent or stored twice where the caller sends it again", async () => {
  const session = "beside";
  const ask = async (messages: object[], answer: object) => {
    upstream.answer(says(answer));
    const tools = [{ type: "function", function: { name: "count", parameters: { type: "object" } } }];
    await gateway.send(key, "POST", "/v1/chat", { model: "gpt-4o", messages, tools, session_id: session });
    return upstream.seen.at(-1)!.body.messages.map(({ role, content }: any) => [role, content]);
  };
  const question = { role: "user", content: "How high?" };
  const said = { role: "assistant", ...calls, content: "I count." };
  await ask([question], said);
  const result = { role: "tool", tool_call_id: "c1", content: "20 m" };
  const sent = [
    ["user", "How high?"],
    ["assistant", "I count."],
    ["tool", "20 m"],
  ];
  expect(await ask([question, said, result], said)).toEqual(sent);
  const again = [
    ["assistant", "I count."],
    ["tool", "20 m, twice"],
  ];
  expect(await ask([{ ...result, content: "20 m, twice" }], { content: "It is." })).toEqual([...sent, ...again]);
  const { messages } = (await (await gateway.send(key, "GET", `/v1/memory/${session}`)).json()) as any;
  expect(messages.map(({ role, content }: any) => [role, content])).toEqual([...sent, ...again, ["assistant", "It is."]]);
});
