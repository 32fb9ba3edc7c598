/** The events of a streamed response where providers do what they seldom do; each time OpenAI's own accumulator ends with the last one's output. */

import { expect, test } from "bun:test";
import { accumulateResponse } from "openai/lib/responses/ResponseAccumulator";
import type { Response as OpenAiResponse } from "openai/resources/responses/responses";
import { invalidRequest, serviceUnavailable } from "../../../src/api-error.ts";
import type { Svc } from "../../../src/chat/response/completion-schema.ts";
import type { Ending, StreamPart } from "../../../src/chat/response/outlet.ts";
import { compactionItems } from "../../../src/compat/responses/compaction.ts";
import { createResponseEncoder } from "../../../src/compat/responses/stream-responses.ts";
import type { ResponsesBody } from "../../../src/compat/responses/wire.ts";
import { contentBlocked, nothingFound } from "../../../src/policies/content/content-evaluation.ts";
import { noUsage } from "../../../src/providers/provider.ts";
import { parseSse } from "../../support/read-sse.ts";

const encoder = (body: Partial<ResponsesBody> = {}) =>
  createResponseEncoder(
    {
      requestId: "call_1",
      createdAtMs: 5_000,
      model: () => "first",
      promptTokens: () => 1,
      promptUsage: noUsage,
    },
    { input: "hi", ...body },
  );
const final = (more: Partial<Ending> = {}): StreamPart => ({
  type: "final",
  result: { finishReason: "stop", usage: noUsage(), ...more },
  svc: { model_selected: "second" } as Svc,
});
const text = (words: string): StreamPart => ({ type: "text", text: words });
const begun = (index: number): StreamPart => ({ type: "tool-start", index, id: `c${index}`, name: "look" });
const piece = (index: number, words: string): StreamPart => ({ type: "tool-arguments", index, text: words });

const told = (...parts: StreamPart[]): OpenAiResponse => toldBy(encoder(), ...parts);
const toldBy = ({ part }: ReturnType<typeof encoder>, ...parts: StreamPart[]): OpenAiResponse => {
  const events = parseSse(parts.map(part).join("")).map(({ data }) => data);
  let pieces: OpenAiResponse | undefined;
  for (const event of events.slice(0, -1)) pieces = accumulateResponse(event, pieces);
  const { response } = events.at(-1);
  expect(pieces!.output).toEqual(response.output);
  return response;
};

test("an answer without a word is a message, of the model that answered in the end", () => {
  expect(told(final())).toMatchObject({
    id: "resp_1",
    created_at: 5,
    status: "completed",
    model: "second",
    output: [{ type: "message", status: "completed", content: [{ type: "output_text", text: "" }] }],
  });
});

test("the response repeats what was asked for", () => {
  const asked: Partial<ResponsesBody> = {
    instructions: "Be brief.",
    max_output_tokens: 50,
    metadata: { order: "7" },
    parallel_tool_calls: false,
    prompt_cache_key: "k",
    reasoning: { effort: "low", summary: "auto" },
    temperature: 0.5,
    text: { format: { type: "json_object" }, verbosity: "low" },
    tool_choice: "none",
    top_p: 0.9,
    user: "ann",
  };
  expect(toldBy(encoder(asked), text("{}"), final())).toMatchObject(asked as object);
});

test("what a text cites, and what was thought, come in events of their own; a refusal is not told as a text that is done", () => {
  const dataOf = (...parts: StreamPart[]): any[] => parseSse(parts.map(encoder().part).join("")).map(({ data }) => data);
  const citation = { url: "https://example.com", title: "Steel", start: 0, end: 5 };
  const cited = dataOf({ type: "thinking", text: "Hm." }, text("Steel."), final({ citations: [citation] }));
  const annotation = { type: "url_citation", url: "https://example.com", title: "Steel", start_index: 0, end_index: 5 };
  expect(cited.find(({ type }) => type === "response.output_text.annotation.added")).toMatchObject({
    annotation,
    annotation_index: 0,
    content_index: 0,
  });
  expect(cited.find(({ type }) => type === "response.output_text.done")).toMatchObject({ text: "Steel." });
  const summary = cited.find(({ type }) => type === "response.reasoning_summary_part.done");
  expect(summary.part).toEqual({ type: "summary_text", text: "Hm." });
  const refused = dataOf(text("I cannot."), final({ refusal: "I cannot." }));
  expect(refused.some(({ type }) => type === "response.output_text.done")).toBe(false);
});

