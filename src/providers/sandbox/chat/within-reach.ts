/** How much of a request the sandbox reads. Test calls share the serving thread with live ones, so of long texts it reads only a part. */

import { plainText } from "../../dialect/message-parts.ts";
import type { ChatMessage } from "../../provider.ts";

/** Of one message. */
const READ_CHARACTERS = 100_000;
/** At the end of a long text often stands what is to be done with it. */
const LAST_CHARACTERS = 20_000;
/** Of all messages but the last. */
const ALL_CHARACTERS = 200_000;

/** The text; of a long one the beginning and the end. */
export const readable = (text: string): string =>
  text.length <= READ_CHARACTERS ? text : `${text.slice(0, READ_CHARACTERS - LAST_CHARACTERS)}\n${text.slice(-LAST_CHARACTERS)}`;

/** Of many messages the system's and the latest, in their order. */
export const withinReach = (messages: readonly ChatMessage[]): ChatMessage[] => {
  let room = ALL_CHARACTERS;
  const isSystem = ({ role }: ChatMessage): boolean => role === "system";
  const nearest = [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message)).reverse()];
  const reached = new Set(
    nearest.filter(({ content }) => {
      const fits = room > 0;
      room -= Math.min(READ_CHARACTERS, plainText(content).length);
      return fits;
    }),
  );
  return messages.filter((message) => reached.has(message));
};
