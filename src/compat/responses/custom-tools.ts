/** Tools that take a text of any form, which they have with no one else: to models they are functions of one text. */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { ToolDefinition } from "../../providers/provider.ts";
import type { CustomTool } from "./wire.ts";

/** A grammar can only be asked for: who answers may not hold to one. */
export const asFunction = ({ description, format }: CustomTool): Pick<ToolDefinition, "description" | "parameters"> => {
  const grammar = format?.definition && `The input must fit this ${format.syntax ?? ""} grammar:\n${format.definition}`;
  const about = [description, grammar].filter(Boolean).join("\n\n");
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
