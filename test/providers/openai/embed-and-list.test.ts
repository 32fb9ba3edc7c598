/** Vectors and lists of models in OpenAI's format. */

import { expect, test } from "bun:test";
import { contextWith, providerFor } from "../../support/chat-provider.ts";
import { stubOpenAi } from "../../support/openai-stub.ts";
import { json } from "../../support/upstream-stub.ts";

const { stub } = stubOpenAi();

test("embeddings come back in the order of their inputs, in batches", async () => {
  stub.answer((request) =>
    Response.json({
      data: request.body.input.map((text: string, index: number) => ({ index, embedding: [Number(text), 0] })).reverse(),
      usage: { prompt_tokens: request.body.input.length },
    }),
  );
  const inputs = Array.from({ length: 600 }, (_, place) => String(place));
  const { vectors, inputTokens } = await providerFor("openai", stub.url).embed!("e", inputs, 2, contextWith());
  expect(vectors.map(([first]) => first)).toEqual(inputs.map(Number));
  expect([inputTokens, stub.seen.length]).toEqual([600, 2]);
  // Nothing that nobody asked for: some servers refuse the encoding that all have by default.
  expect(stub.seen[0]!.body).toEqual({ model: "e", input: inputs.slice(0, stub.seen[0]!.body.input.length), dimensions: 2 });
});

test("batches that hold too many tokens for the provider are made smaller (Mistral, OpenAI, Voyage)", async () => {
  const inputs = Array.from({ length: 100 }, (_, place) => String(place).padEnd(1600, " word"));
  for (const message of [
    "Too many tokens in batch. Max is 16384 got 40000",
    "Requested 40000 tokens, max 16384 tokens per request",
    "The max allowed tokens per submitted batch is 16384. Your batch has 40000 tokens.",
  ]) {
    stub.seen.length = 0;
    stub.answer(({ body: { input } }) =>
      input.length > 40
        ? Response.json({ message, type: "invalid_request_error" }, { status: 400 })
        : Response.json({
            data: input.map((text: string, index: number) => ({ index, embedding: [Number.parseInt(text, 10)] })),
            usage: { prompt_tokens: input.length },
          }),
    );
    const { vectors, inputTokens } = await providerFor("openai", stub.url).embed!("e", inputs, undefined, contextWith());
    expect(vectors.map(([first]) => first)).toEqual(inputs.map((_, place) => place));
    expect([inputTokens, ...stub.seen.map(({ body }) => body.input.length)]).toEqual([100, 100, 50, 25, 25, 25, 25]);
  }
  // One input alone that is too long is no batch that is.
  stub.seen.length = 0;
  stub.answer(json({ message: "Too many tokens" }, 400));
  await expect(providerFor("openai", stub.url).embed!("e", ["a", "b"], undefined, contextWith())).rejects.toMatchObject({
    kind: "context_length",
  });
  expect(stub.seen.length).toBe(1);
});

test.each([
  [10, 400, { error: { message: "Value error, batch size is invalid, it should not be larger than 10.: input.contents" } }],
  [32, 422, { error: "batch size 100 > maximum allowed batch size 32", error_type: "Validation" }],
  [16, 400, { error: { message: "Too many inputs. The max number of inputs is 16. More is planned." } }],
  [96, 400, { message: "invalid request: total number of texts must be at most 96 - received 100." }],
  [24, 422, { detail: [{ type: "too_long", loc: ["body", "inputs"], msg: "List should have at most 24 items, not 100" }] }],
])("a server that takes %d texts at a time gets no more, from then on at once", async (most, status, refusal) => {
  const provider = providerFor("openai", stub.url);
  stub.seen.length = 0;
  stub.answer(({ body: { input } }) =>
    input.length > most
      ? Response.json(refusal, { status })
      : Response.json({ data: input.map((text: string, index: number) => ({ index, embedding: [Number(text)] })) }),
  );
  const inputs = Array.from({ length: 100 }, (_, place) => String(place));
  for (const _ of [1, 2]) {
    const { vectors } = await provider.embed!("e", inputs, undefined, contextWith());
    expect(vectors.map(([first]) => first)).toEqual(inputs.map(Number));
  }
  const sizes = stub.seen.map(({ body }) => body.input.length);
  expect([sizes[0], sizes.filter((size) => size > most).length, sizes.length]).toEqual([100, 1, 1 + 2 * Math.ceil(100 / most)]);
});

test("what only quotes a text is no bound of the batch", async () => {
  stub.seen.length = 0;
  stub.answer(({ body: { input } }) =>
    Response.json({ error: { message: `These inputs are refused: ${input[0]}` } }, { status: 400 }),
  );
  const refused = providerFor("openai", stub.url).embed!("e", ["at most 1", "b"], undefined, contextWith());
  await expect(refused).rejects.toMatchObject({ kind: "bad_request" });
  expect(stub.seen.length).toBe(1);
});

test("numbers are those that the provider wrote, not the float32 nearest to them", async () => {
  stub.answer(json({ data: [{ index: 0, embedding: [0.0033986655, -0.1] }], usage: { prompt_tokens: 1 } }));
  const { vectors } = await providerFor("openai", stub.url).embed!("m", ["a"], undefined, contextWith());
  expect([...vectors[0]!]).toEqual([0.0033986655, -0.1]);
});

test("vectors in base64 are read as well", async () => {
  const embedding = Buffer.from(new Float32Array([0.5, -2]).buffer).toString("base64");
  stub.answer(json({ data: [{ index: 0, embedding }], usage: { prompt_tokens: 1 } }));
  const { vectors } = await providerFor("openai", stub.url).embed!("m", ["a"], undefined, contextWith());
  expect([...vectors[0]!]).toEqual([0.5, -2]);
  stub.answer(json({ data: [{ index: 0, embedding: "AAA" }] }));
  await expect(providerFor("openai", stub.url).embed!("m", ["a"], undefined, contextWith())).rejects.toMatchObject({
    kind: "server",
  });
});

test("what no float32 holds is no vector: it would be like nothing, or like everything, that is searched for", async () => {
  const notNumbers = Buffer.from(new Float32Array([0.5, Number.NaN]).buffer).toString("base64");
  for (const embedding of [notNumbers, [1e300, 1], [null, 1], []]) {
    stub.answer(json({ data: [{ index: 0, embedding }] }));
    await expect(providerFor("openai", stub.url).embed!("m", ["a"], undefined, contextWith())).rejects.toMatchObject({
      kind: "server",
    });
  }
});

test("fewer vectors than inputs, or vectors of several lengths, are a failure", async () => {
  for (const vectors of [[[1]], [[1, 2], [1]]]) {
    stub.answer(json({ data: vectors.map((embedding, index) => ({ index, embedding })) }));
    await expect(providerFor("openai", stub.url).embed!("e", ["a", "b"], undefined, contextWith())).rejects.toMatchObject({
      kind: "server",
    });
  }
});

test("models are listed with their shutdown dates", async () => {
  stub.answer(json({ data: [{ id: "a", shutdown_date: "2027-01-01" }, { id: "b" }] }));
  expect(await providerFor("openai", stub.url).listModels!(contextWith())).toEqual([
    { id: "a", shutdownDate: "2027-01-01" },
    { id: "b" },
  ]);
  expect([stub.seen[0]!.method, stub.seen[0]!.path]).toEqual(["GET", "/models"]);
});
