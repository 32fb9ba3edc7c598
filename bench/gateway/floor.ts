/** The floor: the least a proxy on this runtime can do. Bytes in, bytes out, nothing looked at. */

export {};

const target = process.env["UPSTREAM"]!;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const upstream = await fetch(`${target}/v1/chat/completions`, {
      method: "POST",
      body: await request.arrayBuffer(),
      headers: { "content-type": "application/json", authorization: "Bearer x" },
      signal: request.signal,
    });
    return new Response(upstream.body, { headers: { "content-type": upstream.headers.get("content-type") ?? "" } });
  },
});
console.log(server.port);
