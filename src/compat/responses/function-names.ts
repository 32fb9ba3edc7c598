/**
 * OpenAI's namespaces of functions, which no other vendor has: namespace and name are joined into one, and separated again in the answer.
 */

import type { OwnTool } from "./wire.ts";

/** A tool of the caller's, with the field that declares it. */
export type DeclaredOwn = { tool: OwnTool; at: string; namespace?: string | undefined };

export const joinNames = (namespace: string | null | undefined, name: string): string =>
  namespace ? `${namespace}__${name}` : name;

type Told = { name: string; namespace?: string; isCustom?: true };
export type ReadName = (joined: string) => Told;

/** Looks the name up among those declared, because a name may itself contain the separator. */
export const nameReader = (tools: readonly DeclaredOwn[]): ReadName => {
  const known = new Map<string, Told>();
  for (const { tool, namespace } of tools) {
    known.set(joinNames(namespace, tool.name), {
      name: tool.name,
      ...(namespace !== undefined && { namespace }),
      ...(tool.type === "custom" && { isCustom: true }),
    });
  }
  return (joined) => known.get(joined) ?? { name: joined };
};
