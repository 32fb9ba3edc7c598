/** Leaves out tools whose name an earlier one has, as MCP servers of one client may: Anthropic, Google and DeepSeek refuse the request. */

import type { ChatRequest } from "./provider.ts";

export const uniqueTools = (request: ChatRequest): ChatRequest => {
  const { tools = [] } = request;
  const taken = new Set<string>();
  const unique = tools.filter(({ name }) => !taken.has(name) && taken.add(name));
  return unique.length === tools.length ? request : { ...request, tools: unique };
};
