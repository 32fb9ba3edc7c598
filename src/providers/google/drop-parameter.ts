/** Rewrites a request to Gemini without what was refused. */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, recordAt, recordsAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { type Change, dropBy, inList } from "../dialect/change-request.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import { narrowedIn } from "../dialect/narrow-parameters.ts";
import { lowerBound, OUTPUT_BOUND } from "../dialect/output-limit.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { withForeignSignatures } from "./build-contents.ts";

const withInstruction = (system: unknown, instruction: string): WireBody => ({
  parts: [...listAt(system, "parts"), { text: instruction }],
});

/** Members to remove together: a schema without its media type is refused as well. */
const MEMBERS: Record<string, readonly string[]> = {
  responseMimeType: ["responseMimeType", "responseJsonSchema"],
  responseJsonSchema: ["responseMimeType", "responseJsonSchema"],
  penalty: ["presencePenalty", "frequencyPenalty"],
};

/** The names under which refusals are learned that are not of one field: of past calls' signatures, of tools' schemas, … */
export const SIGNATURES = "contents.thoughtSignature";
/** The system text (Gemma). It is met last, as all of the messages'. */
export const SYSTEM = "messages.system_instruction";
export const TOOL_SCHEMAS = "tools.functionDeclarations.parametersJsonSchema";
/** The answer's schema, with which this member is left out. */
export const ANSWER_SCHEMA = "response_mime_type";

const narrowed = narrowedIn("parametersJsonSchema");
const narrowTools = inList("tools", (tools) =>
  tools.map((tool) => ({ ...tool, functionDeclarations: recordsAt(tool, "functionDeclarations").map(narrowed) })),
);

/** What the system would say comes from the user, before all else. */
const sayAsUser = (body: WireBody): void => {
  const [first, ...others] = recordsAt(body, "contents");
  const parts = [...listAt(body, "systemInstruction", "parts"), ...listAt(first, "parts")];
  body["contents"] = [{ ...first, parts }, ...others];
  delete body["systemInstruction"];
};

const lowerOutput: Change = (body, param) => lowerBound(recordAt(body, "generationConfig"), param, ["maxOutputTokens"]);

/** Refusals that are met in another way than by leaving out a field. */
const CHANGES: Readonly<Record<string, Change>> = {
  [OUTPUT_BOUND]: lowerOutput,
  [SIGNATURES]: inList("contents", withForeignSignatures),
  [SYSTEM]: sayAsUser,
  [TOOL_SCHEMAS]: narrowTools,
};

/** Gemini names nested members such as `generation_config.thinking_config`; its JSON names are in camel case. */
const leaveOut: Change = (body, param) => {
  const camel = param.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const name = camel.split(".").at(-1)!;
  const members = ownValue(MEMBERS, name) ?? [name];
  const config = recordAt(body, "generationConfig");
  if (!members.some((member) => config[member] !== undefined)) {
    delete body[name];
    return;
  }
  body["generationConfig"] = Object.fromEntries(Object.entries(config).filter(([member]) => !members.includes(member)));
  if (!members.includes("responseMimeType")) return;
  // If the format cannot be enforced, the prompt asks for it.
  const schema = config["responseJsonSchema"];
  const format = isRecord(schema) ? ({ type: "schema", schema } as const) : ({ type: "json" } as const);
  body["systemInstruction"] = withInstruction(body["systemInstruction"], jsonInstruction(format));
};

export const dropGoogleParameter = dropBy(CHANGES, leaveOut);
