/** Tools of type `custom` take free text. Only OpenAI has them, so models get a function with one text parameter. */

import { jsonOf } from "../lib/is-json.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ToolDefinition } from "../providers/provider.ts";
import type { ChatBody } from "./wire.ts";

export type IsCustom = (name: string) => boolean;

export const customToolsOf = ({ tools }: ChatBody): IsCustom => {
  const names = new Set((tools ?? []).flatMap((tool) => (tool.type === "custom" ? [tool.custom.name] : [])));
  return (name) => names.has(name);
};

type Grammar = { syntax?: string | null | undefined; definition?: string | null | undefined };

/** A grammar is put into the description as a request; it cannot be enforced. */
export const asFunction = (
  description: string | null | undefined,
  grammar: Grammar | null | undefined,
): Pick<ToolDefinition, "description" | "parameters"> => {
  const form = grammar?.definition && `The input must fit this ${grammar.syntax ?? ""} grammar:\n${grammar.definition}`;
  const about = [description, form].filter(Boolean).join("\n\n");
  const parameters = {
    type: "object",
    properties: { input: { type: "string" } },
    required: ["input"],
    additionalProperties: false,
  };
  return { ...(about && { description: about }), parameters };
};

export const toArguments = (input: string): string => JSON.stringify({ input });

/** Text that is not in the expected form, or was cut off, is passed on as the model wrote it. */
export const toInput = (text: string): string => {
  const written = jsonOf(text);
  return isRecord(written) && typeof written["input"] === "string" ? written["input"] : text;
};
