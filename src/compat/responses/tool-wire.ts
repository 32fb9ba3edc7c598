/** How a Responses request declares tools, and which of them the model may choose. */

import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";

/** Accepted by the schema; left out or refused later, with what to do instead. */
export const otherThan = (...known: readonly string[]) =>
  Type.Object({ type: Type.String({ pattern: `^(?!(?:${known.join("|")})$)` }) });

const FunctionTool = Type.Object({
  type: Type.Literal("function"),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  description: nullable(Type.String()),
  parameters: nullable(Type.Record(Type.String(), Type.Unknown())),
  strict: nullable(Type.Boolean()),
});
/** `format`: plain text, or a grammar with its syntax and definition. */
const CustomTool = Type.Object({
  type: Type.Literal("custom"),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  description: nullable(Type.String()),
  format: nullable(Type.Object({ type: Type.String(), syntax: nullable(Type.String()), definition: nullable(Type.String()) })),
});
/** The caller's own search for tools that it did not declare, as Codex searches those of MCP servers. */
const SearchTool = Type.Object({
  type: Type.Literal("tool_search"),
  execution: Type.Literal("client"),
  description: nullable(Type.String()),
  parameters: nullable(Type.Record(Type.String(), Type.Unknown())),
});
/** A group of the caller's functions, such as Codex makes of an MCP server. */
const NamespaceTool = Type.Object({
  type: Type.Literal("namespace"),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  description: nullable(Type.String()),
  tools: Type.Array(Type.Union([FunctionTool, CustomTool, otherThan("function", "custom")]), { maxItems: 256 }),
});
export const Tool = Type.Union([
  FunctionTool,
  CustomTool,
  NamespaceTool,
  SearchTool,
  otherThan("function", "custom", "namespace"),
]);
const NamedTool = Type.Object({ type: oneOf(["function", "custom"]), name: Type.String({ minLength: 1 }) });
const AllowedTools = Type.Object({
  type: Type.Literal("allowed_tools"),
  mode: oneOf(["auto", "required"]),
  tools: Type.Array(Type.Union([NamedTool, otherThan("function", "custom")]), { minItems: 1 }),
});

export const ToolChoice = Type.Union([
  Type.Literal("none"),
  Type.Literal("auto"),
  Type.Literal("required"),
  NamedTool,
  AllowedTools,
  otherThan("function", "custom", "allowed_tools"),
]);

export type ResponsesTool = Static<typeof Tool>;
type Own = { type: "function" | "custom" };
/** Tools that the caller runs. */
export type OwnTool = Extract<ResponsesTool, Own>;
/** For declared tools, and for those that a choice names. */
export const isOwn = <Named extends { type: string }>(tool: Named): tool is Extract<Named, Own> =>
  tool.type === "function" || tool.type === "custom";
export type SearchTool = Static<typeof SearchTool>;
export const isSearchTool = (tool: ResponsesTool): tool is SearchTool =>
  tool.type === "tool_search" && (tool as Partial<SearchTool>).execution === "client";
export type NamespaceTool = Static<typeof NamespaceTool>;
export const isNamespaceTool = (tool: ResponsesTool): tool is NamespaceTool => tool.type === "namespace";
type Choice = Exclude<Static<typeof ToolChoice>, string>;
export const isAllowedTools = (choice: Choice): choice is Static<typeof AllowedTools> => choice.type === "allowed_tools";

/** What OpenAI's own tools would show others: an MCP server, or the domains that a container may ask. */
const SECRETS = new Set(["authorization", "headers", "domain_secrets"]);

/** Tools that run at OpenAI go nowhere from here, and what is secret in them is neither echoed nor stored, as there. */
export const withoutSecrets = (tool: ResponsesTool): ResponsesTool =>
  isOwn(tool) || isSearchTool(tool) || isNamespaceTool(tool)
    ? tool
    : JSON.parse(JSON.stringify(tool, (name, value) => (SECRETS.has(name) ? undefined : value)));
