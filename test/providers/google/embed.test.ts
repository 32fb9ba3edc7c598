/** Gemini's embeddings. */

import { expect, test } from "bun:test";
import { contextWith, providerFor } from "../../support/chat-provider.ts";
import { json, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const stub = upstreamStubOfFile();

test("embeddings in the model's own size come as they are", async () => {
  stub.answer(json({ embeddings: [{ values: [0.5, 0.25] }] }));
  const { vectors } = await providerFor("google", stub.url).embed!("e", ["a"], undefined, contextWith());
  expect(vectors).toEqual([[0.5, 0.25]]);
});

test("embeddings of another size are brought back to unit length", async () => {
  stub.answer(json({ embeddings: [{ values: [3, 4] }, { values: [0, 2] }] }));
  const { vectors } = await providerFor("google", stub.url).embed!("e", ["a", "b"], 2, contextWith());
  expect(vectors.map((vector) => [...vector].map((value) => Number(value.toFixed(5))))).toEqual([
    [0.6, 0.8],
    [0, 1],
  ]);
  expect(stub.seen[0]!.body.requests[0]).toEqual({
    model: "models/e",
    content: { parts: [{ text: "a" }] },
    outputDimensionality: 2,
  });
});

test("what is no number, or no float32 holds, is refused before it is brought to unit length", async () => {
  for (const values of [
    ["0.5", 1],
    [null, 1],
    [1e300, 1],
  ]) {
    stub.answer(json({ embeddings: [{ values }] }));
    await expect(providerFor("google", stub.url).embed!("e", ["a"], 2, contextWith())).rejects.toMatchObject({ kind: "server" });
  }
});
