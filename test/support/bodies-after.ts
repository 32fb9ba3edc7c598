/** What an upstream is sent that refuses a request: the same request without what was refused, and what the lesson leaves of the next. */

import type { ModelQuirks, SpokenDialect } from "../../src/catalog/model.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { askFor, contextWith, providerFor } from "./chat-provider.ts";
import { type Answer, json, type UpstreamStub } from "./upstream-stub.ts";

/** An answer in every dialect. */
export const GOOD = json({
  choices: [{ message: { content: "ok" }, finish_reason: "stop" }],
  status: "completed",
  output: [],
  type: "message",
  content: [{ type: "text", text: "ok" }],
  stop_reason: "end_turn",
  candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP" }],
});

/** The bodies of these requests to one model of a new provider, which answers with the refusals and then with what is good. */
export const bodiesAfter = async (
  stub: UpstreamStub,
  refusals: Answer | readonly Answer[],
  requests: readonly Partial<ChatRequest>[],
  { dialect = "openai", ...quirks }: Omit<ModelQuirks, "dialect"> & { dialect?: SpokenDialect } = {},
): Promise<any[]> => {
  stub.seen.length = 0;
  stub.answer(...[refusals].flat(), GOOD);
  const provider = providerFor(dialect, stub.url, {}, quirks);
  for (const request of requests) await provider.chat!("m", { ...askFor("hi"), ...request }, contextWith());
  return stub.seen.map(({ body }) => body);
};

/** The same request with other tools, or another schema of the answer, of the same kind. */
export const withOtherSchemas = ({ tools, outputFormat, ...request }: Partial<ChatRequest>): Partial<ChatRequest> => ({
  ...request,
  ...(tools && { tools: tools.map((tool) => ({ ...tool, description: "Another." })) }),
  ...(outputFormat && { outputFormat: "name" in outputFormat ? { ...outputFormat, name: "another" } : outputFormat }),
});
