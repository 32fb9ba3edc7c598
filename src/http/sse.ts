/** Server-Sent Events out: a pull-based Response (only those have backpressure), keep-alives in silence, a cut for readers that stall. */

const ENCODER = new TextEncoder();
const KEEP_ALIVE_MS = 15_000;
const STALLED_READER_MS = 60_000;
const KEEP_ALIVE = ENCODER.encode(": keep-alive\n\n");

export const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/**
 * `frames` yields ready-made text (`data: …\n\n`); it is returned early when the client hangs up, and its own errors are
 * its own to turn into a last frame. `late`: nothing has come yet; a first comment makes the runtime send the headers now.
 */
export const sseStream = (frames: AsyncGenerator<string>, late = false): ReadableStream<Uint8Array> => {
  let lastSentAt = performance.now();
  let pulledAt = performance.now();
  let waitingForReader = false;
  let timer: Timer | undefined;
  const finish = () => clearInterval(timer);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (late) controller.enqueue(KEEP_ALIVE);
        timer = setInterval(() => {
          const now = performance.now();
          if (waitingForReader && now - pulledAt > STALLED_READER_MS) {
            finish();
            void frames.return(undefined);
            controller.error(new Error("The client stopped reading."));
          } else if (!waitingForReader && now - lastSentAt >= KEEP_ALIVE_MS) {
            lastSentAt = now;
            controller.enqueue(KEEP_ALIVE);
          }
        }, 5_000);
        timer.unref();
      },
      async pull(controller) {
        waitingForReader = false;
        try {
          const step = await frames.next();
          if (step.done) {
            finish();
            controller.close();
            return;
          }
          controller.enqueue(ENCODER.encode(step.value));
          lastSentAt = pulledAt = performance.now();
          waitingForReader = true;
        } catch (error) {
          finish();
          controller.error(error);
        }
      },
      async cancel() {
        finish();
        await frames.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
};
