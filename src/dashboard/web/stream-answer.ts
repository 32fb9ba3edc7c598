/** One answer as it arrives: pieces of text, then what the server decided; an error event is a failure like any other. */

import { Failure, send } from "./api.ts";
import type { Svc } from "./wire.ts";

export type Answer = {
  state: "running" | "done" | "stopped" | "failed";
  text: string;
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
  text: "",
  model: null,
  svc: null,
  usage: null,
  failure: null,
  startedMs: performance.now(),
  firstMs: null,
  endedMs: null,
});

/** Calls `show` with each new state, at most once a frame. */
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
    const response = await send("POST", path, { body: { ...body, stream_options: { include_usage: true } }, signal });
    change({ model: response.headers.get("x-svc-model") });
    let isComplete = false;
    for await (const data of eventsOf(response.body!)) {
      isComplete = data === "[DONE]";
      if (isComplete) break;
      const frame = JSON.parse(data);
      if (frame.error) throw new Failure(0, frame.error.type, frame.error.message, frame.error.param ?? null, frame);
      const piece: string = frame.choices?.[0]?.delta?.content ?? "";
      change({
        text: answer.text + piece,
        model: frame.model ?? answer.model,
        firstMs: answer.firstMs ?? (piece === "" ? null : performance.now()),
        ...(frame.svc && { svc: frame.svc }),
        ...(frame.usage && { usage: frame.usage }),
      });
    }
    // A cut answer must not look like a whole one.
    if (!isComplete)
      throw new Failure(0, "network", "The answer broke off: the connection ended before it was complete.", null, null);
    change({ state: "done", endedMs: performance.now() });
  } catch (error) {
    if (signal.aborted) change({ state: "stopped", endedMs: performance.now() });
    else {
      const failure = error instanceof Failure ? error : new Failure(0, "error", (error as Error).message, null, null);
      change({ state: "failed", failure, endedMs: performance.now() });
    }
  }
  show(answer);
  return answer;
};

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>;
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
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
