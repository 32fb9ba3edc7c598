/** Which of the caller's tools a model is offered, and how it may choose among them: OpenAI's `allowed_tools` narrows the list. */

import { invalidRequest } from "../../api-error.ts";
import type { ChatRequest, ToolDefinition } from "../../providers/provider.ts";

export type AskedChoice = "none" | "auto" | "required" | { name: string } | { mode: "auto" | "required"; names: string[] };

/** Fields that hold the name of the one tool, or the names of several. */
type Places = { name: string; names: string };

/** Throws 400 at the field that names an unknown tool. */
export const offerTools = (
  tools: readonly ToolDefinition[],
  choice: AskedChoice | undefined,
  at: Places,
): Pick<ChatRequest, "tools" | "toolChoice"> => {
  if (tools.length === 0) return {};
  if (choice === undefined) return { tools: [...tools] };
  if (typeof choice === "string") return { tools: [...tools], toolChoice: choice };
  const wanted = new Set("names" in choice ? choice.names : [choice.name]);
  const param = "names" in choice ? at.names : at.name;
  const offered = new Set(tools.map(({ name }) => name));
  if (!wanted.isSubsetOf(offered)) throw invalidRequest(`\`${param}\` names a function that is not offered.`, param);
  if ("name" in choice) return { tools: [...tools], toolChoice: choice };
  return { tools: tools.filter(({ name }) => wanted.has(name)), toolChoice: choice.mode };
};
