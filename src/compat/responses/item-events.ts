/** The events in which a streamed item comes, between `response.output_item.added` and `response.output_item.done`. */

import { toInput } from "../../chat/custom-tools.ts";
import { argumentsObject } from "../../providers/dialect/message-parts.ts";
import type { Citation } from "../../providers/provider.ts";
import { bytesOf, contentOf, type Item, type Status, summaryPart, textPart } from "./items.ts";

/** An event's type, and its fields beside `item_id` and `output_index`. */
export type ItemEvent = [type: string, fields: Record<string, unknown>];

const SUMMARY = { summary_index: 0 };
const CONTENT = { content_index: 0 };

/** When the item has begun. */
export const begun = ({ type }: Item): ItemEvent[] => {
  if (type === "reasoning") return [["response.reasoning_summary_part.added", { ...SUMMARY, part: summaryPart("") }]];
  return type === "message" ? [["response.content_part.added", { ...CONTENT, part: textPart("") }]] : [];
};

/** When it has become longer by `delta`. */
export const grown = ({ type }: Item, delta: string): ItemEvent[] => {
  switch (type) {
    case "reasoning":
      return [["response.reasoning_summary_text.delta", { ...SUMMARY, delta }]];
    case "message":
      return [["response.output_text.delta", { ...CONTENT, delta, logprobs: [] }]];
    case "function_call":
      return [["response.function_call_arguments.delta", { delta }]];
    case "image_generation_call":
    case "custom_tool_call":
    case "tool_search_call":
      // Told once it is complete.
      return [];
  }
};

/** The begun item with its whole text; that of a picture is its URL. */
export const complete = (item: Item, status: Status, text: string, refusal?: string, citations?: readonly Citation[]): Item => {
  switch (item.type) {
    case "reasoning":
      return { ...item, status, summary: [summaryPart(text)] };
    case "message":
      return { ...item, status, content: [contentOf(text, refusal, citations)] };
    case "image_generation_call":
      return { ...item, status, result: bytesOf(text) };
    case "function_call":
      return { ...item, status, arguments: text };
    case "custom_tool_call":
      return { ...item, status, input: toInput(text) };
    case "tool_search_call":
      return { ...item, status, arguments: argumentsObject(text) };
  }
};

/** When it is complete. */
export const ended = (item: Item, text: string): ItemEvent[] => {
  switch (item.type) {
    case "reasoning":
      return [
        ["response.reasoning_summary_text.done", { ...SUMMARY, text }],
        ["response.reasoning_summary_part.done", { ...SUMMARY, part: item.summary[0] }],
      ];
    case "message": {
      const part = item.content[0]!;
      const isText = part.type === "output_text";
      const annotations = isText ? part.annotations : [];
      return [
        ...annotations.map(
          (annotation, index): ItemEvent => [
            "response.output_text.annotation.added",
            { ...CONTENT, annotation_index: index, annotation },
          ],
        ),
        // Whether it is a refusal is only known at the end; its text then gets no `done` event as text.
        ...(isText ? [["response.output_text.done", { ...CONTENT, text, logprobs: [] }] satisfies ItemEvent] : []),
        ["response.content_part.done", { ...CONTENT, part }],
      ];
    }
    case "image_generation_call":
      return [["response.image_generation_call.completed", {}]];
    case "function_call":
      return [["response.function_call_arguments.done", { name: item.name, arguments: text }]];
    case "custom_tool_call":
      return [
        ["response.custom_tool_call_input.delta", { delta: item.input }],
        ["response.custom_tool_call_input.done", { input: item.input }],
      ];
    case "tool_search_call":
      return [];
  }
};
