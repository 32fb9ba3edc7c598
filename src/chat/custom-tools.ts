/** Tools that take a text of any form, which they have with no one else: to models they are functions of one text. */

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

/** A grammar can only be asked for: who answers may not hold to one. */
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

/** What a model wrote in another form, or was cut off in, is kept in its words. */
export const toInput = (text: string): string => {
  const written = jsonOf(text);
  return isRecord(written) && typeof written["input"] === "string" ? written["input"] : text;
};
