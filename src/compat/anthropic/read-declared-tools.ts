/** Tools as Anthropic's callers declare them: their own, and those that a type alone names. */

import { invalidRequest } from "../../api-error.ts";
import type { ToolChoice, ToolDefinition } from "../../providers/provider.ts";
import { knownTool } from "./known-tools.ts";
import type { CountBody } from "./wire.ts";

type DeclaredTool = NonNullable<CountBody["tools"]>[number];

/** Undefined for what would run at Anthropic. */
export const readTool = (tool: DeclaredTool, index: number): ToolDefinition | undefined => {
  if (tool.input_schema === undefined && tool.type && tool.type !== "custom") return knownTool(tool);
  if (tool.name === undefined) throw invalidRequest(`\`tools.${index}.name\` is required.`, `tools.${index}.name`);
  return {
    name: tool.name,
    ...(tool.description && { description: tool.description }),
    parameters: tool.input_schema ?? { type: "object", properties: {} },
  };
};

/** What was declared and left out cannot be demanded. */
export const readChoice = (
  choice: NonNullable<CountBody["tool_choice"]>,
  tools: readonly ToolDefinition[],
  declared: readonly DeclaredTool[],
): ToolChoice => {
  if (choice.type !== "tool") return choice.type === "any" ? "required" : choice.type;
  if (tools.some(({ name }) => name === choice.name)) return { name: choice.name };
  if (declared.some(({ name }) => name === choice.name)) return "auto";
  throw invalidRequest("`tool_choice` names a tool that is not among `tools`.", "tool_choice.name");
};
