/** Refusals of a request because of a schema in it, in the words of many servers. */

import { saysGrammarTooLarge } from "../upstream/refusal-phrases.ts";

/**
 * The names under which such refusals are learned: of what a server never knows, of one schema, of a tool or the answer, and of all those
 * together that the answer has to keep to.
 */
export const TOOL_PARAMETERS = "tools.parameters";
export const SCHEMA = "tools.schema";
export const GRAMMARS = "grammars";

/**
 * Gemini behind a server of this format that copies schemas into its older field (`…at 'tools[0].function_declarations[3].parameters…'`,
 * "functionDeclaration `parameters.x` schema …"), and Moonshot.
 */
const NEVER_KNOWN = /function_?declarations?\b.{0,20}?\bparameters|tools\.function\.parameters is not a valid/i;

/** OpenAI and DeepSeek, Mistral, Anthropic, and servers that make a grammar of each schema: llama.cpp (three), Fireworks, vLLM (two). */
const NOT_READ =
  /invalid schema for function|invalid tool schema|json schema conversion failed|input_schema: json schema is invalid|failed to (?:parse|convert the) grammar|error parsing grammar|json schema not supported: could not understand|json schema contains features not supported/i;

export const refusedSchema = (message: string): string | undefined => {
  const text = message.slice(0, 1_000);
  if (saysGrammarTooLarge(text)) return GRAMMARS;
  return NEVER_KNOWN.test(text) ? TOOL_PARAMETERS : NOT_READ.test(text) ? SCHEMA : undefined;
};
