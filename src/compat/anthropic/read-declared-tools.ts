/** Reads the tools of Anthropic's callers: their own, and those named by a type alone. */

import { invalidRequest } from "../../api-error.ts";
import { readCacheMark } from "../../chat/request/read-cache-wish.ts";
import type { ToolChoice, ToolDefinition } from "../../providers/provider.ts";
import { knownTool } from "./known-tools.ts";
import type { AnthropicMessage, CountBody, DeclaredTool } from "./wire.ts";

/** Undefined for tools that run at Anthropic. */
export const readTool = (tool: DeclaredTool, at: string): ToolDefinition | undefined => {
  if (tool.input_schema === undefined && tool.type && tool.type !== "custom") return knownTool(tool);
  if (tool.name === undefined) throw invalidRequest(`\`${at}.name\` is required.`, `${at}.name`);
  const { strict, input_examples, eager_input_streaming } = tool;
  const forAnthropic = {
    ...(strict && { strict }),
    ...(input_examples && { input_examples }),
    ...(eager_input_streaming != null && { eager_input_streaming }),
  };
  return {
    name: tool.name,
    ...(tool.description && { description: tool.description }),
    parameters: tool.input_schema ?? { type: "object", properties: {} },
    ...(strict && { strict }),
    // Tokens are counted over the definition as it is here.
    ...(Object.keys(forAnthropic).length > 0 && { forAnthropic }),
    ...readCacheMark(tool),
  };
};

/**
 * The tools available at the end of the conversation: those declared, plus those added and minus those removed on the way. Of tools with the
 * same name, the last one counts.
 */
export const offeredTools = (tools: readonly DeclaredTool[], messages: readonly AnthropicMessage[]): ToolDefinition[] => {
  const declared = tools.flatMap((tool, index) => readTool(tool, `tools.${index}`) ?? []);
  const known = new Map(declared.map((tool) => [tool.name, tool]));
  const offered = new Map(known);
  for (const [index, { content }] of messages.entries()) {
    for (const [place, block] of typeof content === "string" ? [] : content.entries()) {
      if (block.type !== "tool_addition" && block.type !== "tool_removal") continue;
      const { name, definition } = block.tool;
      const defined = definition && readTool(definition, `messages.${index}.content.${place}.tool.definition`);
      const changed = defined || known.get(name ?? "");
      if (changed === undefined) continue;
      known.set(changed.name, changed);
      offered.delete(changed.name);
      if (block.type === "tool_addition") offered.set(changed.name, changed);
    }
  }
  return [...offered.values()];
};

/** A tool that was left out cannot be demanded. */
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
