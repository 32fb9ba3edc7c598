/**
 * The upstream of the load bench, a process of its own. The prompt says what it does: `paced N` sends N events, two a second, each with
 * the time it was sent; `bulk N` sends N megabytes as fast as they are taken; `drip` sends an event every 100 ms until it is let go.
 * `GET /seen` tells how many streams run and when each (by the number in its prompt) was let go.
 */

const encoder = new TextEncoder();
const now = () => performance.timeOrigin + performance.now();
const frame = (content: string) =>
  `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]}\n\n`;
const END = `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: {"id":"c","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":30,"total_tokens":50}}\n\ndata: [DONE]\n\n`;
const BULK = encoder.encode(frame("x".repeat(16_000)).repeat(4));

const seen = { open: 0, goneAt: {} as Record<string, number> };

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch: async (request) => {
    if (request.method === "GET") return Response.json(seen);
    const { messages } = (await request.json()) as any;
    const [, kind, number] = /(paced|bulk|drip) (\d+)/.exec(messages.at(-1).content) ?? [];
    seen.open++;
    const left = () => {
      if (seen.goneAt[number!] === undefined) seen.open--;
      seen.goneAt[number!] ??= now();
    };
    if (kind !== "paced") request.signal.addEventListener("abort", left, { once: true });
    let sent = 0;
    let timer: Timer | undefined;
    const body =
      kind === "bulk"
        ? new ReadableStream<Uint8Array>({
            pull: (controller) => {
              sent += BULK.length;
              controller.enqueue(BULK);
              if (sent > 50_000_000) {
                controller.enqueue(encoder.encode(END));
                controller.close();
              }
            },
          })
        : new ReadableStream<Uint8Array>({
            start: (controller) => {
              const most = kind === "paced" ? Number(number) : Number.POSITIVE_INFINITY;
              const send = () => {
                try {
                  controller.enqueue(encoder.encode(frame(`t=${now().toFixed(2)} `)));
                  if (++sent < most) return;
                  controller.enqueue(encoder.encode(END));
                  controller.close();
                  seen.open--;
                } catch {
                  // The reader is gone.
                }
                clearInterval(timer);
              };
              send();
              timer = setInterval(send, kind === "paced" ? 500 : 100);
            },
            cancel: () => clearInterval(timer),
          });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});
console.log(server.port);
