import { expect, test } from "bun:test";
import { SSE_HEADERS, sseStream } from "../../src/http/sse.ts";

test("the headers of a stream that is late leave at once, before its first frame", async () => {
  const { promise: silence, resolve: speak } = Promise.withResolvers<void>();
  async function* frames() {
    await silence;
    yield "data: [DONE]\n\n";
  }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(sseStream(frames(), true), { headers: SSE_HEADERS }),
  });
  const response = await fetch(server.url);
  speak();
  expect(await response.text()).toBe(": keep-alive\n\ndata: [DONE]\n\n");
  await server.stop(true);
});
