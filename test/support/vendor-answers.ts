/** What OpenAI's and Anthropic's APIs answer, for stubs of them. */

import { type Answer, json } from "./upstream-stub.ts";

export const completion = (
  text: string,
  usage: object | undefined = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  finish = "stop",
): Answer =>
  json({
    id: "up-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }],
    usage,
  });

export const claude = (text: string, usage: object = { input_tokens: 20, output_tokens: 10 }): Answer =>
  json({
    id: "msg",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage,
  });

export const failing = (status: number, headers: Record<string, string> = {}): Answer =>
  json({ error: { message: "sk-secret at http://upstream", type: "server_error" } }, status, headers);