test("words before, between and after calls are items in their order", () => {
  const { output } = told(
    text("One."),
    begun(0),
    piece(0, "{}"),
    text("Two."),
    begun(1),
    piece(1, "{}"),
    text("Three."),
    final(),
  );
  expect(output.map(({ type }) => type)).toEqual(["message", "function_call", "message", "function_call", "message"]);
  expect(new Set(output.map(({ id }) => id)).size).toBe(5);
});

test("the input of a tool that takes any text is told as it is, and not as JSON", () => {
  const asked = () => encoder({ tools: [{ type: "custom", name: "look" }] });
  const { output } = toldBy(
    asked(),
    begun(0),
    piece(0, '{"input":"a \\"b'),
    piece(0, '\\"\\n"}'),
    begun(1),
    piece(1, "{}"),
    final(),
  );
  expect(output).toMatchObject([
    { type: "custom_tool_call", call_id: "c0", name: "look", input: 'a "b"\n', status: "completed" },
    { type: "custom_tool_call", call_id: "c1", name: "look", input: "{}" },
  ]);
  const cut = toldBy(asked(), begun(0), piece(0, '{"input":"a'), final({ finishReason: "length" }));
  expect(cut.output).toMatchObject([{ type: "custom_tool_call", input: '{"input":"a', status: "incomplete" }]);
});

test("a call that was cut is the one item that is incomplete", () => {
  const { status, output } = told(text("One."), begun(0), piece(0, '{"a":'), final({ finishReason: "length" }));
  expect([status, ...output.map((item) => "status" in item && item.status)]).toEqual(["incomplete", "completed", "incomplete"]);
});

test("a failure before anything came is a stream of its own; what a policy kept back says so in its last frame", () => {
  const frames = parseSse(encoder().failure(serviceUnavailable("down")));
  expect(frames.map(({ event }) => event)).toEqual(["response.created", "response.in_progress", "response.failed", "error"]);

  const [, , , last] = parseSse(encoder().failure(invalidRequest("`input` is too long.", "input")));
  expect(last!.data).toMatchObject({ message: "`input` is too long.", param: "input", error: { param: "input" } });

  const kept = encoder();
  const raw = kept.part(text("My number is ")) + kept.failure(contentBlocked(nothingFound("post_response")));
  expect(raw.slice(raw.lastIndexOf("data: "))).toStartWith('data: {"type":"error"');
  expect(parseSse(raw).at(-1)!.data).toMatchObject({
    code: "CONTENT_BLOCKED",
    error: { code: "CONTENT_BLOCKED" },
    content_evaluation: { phase: "post_response" },
  });
  expect(parseSse(raw).at(-2)!.data.response).toMatchObject({ status: "failed", error: { code: "invalid_prompt" } });
});

test("a summary comes as one item, without what was thought of it; an empty one as none", () => {
  const compacting = (...parts: StreamPart[]) => {
    const stream = { requestId: "call_1", createdAtMs: 5_000, model: () => "first", promptTokens: () => 1, promptUsage: noUsage };
    const body: ResponsesBody = { input: [{ role: "user", content: "Go." }, { type: "compaction_trigger" }] };
    return toldBy(createResponseEncoder(stream, body), ...parts).output;
  };
  expect(compacting({ type: "thinking", text: "Hm." }, text("Line 42 "), text("is open."), final())).toEqual(
    compactionItems("call_1", "Line 42 is open.", "completed") as never,
  );
  expect(compacting(final())).toEqual([]);
});
