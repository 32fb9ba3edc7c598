import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { classify } from "../../src/router/classify.ts";

const ROUTING = join(import.meta.dir, "../../eval/routing");
const linesOf = async (name: string): Promise<string[]> =>
  (await Bun.file(join(ROUTING, name)).text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));

const messagesOf = (text: string): ChatMessage[] => {
  const parts = [...text.matchAll(/⟦(system|user|assistant)⟧([^⟦]*)/g)];
  return parts.length === 0
    ? [{ role: "user", content: text }]
    : parts.map(([, role, content]) => ({ role: role as "system" | "user" | "assistant", content: content! }));
};

const encoder = await loadEncoder();
const ask = async (name: string) =>
  (await linesOf(name)).map((line) => {
    const [task, media, , written] = line.split("\t") as [string, string, string, string];
    const text = written.replaceAll("\\n", "\n");
    const found = classify(encoder, { messages: messagesOf(text), hasSchema: false });
    return { task, media, text, found };
  });
const found = await ask("blind.tsv");
const wishes = await ask("media-blind.tsv");
const kinds = await ask("kinds-blind.tsv");
const authors = await ask("authors-blind.tsv");
const languages = await ask("languages-blind.tsv");
const outside = await ask("outside-blind.tsv");
const turns = await ask("turns-blind.tsv");
const examples = await ask("examples.tsv");
const shareRight = (rows: typeof found): number => rows.filter((row) => row.found.task === row.task).length / rows.length;

test("no blind request is among those that the heads learned from", async () => {
  const learned = (await Promise.all(["asks.tsv", "development.tsv"].map(linesOf))).flat().join("\n").toLowerCase();
  for (const { text } of [...found, ...wishes, ...kinds, ...authors, ...languages, ...outside, ...turns]) {
    const pieces = text.split(/⟦\w+⟧|\n\n/).filter((piece) => piece.length > 60);
    for (const piece of pieces) expect(learned).not.toContain(piece.replaceAll("\n", "\\n").toLowerCase());
  }
});

test("of requests as businesses write them, never learned from, 86 in 100 are understood, and in each class 80", () => {
  const asked = found.filter(({ task }) => task !== "-");
  expect(shareRight(asked)).toBeGreaterThanOrEqual(0.86);
  for (const task of new Set(asked.map((row) => row.task))) {
    expect([task, shareRight(asked.filter((row) => row.task === task)) >= 0.8]).toEqual([task, true]);
  }
});

test("of requests of many kinds, never learned from, 88 in 100 are understood", () => {
  expect(shareRight(kinds.filter(({ task }) => task !== "-"))).toBeGreaterThanOrEqual(0.88);
});

test("of requests in the manner of many authors, never learned from, 84 in 100 are understood", () => {
  expect(shareRight(authors.filter(({ task }) => task !== "-"))).toBeGreaterThanOrEqual(0.84);
});

test("of plain requests in thirty languages, never learned from, 80 in 100 are understood, and none buys media", () => {
  expect(shareRight(languages)).toBeGreaterThanOrEqual(0.8);
  expect(languages.filter(({ found }) => found.media !== "none").map(({ text }) => text)).toEqual([]);
});

test("of what somebody from outside would try, never learned from, 90 in 100 are understood", () => {
  expect(shareRight(outside.filter(({ task }) => task !== "-"))).toBeGreaterThanOrEqual(0.9);
});

test("of conversations, orders in system prompts and the like, never learned from, 80 in 100 are understood", () => {
  expect(shareRight(turns.filter(({ task }) => task !== "-"))).toBeGreaterThanOrEqual(0.8);
});

test("of prompts of examples alone, never learned from, 65 in 100 are understood, and none buys media", () => {
  expect(shareRight(examples)).toBeGreaterThanOrEqual(0.65);
  expect(examples.filter(({ found }) => found.media !== "none").map(({ text }) => text)).toEqual([]);
});

test("none of those that only look like a wish for a picture, a clip or a voice buys one", () => {
  const alarms = [...found, ...wishes].filter((row) => row.media === "none" && row.found.media !== "none");
  expect(alarms.map(({ text }) => text)).toEqual([]);
});
