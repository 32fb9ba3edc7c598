/**
 * What servers of OpenAI's formats refuse in words of their own, by the name under which it is learned. What is then sent in its place, the
 * `drop-parameter.ts` of each format says.
 */

import type { OUTPUT_BOUND } from "../../dialect/output-limit.ts";
import { type RefusalWords, refusalByWords } from "../../dialect/refusal-by-words.ts";
import { says } from "../../upstream/refusal-phrases.ts";
import type { Refusal } from "../../upstream-error.ts";

/** What is met in another way than by leaving out the field of that name. */
export type RefusedPart =
  | "messages.order"
  | "messages.system"
  /** An answer as the last message. */
  | "messages.last"
  /** A user's message after results. */
  | "messages.after_results"
  /** An answer without content or calls. */
  | "messages.empty"
  | "messages.call_ids"
  /** Signatures that past calls lack, and those of another account, or changed on the way. */
  | "messages.signatures.missing"
  | "messages.signatures.wrong"
  /** Thinking that past calls lack, or that was sealed for another account; and all in plain text. */
  | "messages.reasoning_content"
  | "messages.plain_thoughts"
  /** A tool's schema; one that a server read as a tool's; one of a tool or the answer; all those that the answer has to keep to. */
  | "tools.parameters"
  | "tools.schema"
  | "schemas"
  | "grammars"
  | "tools.strict"
  /** Beyond the length that is added, as `.1024`. */
  | "descriptions of tools"
  /** A tool that is forced by its name, where the choice may only be a word. */
  | "tool_choice.name"
  /** One of the two formats for JSON, while the other may be known. */
  | "response_format.json_object"
  | "response_format.json_schema"
  /** Thinking switched off; thinking outside of streams; any effort beside tools but "none", which is not the default. */
  | "thinking.off"
  | "enable_thinking.unstreamed"
  | "reasoning_effort beside tools"
  | "whole answers"
  | typeof OUTPUT_BOUND;

type Field = "temperature" | "top_p" | "reasoning_effort" | "tool_choice" | "response_format";

type Words = readonly RefusalWords<RefusedPart | Field>[];

const OF_MESSAGES: Words = [
  // Thought signatures of Gemini behind such a server; other conversations have other ones.
  [/missing.{0,500}?thought[ _]signature|thought[ _]signature.{0,500}?missing/is, "messages.signatures.missing"],
  [/thought[ _]signature/i, "messages.signatures.wrong", true],
  // What models' chat templates say (of Qwen, Gemma, Mistral, …), and servers that check messages as these do.
  [
    /system message must be at the beginning|\(?optional\)? system message|successive user or assistant|unexpected role ['"`]?system|invalid chat setting \(2013\)/i,
    "messages.order",
  ],
  [/roles must alternate|system role (?:is )?not supported|only user and assistant roles/i, "messages.system"],
  [
    /assistant (?:message|response) prefill|must end with a user message|expected last role user|last message must have role ['"`]?user/i,
    "messages.last",
  ],
  [/must have either content or tool_calls, but not none|invalid assistant message/i, "messages.empty"],
  [/unexpected role ['"`]?user['"`]? after role ['"`]?tool/i, "messages.after_results"],
  [/tool call ids?\b.{1,200}\blength (?:of )?9\b/i, "messages.call_ids"],
];

const OF_SCHEMAS: Words = [
  // Gemini behind a server that copies schemas into its older field (two), and Moonshot: what it never knows.
  [/function_?declarations?\b.{0,20}?\bparameters|tools\.function\.parameters is not a valid/i, "tools.parameters"],
  // OpenAI and DeepSeek, Mistral, Anthropic.
  [/invalid schema for function|invalid tool schema|input_schema: json schema is invalid/i, "tools.schema", "schemas"],
  // Servers that make a grammar of each schema: llama.cpp (three), Fireworks, vLLM (two).
  [
    /json schema conversion failed|failed to (?:parse|convert the) grammar|error parsing grammar|json schema not supported: could not understand|json schema contains features not supported/i,
    "schemas",
    "schemas",
  ],
];

const OF_PARTS: Words = [
  // Cerebras, for some models.
  [/\btools?\b.{0,80}?\bstrict\b.{0,60}?\b(?:not (?:be )?(?:support|allow)|unsupported)/i, "tools.strict"],
  // DeepSeek's, which demands its thinking with past calls, and OpenAI's of sealed reasoning.
  [
    /must be passed back|reasoning_content is missing|missing ['"`]?reasoning_content|encrypted[ _]content\b.{0,100}(?:could not be|was not issued)|required following item/i,
    "messages.reasoning_content",
    true,
  ],
  // LM Studio.
  [/tool_choice\b.{0,20}?\bobject\b.{0,60}?\brequired\b/i, "tool_choice.name"],
  [
    /(?:extra|unknown|unexpected|unrecognized|unsupported)\b.{0,200}?reasoning_content|reasoning_content\b.{0,60}?(?:not (?:permitted|allowed|supported)|unsupported)/i,
    "messages.plain_thoughts",
  ],
  // Azure.
  [
    /tools\[\d+\](?:\.function)?\.description['"`]?: string too long\b.{0,60}?\bmaximum length (\d{1,9})/i,
    "descriptions of tools",
  ],
  // Qwen.
  [/enable_thinking must be set to false/i, "enable_thinking.unstreamed"],
  // OpenRouter, Qwen.
  [/reasoning is mandatory|requires reasoning to be enabled|enable_thinking parameter is restricted to true/i, "thinking.off"],
  // Qwen's models, and beyond a number of tokens Fireworks'.
  [
    /only supports? stream|requires streaming|streaming is required|stream must be set to true|stream ?= ?true|not support (?:non-?stream|synchronous|http call)/i,
    "whole answers",
  ],
  [/tools with reasoning_effort/i, "reasoning_effort beside tools"],
  // Ollama, for a model that does not think at all.
  [/does not support thinking$/i, "reasoning_effort"],
  // Claude's, which servers repeat. What is wrong with a value, or with thinking in a request, says nothing of the next.
  [/\btemperature[`'"]? is deprecated for this model/i, "temperature"],
  [/\btop_p[`'"]? is deprecated for this model/i, "top_p"],
  [/\btop_p[`'"]? (?:cannot both be|must be)/i, "top_p", true],
  // With a forced tool, with a bound that leaves no room for it, or with past calls that came without it.
  [
    /thinking may not be enabled|than [`'"]?thinking\.budget_tokens|thinking\.(?:enabled\.)?budget_tokens[`'"]?(?: must be less|: input should)|expected [`'"]?thinking[`'"]? or [`'"]?redacted_thinking|adaptive thinking is not supported/i,
    "reasoning_effort",
    true,
  ],
  [/not support the effort parameter/i, "reasoning_effort"],
  [/\btool_choice: type .{1,30} not supported/i, "tool_choice"],
  [/\boutput_(?:config\.)?format: extra inputs/i, "response_format"],
];

/** Servers say these with any status, and llama.cpp quotes the template around its words. */
export const refusedMessages = (message: string): Refusal | undefined => refusalByWords(OF_MESSAGES, message, 2_000);

export const refusedSchema = (message: string): Refusal | undefined =>
  says("grammar too large", message) ? { param: "grammars", once: "schemas" } : refusalByWords(OF_SCHEMAS, message, 1_000);

/** These count only in what is a refusal by its status or code. */
export const refusedPart = (message: string): Refusal | undefined => refusalByWords(OF_PARTS, message);
