/** Refusals of a request because of a schema in it, in the words of many servers. */

import { saysGrammarTooLarge } from "../../upstream/refusal-phrases.ts";
import type { Refusal } from "../../upstream-error.ts";

/**
 * The names under which such refusals are learned: of what a server never knows, of one tool's schema, of one that may be a tool's or the
 * answer's, and of all those together that the answer has to keep to.
 */
export const TOOL_PARAMETERS = "tools.parameters";
export const SCHEMA = "tools.schema";
export const ANY_SCHEMA = "schemas";
export const GRAMMARS = "grammars";

/**
 * Gemini behind a server of this format that copies schemas into its older field (`…at 'tools[0].function_declarations[3].parameters…'`,
 * "functionDeclaration `parameters.x` schema …"), and Moonshot.
 */
const NEVER_KNOWN = /function_?declarations?\b.{0,20}?\bparameters|tools\.function\.parameters is not a valid/i;

/** OpenAI and DeepSeek, Mistral, Anthropic. */
const NOT_READ = /invalid schema for function|invalid tool schema|input_schema: json schema is invalid/i;

/** Servers that make a grammar of each schema: llama.cpp (three), Fireworks, vLLM (two). */
const NO_GRAMMAR =
  /json schema conversion failed|failed to (?:parse|convert the) grammar|error parsing grammar|json schema not supported: could not understand|json schema contains features not supported/i;

export const refusedSchema = (message: string): Refusal | undefined => {
  const text = message.slice(0, 1_000);
  if (saysGrammarTooLarge(text)) return { param: GRAMMARS, once: "schemas" };
  if (NEVER_KNOWN.test(text)) return { param: TOOL_PARAMETERS };
  if (NOT_READ.test(text)) return { param: SCHEMA, once: "schemas" };
  return NO_GRAMMAR.test(text) ? { param: ANY_SCHEMA, once: "schemas" } : undefined;
};
