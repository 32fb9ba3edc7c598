/** Functions in namespaces, which tools have with no one else: the two names become one, and are told apart again in an answer. */

import { isNamespaceTool, isOwnTool, type ResponsesTool } from "./wire.ts";

export const joinNames = (namespace: string | null | undefined, name: string): string =>
  namespace ? `${namespace}__${name}` : name;

type Told = { name: string; namespace?: string; isCustom?: true };
export type ReadName = (joined: string) => Told;

/** By what the caller declared: a name may hold what joins two. */
export const nameReader = (tools: readonly ResponsesTool[]): ReadName => {
  const known = new Map<string, Told>();
  const learn = (tool: ResponsesTool, namespace?: string): void => {
    if (isNamespaceTool(tool)) for (const own of tool.tools) learn(own, tool.name);
    if (!isOwnTool(tool)) return;
    const { name, type } = tool;
    known.set(joinNames(namespace, name), {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(type === "custom" && { isCustom: true }),
    });
  };
  for (const tool of tools) learn(tool);
  return (joined) => known.get(joined) ?? { name: joined };
};
