/** A provider that costs nothing: a fixed 1.2 KB answer, or a stream of 64 chunks (`BENCH_CHUNKS`), as OpenAI would send them. */

export {};

const TEXT = "The signal box sets the routes of a railway, one lever at a time, and writes down what it did. "
  .repeat(11)
  .slice(0, 1000);
const ANSWER = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o",
  choices: [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }],
  usage: { prompt_tokens: 400, completion_tokens: 220, total_tokens: 620 },
});
const CHUNKS = Number(process.env["BENCH_CHUNKS"] ?? 64);
const chunk = (delta: object, finish: string | null) =>
  new TextEncoder().encode(
    `data: ${JSON.stringify({ id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1, model: "gpt-4o", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
  );
const PIECE = chunk({ content: process.env["BENCH_PIECE"] ?? " routes and levers" }, null);
const END = Buffer.concat([
  chunk({}, "stop"),
  new TextEncoder().encode(
    'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":400,"completion_tokens":220,"total_tokens":620}}\n\ndata: [DONE]\n\n',
  ),
]);

const gapMs = Number(process.env["BENCH_GAP_MS"] ?? 20);
/** Streams that begin together would else go on in step, and one look at the network would serve all of them. */
const gapOf = (): number => gapMs * (0.5 + Math.random());

const server = Bun.serve({
  port: Number(process.env["PORT"] ?? 0),
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const body = await request.text();
    if (!body.includes('"stream":true')) return new Response(ANSWER, { headers: { "content-type": "application/json" } });
    let sent = 0;
    return new Response(
      new ReadableStream({
        async pull(controller) {
          if (sent > 0 && gapMs > 0) await Bun.sleep(gapOf());
          if (sent++ < CHUNKS) return controller.enqueue(PIECE);
          controller.enqueue(END);
          controller.close();
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  },
});
console.log(server.port);
