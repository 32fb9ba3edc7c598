/** Converts OpenAI's Responses requests to a `ChatInput`. */

import { invalidRequest } from "../../api-error.ts";
import type { ReasoningEffort, Verbosity } from "../../catalog/model.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { ignoredFields } from "../../chat/request/ignored-fields.ts";
import { offerTools } from "../../chat/request/offer-tools.ts";
import { readOpenAiFields, readOpenAiRequest, schemaFormat } from "../../chat/request/openai-fields.ts";
import { given } from "../../lib/given.ts";
import type { ChatRequest, OutputFormat } from "../../providers/provider.ts";
import { asksToCompact, asSummaryRequest } from "./compaction.ts";
import { offeredTools, placesLeftOut, readChoice } from "./declared-tools.ts";
import { echoOf } from "./fetched-response.ts";
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
  return {
    request: readRequest(body, past, settings),
    route,
    messagesField: "input",
    ...(body.instructions && { hasInstructions: true as const }),
    ...readOpenAiFields(body),
    ...(format?.type === "schema" && { schemaField: `${formatAt}.schema` }),
    schemaStrict: false,
    ...(asksToCompact(asked) && { isSummary: true as const }),
    echo: asked.store === false ? false : echoOf(asked),
    ignored: ignoredFields(body, ResponsesBody, placesLeftOut(body)),
    ...(settings.summary && { showsThinking: "as-content" as const }),
  };
};

const NO_PAST: Past = { conversation: [], itemOf: () => undefined };

const refuseState = (body: ResponsesBody): void => {
  if (body.conversation)
    throw invalidRequest(
      "`conversation` is not supported: name the previous response in `previous_response_id`, a memory session in `session_id`, or send the whole conversation in `input`.",
      "conversation",
    );
  if (body.prompt) throw invalidRequest("`prompt` is not supported: send its words in `instructions` and `input`.", "prompt");
  if (body.background)
    throw invalidRequest("`background` is not supported: leave it out and wait, or set `stream`.", "background");
};

const readRequest = (body: ResponsesBody, past: Past, { effort, summary, verbosity, format }: Settings): ChatRequest => ({
  messages: [...(body.instructions ? [{ role: "system" as const, content: body.instructions }] : []), ...readInput(body, past)],
  ...offerTools(offeredTools(body), readChoice(body.tool_choice), { name: "tool_choice.name", names: "tool_choice.tools" }),
  ...readOpenAiRequest(body),
  ...given({
    maxOutputTokens: body.max_output_tokens,
    reasoningEffort: effort,
    thinkingSummary: summary,
    verbosity,
    outputFormat: format,
  }),
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
  return format.type === "json_schema" ? schemaFormat(format) : undefined;
};
