/** Groups messages into turns: a user's message and everything that answers it, so that no tool call is separated from its result. */

import type { ChatMessage } from "../providers/provider.ts";

export const turnsOf = <Item>(items: readonly Item[], messageOf: (item: Item) => ChatMessage): Item[][] => {
  const turns: Item[][] = [];
  for (const item of items) {
    if (messageOf(item).role === "user" || turns.length === 0) turns.push([item]);
    else turns.at(-1)!.push(item);
  }
  return turns;
};
