/**
 * A web search that the caller demands: `tool_choice` names Anthropic's search tool, as Claude Code's WebSearch does. A model words the query,
 * the search is made here, and the answer has what was found in Anthropic's blocks. For the log these are two calls: a chat's and a search's.
 */

import type { Caller } from "../../accounts/authenticate.ts";
import { ApiError } from "../../api-error.ts";
import { answerChat } from "../../chat/answer.ts";
import { newDraft } from "../../chat/call-draft.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import type { Answer } from "../../chat/response/whole-answer.ts";
import { callIdAs, newId } from "../../lib/ids.ts";
import { childOf, toTraceparent } from "../../lib/trace-context.ts";
import { TIER_LIMITS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { argumentsObject } from "../../providers/dialect/message-parts.ts";
import type { SearchResult } from "../../providers/media-calls.ts";
import { readDomains } from "../../search/read-domains.ts";
import { searchWeb } from "../../search/search-web.ts";
import type { Content } from "./shape-messages.ts";
import type { MessagesBody } from "./wire.ts";

type Demanded = { tool: string; includeDomains: string[]; excludeDomains: string[] };

export const demandedSearch = ({ tools, tool_choice: choice }: MessagesBody): Demanded | undefined => {
  const at = (tools ?? []).findIndex(({ type, name }) => type?.startsWith("web_search_") && name === named(choice));
  const tool = tools?.[at];
  if (tool?.name === undefined) return undefined;
  return {
    tool: tool.name,
    includeDomains: readDomains(tool.allowed_domains, `tools.${at}.allowed_domains`),
    excludeDomains: readDomains(tool.blocked_domains, `tools.${at}.blocked_domains`),
  };
};

const named = (choice: MessagesBody["tool_choice"]): string | undefined => (choice?.type === "tool" ? choice.name : undefined);

/** The request for the query's words. Anthropic's models think about no tool that they must use. */
export const asQueryRequest = (body: MessagesBody, { tool }: Demanded): MessagesBody => ({
  ...body,
  tools: [
    {
      name: tool,
      description: "Searches the web.",
      input_schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    },
  ],
  thinking: { type: "disabled" },
});

type Asking = { caller: Caller; request: Request };

/** The model's answer, and the blocks that take its place; none if it worded no query. */
export const answerWithSearch = async (
  platform: Platform,
  { caller, request }: Asking,
  input: ChatInput,
  demanded: Demanded,
): Promise<{ answer: Answer; found?: Content[] }> => {
  const asked = withinCeiling(input, TIER_LIMITS[caller.project.tier].searchPriceNanoUsd);
  const draft = newDraft(platform, { caller, input: asked, streamed: false, signal: request.signal });
  const answer = await answerChat(platform, draft, (whole) => whole);
  const { query } = argumentsObject(answer.result.toolCalls[0]?.arguments ?? "");
  if (typeof query !== "string" || query.trim() === "") return { answer };
  const id = callIdAs("srvtoolu_", caller.requestId);
  const results = await search(platform, { caller, request }, demanded, { query, ...(input.userId && { userId: input.userId }) });
  return {
    answer,
    found: [
      { type: "server_tool_use", id, name: demanded.tool, input: { query } },
      { type: "web_search_tool_result", tool_use_id: id, content: Array.isArray(results) ? results.map(toResult) : results },
      ...(Array.isArray(results) && results.length > 0 ? [{ type: "text", text: results.map(inWords).join("\n\n") }] : []),
    ],
  };
};

/** The search's price comes on top of what the model costs. Below zero, no model is asked, not even one that costs nothing. */
const withinCeiling = (input: ChatInput, priceNanoUsd: number): ChatInput =>
  input.ceilingNanoUsd === undefined
    ? input
    : { ...input, ceilingNanoUsd: input.ceilingNanoUsd - priceNanoUsd, besideNanoUsd: priceNanoUsd };

const MOST_RESULTS = 10;

/** As Anthropic tells a search that failed: in the place of its results. */
const search = async (
  platform: Platform,
  { caller, request }: Asking,
  { includeDomains, excludeDomains }: Demanded,
  about: { query: string; userId?: string },
): Promise<SearchResult[] | Content> => {
  if (caller.key.scopes?.includes("search") === false) return failed(403);
  try {
    platform.limits.admit(caller, "search");
    const { results } = await searchWeb(platform, callWithin(platform, caller), {
      ...about,
      maxResults: MOST_RESULTS,
      depth: "basic",
      includeDomains,
      excludeDomains,
      route: "/v1/messages",
      signal: request.signal,
    });
    return results;
  } catch (error) {
    if (error instanceof ApiError) return failed(error.status);
    throw error;
  }
};

const ERROR_CODES: Record<number, string> = { 400: "invalid_input", 429: "too_many_requests" };

const failed = (status: number): Content => ({
  type: "web_search_tool_result_error",
  error_code: ERROR_CODES[status] ?? "unavailable",
});

/** A call of its own for the log, whose span stands below that of the request. */
const callWithin = ({ clock }: Platform, caller: Caller): Caller => {
  const call = { ...caller, requestId: newId("call"), startedAtMs: clock.now() };
  if (caller.traceparent === null) return call;
  const trace = childOf(caller.traceparent);
  return { ...call, trace, traceparent: toTraceparent(trace) };
};

/** Only Anthropic could open sealed contents, so the text after the results has them. */
const toResult = ({ title, url }: SearchResult): Content => ({
  type: "web_search_result",
  title,
  url,
  encrypted_content: "",
  page_age: null,
});

const inWords = ({ title, url, content }: SearchResult): string => `${title}\n${url}\n${content}`;
