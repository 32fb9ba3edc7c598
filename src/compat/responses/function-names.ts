/** Functions in namespaces, which tools have with no one else: the two names become one, and are told apart again in an answer. */

import type { OwnTool } from "./wire.ts";

/** One of the caller's, with the place where it is declared. */
export type DeclaredOwn = { tool: OwnTool; at: string; namespace?: string | undefined };

export const joinNames = (namespace: string | null | undefined, name: string): string =>
  namespace ? `${namespace}__${name}` : name;

type Told = { name: string; namespace?: string; isCustom?: true };
export type ReadName = (joined: string) => Told;

/** By what the caller declared: a name may hold what joins two. */
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
