/** A streamed answer as it arrives: text, then the routing details. An error event counts as a failure. */

import { asFailure, Failure, send } from "./api.ts";
import type { ToolCall } from "./message-text.ts";
import type { Svc } from "./wire.ts";

export type Answer = {
  state: "running" | "done" | "stopped" | "failed";
  /** What the model thought before it answered, if its vendor tells. */
  thinking: string;
  text: string;
  toolCalls: ToolCall[];
  model: string | null;
  svc: Svc | null;
  usage: { prompt_tokens: number; completion_tokens: number } | null;
  failure: Failure | null;
  startedMs: number;
  firstMs: number | null;
  endedMs: number | null;
};

const newAnswer = (): Answer => ({
  state: "running",
  thinking: "",
  text: "",
  toolCalls: [],
  model: null,
  svc: null,
  usage: null,
  failure: null,
  startedMs: performance.now(),
  firstMs: null,
  endedMs: null,
});

/** Calls `show` with each new state, at most once per frame. */
export const streamAnswer = async (
  path: string,
  body: object,
  signal: AbortSignal,
  show: (answer: Answer) => void,
): Promise<Answer> => {
  let answer = newAnswer();
  let painting = false;
  const change = (next: Partial<Answer>) => {
    answer = { ...answer, ...next };
    if (painting) return;
    painting = true;
    requestAnimationFrame(() => {
      painting = false;
      show(answer);
    });
  };
  change({});
  try {
    const response = await send("POST", path, { ...body, stream_options: { include_usage: true } }, signal);
    change({ model: response.headers.get("x-svc-model") });
    let isComplete = false;
    for await (const data of eventsOf(response.body!)) {
      isComplete = data === "[DONE]";
      if (isComplete) break;
      const frame = JSON.parse(data);
      if (frame.error) throw new Failure(0, frame.error.type, frame.error.message, frame.error.param ?? null, frame);
      const delta: Delta = frame.choices?.[0]?.delta ?? {};
      const piece = delta.content ?? "";
      const isContent = piece !== "" || delta.tool_calls !== undefined;
      change({
        thinking: answer.thinking + (delta.reasoning_content ?? ""),
        text: answer.text + piece,
        ...(delta.tool_calls && { toolCalls: withPieces(answer.toolCalls, delta.tool_calls) }),
        model: frame.model ?? answer.model,
        firstMs: answer.firstMs ?? (isContent ? performance.now() : null),
        ...(frame.svc && { svc: frame.svc }),
        ...(frame.usage && { usage: frame.usage }),
      });
    }
    // A truncated answer must not look complete.
    if (!isComplete) throw brokenOff();
    change({ state: "done", endedMs: performance.now() });
  } catch (error) {
    const endedMs = performance.now();
    change(signal.aborted ? { state: "stopped", endedMs } : { state: "failed", failure: asFailure(error), endedMs });
  }
  show(answer);
  return answer;
};

const brokenOff = () => new Failure(0, "network", "The answer broke off: the connection ended before it was complete.");

type CallPiece = { index: number; id?: string; function?: { name?: string; arguments?: string } };
type Delta = { content?: string | null; reasoning_content?: string; tool_calls?: CallPiece[] };

/** A tool call begins with its id and name; its arguments follow in pieces. */
const withPieces = (calls: ToolCall[], pieces: CallPiece[]): ToolCall[] => {
  const next = [...calls];
  for (const { index, id = "", function: { name = "", arguments: text = "" } = {} } of pieces) {
    const known = next[index] ?? { id, type: "function", function: { name, arguments: "" } };
    next[index] = { ...known, function: { ...known.function, arguments: known.function.arguments + text } };
  }
  return next;
};

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>;
  let waiting = "";
  try {
    for (;;) {
      // Each browser has words of its own for a connection that is lost.
      const { done, value } = await reader.read().catch(() => Promise.reject(brokenOff()));
      if (done) return;
      waiting += value;
      for (let end = waiting.indexOf("\n\n"); end >= 0; end = waiting.indexOf("\n\n")) {
        const event = waiting.slice(0, end);
        waiting = waiting.slice(end + 2);
        for (const line of event.split("\n")) if (line.startsWith("data: ")) yield line.slice(6);
      }
    }
  } finally {
    reader.releaseLock();
  }
}
