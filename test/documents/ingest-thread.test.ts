import { expect, test } from "bun:test";
import { createIngestThread } from "../../src/documents/ingest/ingest-thread.ts";
import type { PackedText } from "../../src/documents/ingest/ingest-worker.ts";

const readIn = async (parts: Uint8Array[]): Promise<PackedText> => {
  const thread = createIngestThread(() => ":memory:");
  const text = await thread.decode(parts);
  await thread.stop();
  if ("reason" in text) throw new Error(text.reason);
  return text;
};
const pageOf = ({ text, pages }: PackedText, at: number): string =>
  new TextDecoder().decode(text.subarray(pages[at]!.from, pages[at]!.to));

test("a file is handed over to the worker: its bytes are not copied where calls are served", async () => {
  const parts = [new TextEncoder().encode("Grü"), new TextEncoder().encode("ße an alle.")];
  const text = await readIn(parts);
  expect(parts.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
  expect(pageOf(text, 0)).toBe("Grüße an alle.");
});

test("a text comes back in pieces that join to what it was, no character cut in two", async () => {
  const whole = "🙂".repeat(100_000);
  const bytes = new TextEncoder().encode(`x${whole}`);
  const text = await readIn([bytes.slice(0, 100_001), bytes.slice(100_001)]);
  expect(text.pages.length).toBeGreaterThan(2);
  expect(text.pages.map((_, at) => pageOf(text, at)).join("")).toBe(`x${whole}`);
  expect(text.characterCount).toBe(200_001);
});
