/** The tools that a Responses request declares, some of them in mid-conversation, and how a model may choose among them. */

import { asFunction } from "../../chat/custom-tools.ts";
import type { AskedChoice } from "../../chat/request/offer-tools.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { ToolDefinition } from "../../providers/provider.ts";
import { bringsTools, isKnownItem, type ToolSearchOutput } from "./input-wire.ts";
import {
  isAllowedTools,
  isNamespaceTool,
  isOwn,
  isSearchTool,
  type NamespaceTool,
  type OwnTool,
  type ResponsesTool,
} from "./tool-wire.ts";
import type { ResponsesBody } from "./wire.ts";

/** A tool, the field that declares it, its namespace, and whether it is the caller's search for tools. */
type Declared = { tool: ResponsesTool; at: string; namespace?: NamespaceTool; isSearch?: true };
type DeclaredOwn = Declared & { tool: OwnTool };

/** A namespace within a namespace counts as a tool that is not known. */
const flatten = (tools: readonly ResponsesTool[], at: string): Declared[] =>
  tools.flatMap((tool, index) =>
    isNamespaceTool(tool)
      ? tool.tools.map((inner, place) => ({ tool: inner, at: `${at}.${index}.tools.${place}`, namespace: tool }))
      : isSearchTool(tool)
        ? [{ tool: { ...tool, type: "function", name: TOOL_SEARCH, strict: false }, at: `${at}.${index}`, isSearch: true }]
        : [{ tool, at: `${at}.${index}` }],
  );

/** The name under which models call the caller's search for tools. */
export const TOOL_SEARCH = "tool_search";

const allTools = ({ tools, input }: ResponsesBody): Declared[] => [
  ...flatten(tools ?? [], "tools"),
  ...(typeof input === "string" ? [] : input).flatMap((item, index) =>
    isKnownItem(item) && bringsTools(item) ? flatten(item.tools ?? [], `input.${index}.tools`) : [],
  ),
];

const isOwnDeclared = (declared: Declared): declared is DeclaredOwn => isOwn(declared.tool);

const ownTools = (body: ResponsesBody): DeclaredOwn[] => allTools(body).filter(isOwnDeclared);

/** Ignored: tools that run at OpenAI, where no ceiling holds. */
export const placesLeftOut = (body: ResponsesBody): string[] =>
  allTools(body)
    .filter(({ tool }) => !isOwn(tool))
    .map(({ at }) => at);

/**
 * OpenAI's namespaces of functions, which no other vendor has: namespace and name are joined here, and separated in the answer. Its tool
 * search puts a single function that it finds into a namespace with the function's own name.
 */
export const joinNames = (namespace: string | null | undefined, name: string): string =>
  namespace && namespace !== name ? `${namespace}__${name}` : name;

type Told = { name: string; namespace?: string; kind?: "custom" | "search" };
export type ReadName = (joined: string) => Told;

/** Looks a joined name up among those declared, because a name may itself contain the separator. */
export const nameReader = (body: ResponsesBody): ReadName => {
  const known = new Map<string, Told>();
  for (const { tool, namespace, isSearch } of ownTools(body)) {
    known.set(joinNames(namespace?.name, tool.name), {
      name: tool.name,
      ...(namespace && { namespace: namespace.name }),
      ...(tool.type === "custom" && { kind: "custom" }),
      ...(isSearch && { kind: "search" }),
    });
  }
  return (joined) => known.get(joined) ?? { name: joined };
};

/** In this API functions are strict unless they say otherwise. */
const toDefinition = ({ tool, namespace }: DeclaredOwn): ToolDefinition => {
  const name = joinNames(namespace?.name, tool.name);
  // Said once, however many tools there are.
  const ofAll = namespace?.tools[0] === tool ? namespace.description : undefined;
  const description = [ofAll, tool.description].filter(Boolean).join("\n\n");
  if (tool.type === "custom") return { name, ...asFunction(description, tool.format) };
  const { parameters, strict } = tool;
  return {
    name,
    ...(description && { description }),
    ...(parameters && { parameters: unsealed(parameters), strict: strict ?? true }),
  };
};

/** Codex has OpenAI seal what its agents tell each other, which no other vendor could do or read. */
const unsealed = (parameters: Record<string, unknown>): Record<string, unknown> => {
  const properties = parameters["properties"];
  if (!isRecord(properties)) return parameters;
  const plain = ([name, property]: [string, unknown]) => {
    if (!isRecord(property) || property["encrypted"] !== true) return [name, property];
    const { encrypted, ...others } = property;
    return [name, others];
  };
  return { ...parameters, properties: Object.fromEntries(Object.entries(properties).map(plain)) };
};

/** The names of the tools that a search found, as a model knows them. */
export const foundNames = ({ tools }: ToolSearchOutput): string[] =>
  flatten(tools ?? [], "")
    .filter(isOwnDeclared)
    .map(({ tool, namespace }) => joinNames(namespace?.name, tool.name));

/** Of tools with the same name, the last one counts. */
export const offeredTools = (body: ResponsesBody): ToolDefinition[] => {
  const definitions = ownTools(body).map(toDefinition);
  return [...new Map(definitions.map((definition) => [definition.name, definition])).values()];
};

/** A tool that was left out cannot be demanded; if only such tools are allowed, none is offered. */
export const readChoice = (choice: ResponsesBody["tool_choice"]): AskedChoice | undefined => {
  if (choice == null || typeof choice === "string") return choice ?? undefined;
  if (isOwn(choice)) return { name: choice.name };
  if (!isAllowedTools(choice)) return "auto";
  const names = choice.tools.filter(isOwn).map(({ name }) => name);
  return names.length === 0 ? "none" : { mode: choice.mode, names };
};
