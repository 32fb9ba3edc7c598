/** Names the field at fault for APIs whose body has another name for `messages`, in `param` and in the sentence. */

import { ApiError } from "../../api-error.ts";
import type { ChatInput } from "./chat-input.ts";

export const messagesAs = ({ messagesField: name }: ChatInput, error: unknown): unknown =>
  name !== undefined && error instanceof ApiError && error.options.param?.startsWith("messages")
    ? new ApiError(error.type, error.message.replace(/`messages[^`]*`/g, `\`${name}\``), { ...error.options, param: name })
    : error;
