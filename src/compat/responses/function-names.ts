/** Functions in namespaces, which tools have with no one else: the two names become one, and are told apart again in an answer. */

import { isFunctionTool, isNamespaceTool, type ResponsesTool } from "./wire.ts";

export const joinNames = (namespace: string | null | undefined, name: string): string =>
  namespace ? `${namespace}__${name}` : name;

export type ReadName = (joined: string) => { name: string; namespace?: string };

/** By what the caller declared: a name may hold what joins two. */
export const nameReader = (tools: readonly ResponsesTool[]): ReadName => {
  const namespaces = tools.filter(isNamespaceTool);
  const known = new Map(
    namespaces.flatMap(({ name: namespace, tools: own }) =>
      own.filter(isFunctionTool).map(({ name }) => [joinNames(namespace, name), { name, namespace }] as const),
    ),
  );
  return (joined) => known.get(joined) ?? { name: joined };
};
