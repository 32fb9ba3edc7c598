/** Rewrites a request to Anthropic without what was refused. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, valueAt } from "../../lib/json-at.ts";
import { type Change, dropBy, inList } from "../dialect/change-request.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import { narrowedIn } from "../dialect/narrow-parameters.ts";
import { lowerBound, OUTPUT_BOUND } from "../dialect/output-limit.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { type AnthropicTurn, isThought, moreSystem, textBlock } from "./build-messages.ts";
import { MIN_THINKING_TOKENS } from "./thinking.ts";

/** The names under which refusals are learned that are not of one field: of earlier thinking, of system messages in mid-conversation, … */
export const THOUGHTS = "messages.thinking";
export const SYSTEM_TURNS = "messages.role";
export const TOOL_SCHEMAS = "tools.input_schema";
export const BOTH_SAMPLINGS = "top_p beside temperature";
/** A caller's beta features ask for it. */
export const LONG_CONTEXT = "betas.context-1m";
/** What schemas would be. Tools that are not strict need none. */
export const GRAMMARS = "grammars";

const schemaIn = (body: WireBody): unknown => valueAt(body, "output_config", "format", "schema");

/**
 * Removes earlier thinking. A thinking budget goes too, and any thinking if earlier blocks were missing: the request would be refused
 * again.
 */
const dropThoughts = (body: WireBody): void => {
  const turns = body["messages"] as AnthropicTurn[];
  const hadSome = turns.some(({ content }) => content.some(isThought));
  body["messages"] = turns.map((turn) => ({ ...turn, content: turn.content.filter((block) => !isThought(block)) }));
  if (hadSome && recordAt(body, "thinking")["type"] !== "enabled") return;
  delete body["thinking"];
  delete body["context_management"];
};

const dropSystemTurns = (body: WireBody): void => {
  const turns = body["messages"] as AnthropicTurn[];
  body["messages"] = turns.filter(({ role }) => role !== "system");
  for (const { role, content } of turns) if (role === "system") body["system"] = moreSystem(body["system"], content);
};

const dropLongContext = (body: WireBody): void => {
  const { betas } = body;
  const others = Array.isArray(betas) ? betas.filter((name) => !String(name).startsWith("context-1m")) : [];
  body["betas"] = others.length > 0 ? others : undefined;
};

const dropGrammars = (body: WireBody): void => {
  if (schemaIn(body) !== undefined) leaveOut(body, "output_config.format");
  if (Array.isArray(body["tools"])) leaveOut(body, "tools.strict");
};

/** A budget for thinking that would fill the bound is halved with it, as when it was chosen. */
const lowerOutput: Change = (body, param) => {
  lowerBound(body, param, ["max_tokens"]);
  const thinking = recordAt(body, "thinking");
  const most = Number(body["max_tokens"]);
  if (!(Number(thinking["budget_tokens"]) >= most)) return;
  const budget = Math.floor(most / 2);
  if (budget < MIN_THINKING_TOKENS) delete body["thinking"];
  else body["thinking"] = { ...thinking, budget_tokens: budget };
};

/** Refusals that are met in another way than by leaving out a field. */
const CHANGES: Readonly<Record<string, Change>> = {
  [OUTPUT_BOUND]: lowerOutput,
  [THOUGHTS]: dropThoughts,
  [SYSTEM_TURNS]: dropSystemTurns,
  [TOOL_SCHEMAS]: inList("tools", (tools) => tools.map(narrowedIn("input_schema"))),
  [GRAMMARS]: dropGrammars,
  [LONG_CONTEXT]: dropLongContext,
  [BOTH_SAMPLINGS]: (body) => {
    if (body["temperature"] !== undefined) delete body["top_p"];
  },
};

/**
 * Removes one member (such as `output_config.format`, or `tools.strict` of each tool) or a whole field. If the answer's format cannot be
 * enforced any more, the prompt asks for it.
 */
const leaveOut: Change = (body, param) => {
  const [name, member] = param.split(".");
  const items = body[name!];
  if (member !== undefined && Array.isArray(items)) {
    body[name!] = items.map(({ [member]: _, ...rest }: WireBody) => rest);
    return;
  }
  const schema = schemaIn(body);
  const { [member ?? ""]: _, ...rest } = recordAt(body, name!);
  if (member !== undefined && Object.keys(rest).length > 0) body[name!] = rest;
  else delete body[name!];
  if (!isRecord(schema) || schemaIn(body) !== undefined) return;
  body["system"] = moreSystem(body["system"], [textBlock(jsonInstruction({ type: "schema", schema }))]);
};

export const dropAnthropicParameter = dropBy(CHANGES, leaveOut);
