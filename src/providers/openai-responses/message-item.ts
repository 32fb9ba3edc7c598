/** A message among a request's items. OpenAI's own server takes one without its type, Azure's Foundry and other strict servers do not. */

import type { WireBody } from "../dialect/wire-dialect.ts";

export const messageItem = (role: string, content: unknown): WireBody => ({ type: "message", role, content });
