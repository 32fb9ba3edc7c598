/** Bodies without an announced length, and compressed ones: put together again from any pieces, and bounded while they come. */
import { expect, test } from "bun:test";
import { brotliCompressSync, deflateSync } from "node:zlib";
import { ApiError } from "../../src/api-error.ts";
import { readBody } from "../../src/http/read-body.ts";
import { operatorOf } from "../support/dashboard.ts";
import { startGateway } from "../support/gateway.ts";

const streamed = (pieces: number[]): Request => {
  const sizes = pieces[Symbol.iterator]();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value: size, done } = sizes.next();
      if (done) return controller.close();
      controller.enqueue(Uint8Array.from({ length: size }, () => sent++ % 251));
    },
  });
  return new Request("http://localhost/", { method: "POST", body });
};

test.each([[[]], [[1]], [[5, 0, 3]], [[700, 1, 1, 2_000]], [Array.from({ length: 1_500 }, () => 1)]])(
  "pieces %# are one body",
  async (pieces) => {
    const size = pieces.reduce((sum, piece) => sum + piece, 0);
    const bytes = await readBody(streamed(pieces), 3_000);
    expect([...bytes]).toEqual(Array.from({ length: size }, (_, at) => at % 251));
  },
);

const packed = (encoding: string, body: Uint8Array<ArrayBuffer>) =>
  new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-encoding": encoding, "content-length": `${body.length}` },
  });
const refusalOf = (request: Request, maxBytes = 1_000) => readBody(request, maxBytes).catch((error: unknown) => error);

test("a compressed body is unpacked, and only what is in it counts", async () => {
  const text = `{"messages":"${"x".repeat(900)}"}`;
  const packings: [string, Uint8Array<ArrayBuffer>][] = [
    ["GZIP", Bun.gzipSync(text)],
    ["x-gzip", Bun.gzipSync(text)],
    ["zstd", new Uint8Array(Bun.zstdCompressSync(text))],
    ["br", new Uint8Array(brotliCompressSync(text))],
    ["deflate", new Uint8Array(deflateSync(text))],
  ];
  for (const [encoding, body] of packings) {
    expect(new TextDecoder().decode(await readBody(packed(encoding, body), 1_000))).toBe(text);
    expect(await refusalOf(packed(encoding, body), 900)).toMatchObject({ status: 413 });
    expect(await refusalOf(packed(encoding, body.slice(0, -6)))).toMatchObject({ status: 400 });
  }
  expect(await refusalOf(packed("br", new Uint8Array(Buffer.from(text))))).toMatchObject({
    message: "The request body could not be read to its end, or is not compressed as its Content-Encoding says.",
  });
  expect(await readBody(packed("gzip", Bun.gzipSync("")), 100)).toEqual(new Uint8Array());
  for (const none of ["identity", ""]) expect(await readBody(packed(none, Bun.gzipSync("{}")), 100)).toEqual(Bun.gzipSync("{}"));
});

test("a body whose compression is not known is refused for it, unread", async () => {
  for (const encoding of ["compress", "constructor", "gzip, gzip"])
    expect(await refusalOf(packed(encoding, Bun.gzipSync("{}")))).toMatchObject({
      status: 415,
      message: expect.stringContaining(`zstd, or not at all; the body was sent as ${encoding}`),
    });
});

test("a body that unpacks to gigabytes is refused once the bound is passed", async () => {
  const bomb = new Uint8Array(Buffer.concat(Array<Buffer>(64).fill(Buffer.from(Bun.zstdCompressSync(new Uint8Array(64 << 20))))));
  expect(await refusalOf(packed("zstd", bomb), 1 << 20)).toMatchObject({ status: 413 });
});

test("a body is refused as soon as it is above the bound, however small its pieces are", async () => {
  const refusal = await readBody(streamed(Array.from({ length: 101 }, () => 1)), 100).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect((refusal as ApiError).status).toBe(413);
});

test("a piece is taken over when it comes, not kept until the end: its memory may be used for the next", async () => {
  const piece = new Uint8Array(1);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (sent === 300) return controller.close();
        piece[0] = sent++ % 251;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  const bytes = await readBody(new Request("http://localhost/", { method: "POST", body }), 1_000);
  expect([...bytes]).toEqual(Array.from({ length: 300 }, (_, at) => at % 251));
});

test("bodies that may hold pictures have up to 20 MiB, others one, and those of strangers 16 KiB", async () => {
  await using gateway = await startGateway();
  const key = await gateway.key();
  const MIB = 1024 * 1024;
  const statusOf = async (path: string, bytes: number) => {
    const response = await gateway.send(key, "POST", path, { padding: "x".repeat(bytes) });
    await response.arrayBuffer();
    return [path, response.status];
  };
  for (const path of ["/v1/chat", "/v1/chat/stream", "/v1/chat/completions", "/v1/route", "/v1/responses", "/v1/messages"])
    expect(await statusOf(path, 2 * MIB)).toEqual([path, 400]);
  expect(await statusOf("/v1/chat", 20 * MIB)).toEqual(["/v1/chat", 413]);
  for (const path of ["/v1/schemas", "/v1/policies"]) expect(await statusOf(path, MIB)).toEqual([path, 413]);
  const visitor = operatorOf(gateway, "");
  for (const path of ["/login", "/setup"]) {
    const { status } = await visitor.send("POST", path, { token: "x", password: "x".repeat(16 * 1024) });
    expect([path, status]).toEqual([path, 413]);
  }
});
