/** Bodies without an announced length: put together again from any pieces, and bounded while they come. */
import { expect, test } from "bun:test";
import { ApiError } from "../../src/api-error.ts";
import { readBody } from "../../src/http/read-body.ts";

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

test("a compressed body is refused unread for what it is, whatever it would hold", async () => {
  const packed = (encoding: string) =>
    new Request("http://localhost/", { method: "POST", body: Bun.gzipSync("{}"), headers: { "content-encoding": encoding } });
  const refusal = await readBody(packed("GZIP"), 100).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 415, message: expect.stringMatching(/not compressed; .* GZIP/) });
  for (const none of ["identity", ""]) expect(await readBody(packed(none), 100)).toEqual(Bun.gzipSync("{}"));
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
