/** Names the field at fault for APIs whose body has another name for `messages`, in `param` and in the sentence. */

import { ApiError } from "../api-error.ts";

export const messagesAs = (name: string, error: unknown): unknown =>
  error instanceof ApiError && error.options.param?.startsWith("messages")
    ? new ApiError(error.type, error.message.replace(/`messages[^`]*`/g, `\`${name}\``), { ...error.options, param: name })
    : error;
