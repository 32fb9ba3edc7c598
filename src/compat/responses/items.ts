/** The items of a response: thinking, messages, calls of functions, and calls of tools that take free text. */

import { toInput } from "../../chat/custom-tools.ts";
import { callIdAs } from "../../lib/ids.ts";
import { argumentsObject, parseDataUrl } from "../../providers/dialect/message-parts.ts";
import type { Citation } from "../../providers/provider.ts";
import type { ReadName } from "./declared-tools.ts";

export type Status = "in_progress" | "completed" | "incomplete";
type Annotation = { type: "url_citation"; url: string; title: string; start_index: number; end_index: number };
type Content =
  | { type: "output_text"; text: string; annotations: Annotation[]; logprobs: [] }
  | { type: "refusal"; refusal: string };
type Called = { id: string; status: Status; call_id: string };
type Named = Called & { name: string; namespace?: string };
type Summary = { type: "summary_text"; text: string };
export type Item =
  | { id: string; type: "reasoning"; status: Status; summary: Summary[] }
  | { id: string; type: "message"; status: Status; role: "assistant"; content: Content[] }
  | { id: string; type: "image_generation_call"; status: Status; result: string | null }
  | (Named & { type: "function_call"; arguments: string })
  | (Named & { type: "custom_tool_call"; input: string })
  | (Called & { type: "tool_search_call"; execution: "client"; arguments: Record<string, unknown> });

const toAnnotation = ({ url, title, start, end }: Citation): Annotation => ({
  type: "url_citation",
  url,
  title,
  start_index: start,
  end_index: end,
});

export const textPart = (text: string, citations: readonly Citation[] = []): Content => ({
  type: "output_text",
  text,
  annotations: citations.map(toAnnotation),
  logprobs: [],
});

export const contentOf = (text: string, refusal: string | undefined, citations?: readonly Citation[]): Content =>
  refusal === undefined ? textPart(text, citations) : { type: "refusal", refusal };

export const summaryPart = (text: string): Summary => ({ type: "summary_text", text });

/** `index`: the position among the response's items of this kind. */
export const reasoningItem = (requestId: string, index: number, status: Status, summary: Summary[]): Item => ({
  id: `${callIdAs("rs_", requestId)}_${index}`,
  type: "reasoning",
  status,
  summary,
});

/** `index`: the position among the response's messages (for a call, among its calls). */
export const messageItem = (requestId: string, index: number, status: Status, content: Content[]): Item => ({
  id: `${callIdAs("msg_", requestId)}_${index}`,
  type: "message",
  status,
  role: "assistant",
  content,
});

/** `index`: the position among the response's pictures. Without a `url` the picture is still to come. */
export const pictureItem = (requestId: string, index: number, status: Status, url?: string): Item => ({
  id: `${callIdAs("ig_", requestId)}_${index}`,
  type: "image_generation_call",
  status,
  result: url === undefined ? null : bytesOf(url),
});

/** In base64; a picture that the vendor only names keeps its URL. */
export const bytesOf = (url: string): string => parseDataUrl(url)?.data ?? url;

const PREFIXES = { function: "fc_", custom: "ctc_", search: "tsc_" } as const;

type Call = ReturnType<ReadName> & { id: string; arguments: string };
export const callItem = (requestId: string, index: number, status: Status, call: Call): Item => {
  const { kind = "function" } = call;
  const called = { id: `${callIdAs(PREFIXES[kind], requestId)}_${index}`, status, call_id: call.id };
  if (kind === "search")
    return { ...called, type: "tool_search_call", execution: "client", arguments: argumentsObject(call.arguments) };
  const named = { ...called, name: call.name, ...(call.namespace !== undefined && { namespace: call.namespace }) };
  return kind === "custom"
    ? { ...named, type: "custom_tool_call", input: toInput(call.arguments) }
    : { ...named, type: "function_call", arguments: call.arguments };
};
