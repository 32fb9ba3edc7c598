/** Changes after a refusal that OpenAI's two formats share. */

import { recordAt, recordsAt, textAt } from "../../../lib/json-at.ts";
import { both, type Change, numberIn } from "../../dialect/change-request.ts";
import { toNarrowParameters } from "../../dialect/narrow-parameters.ts";
import type { WireBody } from "../../dialect/wire-dialect.ts";

export const systemAsDeveloper = (messages: readonly WireBody[]): WireBody[] =>
  messages.map((message) => (message["role"] === "system" ? { ...message, role: "developer" } : message));

/** What a tool is: its name, description and parameters. */
type ChangeTool = (tool: WireBody, param: string) => WireBody;

const loosened: ChangeTool = ({ strict: _, ...tool }) => tool;

const narrowed: ChangeTool = (tool, param) => ({
  ...loosened(tool, param),
  parameters: toNarrowParameters(recordAt(tool, "parameters")),
});

/** `param` ends with the most characters that a description may have. */
const shortened: ChangeTool = (tool, param) => {
  const most = numberIn(param);
  const description = textAt(tool, "description");
  if (description.length <= most) return tool;
  // Half of a surrogate pair would make the request invalid.
  const kept = description.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
  return { ...tool, description: `${kept}…` };
};

const nameOf = (value: unknown): string => textAt(value, "function", "name") || textAt(value, "name");

/** For a server that forces a call in words alone: of the only tool that is left. */
const forceAlone: Change = (body) => {
  const name = nameOf(body["tool_choice"]);
  const named = recordsAt(body, "tools").filter((tool) => nameOf(tool) === name);
  if (name !== "" && named.length > 0) Object.assign(body, { tools: named, tool_choice: "required" });
};

/** `inTools` changes each tool, wherever the format has it; `dropSchema` leaves out that of the answer. */
export const toolChanges = (inTools: (change: ChangeTool) => Change, dropSchema: Change) => ({
  "tools.parameters": inTools(narrowed),
  // Relays make a tool of the answer's.
  "tools.schema": ((body, param) => (body["tools"] ? inTools(narrowed) : dropSchema)(body, param)) satisfies Change,
  schemas: both(inTools(narrowed), dropSchema),
  grammars: both(inTools(loosened), dropSchema),
  "tools.strict": inTools(loosened),
  "descriptions of tools": inTools(shortened),
  "tool_choice.name": forceAlone,
});
