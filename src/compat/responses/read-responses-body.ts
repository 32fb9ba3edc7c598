/** Converts OpenAI's Responses requests to a `ChatInput`. */

import { invalidRequest } from "../../api-error.ts";
import type { ReasoningEffort, Verbosity } from "../../catalog/model.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { checkMetadata } from "../../chat/request/check-metadata.ts";
import { describedSchema } from "../../chat/request/described-schema.ts";
import { ignoredFields } from "../../chat/request/ignored-fields.ts";
import { offerTools } from "../../chat/request/offer-tools.ts";
import { readOwnFields } from "../../chat/request/own-fields.ts";
import type { ChatRequest, OutputFormat } from "../../providers/provider.ts";
import { asksToCompact, asSummaryRequest } from "./compaction.ts";
import { offeredTools, placesLeftOut, readChoice } from "./declared-tools.ts";
import { isKnownItem } from "./input-wire.ts";
import { readInput } from "./read-input.ts";
import type { Past } from "./recall.ts";
import { ResponsesBody } from "./wire.ts";

/** Throws ApiError `invalid_request` with `param`. */
export const readResponsesBody = (asked: ResponsesBody, route: string, past: Past = NO_PAST): ChatInput => {
  refuseState(asked);
  const body = asksToCompact(asked) ? asSummaryRequest(asked) : asked;
  const { formatAt, ...settings } = settingsOf(body);
  const { format } = settings;
  const userId = body.user || body.metadata?.["user_id"];
  return {
    request: readRequest(body, past, settings),
    route,
    messagesField: "input",
    ...(body.instructions && { hasInstructions: true as const }),
    ...(body.model && body.model !== "auto" && { pinnedModel: body.model }),
    ...readOwnFields(body),
    ...(format?.type === "schema" && { schema: { value: format.schema, param: `${formatAt}.schema` } }),
    schemaStrict: false,
    ...(userId && { userId }),
    ...(body.metadata && { custom: checkMetadata(body.metadata) }),
    ignored: ignoredFields(body, ResponsesBody, placesLeftOut(body)),
    ...(settings.summary && { showsThinking: "as-content" as const }),
  };
};

const NO_PAST: Past = { conversation: [], itemOf: () => undefined };

const refuseState = (body: ResponsesBody): void => {
  if (body.conversation)
    throw invalidRequest(
      "`conversation` is not supported: name the previous response in `previous_response_id`, or send the whole conversation in `input`.",
      "conversation",
    );
  if (body.prompt) throw invalidRequest("`prompt` is not supported: send its words in `instructions` and `input`.", "prompt");
  if (body.background)
    throw invalidRequest("`background` is not supported: leave it out and wait, or set `stream`.", "background");
};

const readRequest = (body: ResponsesBody, past: Past, { effort, summary, verbosity, format }: Settings): ChatRequest => ({
  messages: [...(body.instructions ? [{ role: "system" as const, content: body.instructions }] : []), ...readInput(body, past)],
  ...offerTools(offeredTools(body), readChoice(body.tool_choice), { name: "tool_choice.name", names: "tool_choice.tools" }),
  ...(body.parallel_tool_calls != null && { parallelToolCalls: body.parallel_tool_calls }),
  ...(body.max_output_tokens != null && { maxOutputTokens: body.max_output_tokens }),
  ...(body.temperature != null && { temperature: body.temperature }),
  ...(body.top_p != null && { topP: body.top_p }),
  ...(effort && { reasoningEffort: effort }),
  ...(summary && { thinkingSummary: summary }),
  ...(verbosity && { verbosity }),
  ...(format && { outputFormat: format }),
  ...((body.user || body.safety_identifier) && { user: body.user || body.safety_identifier! }),
  ...(body.prompt_cache_key && { cacheKey: body.prompt_cache_key }),
});

type Format = NonNullable<NonNullable<ResponsesBody["text"]>["format"]>;
/** `formatAt`: the field that set the format. */
type Settings = {
  effort?: ReasoningEffort;
  summary?: ChatRequest["thinkingSummary"];
  verbosity?: Verbosity;
  format?: OutputFormat | undefined;
  formatAt?: string;
};

/** As the last update in the conversation set them. A summary of it has no format. */
const settingsOf = (body: ResponsesBody): Settings => {
  const { input, reasoning, text } = body;
  const settings: Settings = {};
  const isSummary = asksToCompact(body);
  const learn = (said: Pick<ResponsesBody, "reasoning" | "text">, at: string): void => {
    const { effort, summary } = said.reasoning ?? {};
    if (effort) settings.effort = effort;
    if (summary) settings.summary = summary === "none" ? undefined : summary;
    if (said.text?.verbosity) settings.verbosity = said.text.verbosity;
    if (!said.text?.format || isSummary) return;
    settings.format = readFormat(said.text.format);
    settings.formatAt = `${at}text.format`;
  };
  learn({ reasoning, text }, "");
  for (const [index, item] of typeof input === "string" ? [] : input.entries())
    if (isKnownItem(item) && item.type === "configuration_update") learn(item, `input.${index}.`);
  return settings;
};

const readFormat = (format: Format): OutputFormat | undefined => {
  if (format.type === "json_object") return { type: "json" };
  if (format.type !== "json_schema") return undefined;
  const { name, description, schema, strict } = format;
  return { type: "schema", name: name ?? "answer", schema: describedSchema(schema, description), strict: strict ?? false };
};
