/** What a model drew goes back to it in the user's next message: vendors take pictures from users alone. */

import { callsIn, partsOf, plainText } from "./dialect/message-parts.ts";
import { type ChatMessage, type ChatRequest, type ContentPart, withoutThoughts } from "./provider.ts";

const isPicture = ({ type }: ContentPart): boolean => type === "image";

const picturesOf = ({ role, content }: ChatMessage): ContentPart[] =>
  role === "assistant" && typeof content !== "string" ? content.filter(isPicture) : [];

/** Pictures that no message of the user follows are left out: there the model is to continue its own words. */
export const picturesToUser = (request: ChatRequest): ChatRequest => {
  if (request.messages.every((message) => picturesOf(message).length === 0)) return request;
  let drawn: ContentPart[] = [];
  const messages = request.messages.flatMap((message): ChatMessage[] => {
    const pictures = picturesOf(message);
    if (pictures.length > 0) {
      drawn.push(...pictures);
      const content = plainText(message.content);
      return content === "" && callsIn(message).length === 0 ? [] : [{ ...withoutThoughts(message), content }];
    }
    if (message.role !== "user" || drawn.length === 0) return [message];
    const content = [...drawn, ...partsOf(message.content)];
    drawn = [];
    return [{ ...message, content }];
  });
  return { ...request, messages };
};
