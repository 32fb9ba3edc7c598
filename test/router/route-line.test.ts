import { expect, test } from "bun:test";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { embedLine, refusalLine, routeLine } from "../../src/router/route-line.ts";

const encoder = await loadEncoder();

test("a line keeps its id and gets task, media, complexity and confidence", () => {
  const line = routeLine(encoder, { id: "a1", text: "Generate an image of a lighthouse in a storm." });
  expect(Object.keys(line)).toEqual(["id", "task", "media", "complexity", "confidence"]);
  expect(line).toMatchObject({ id: "a1", media: "image" });
  expect(routeLine(encoder, { text: "Hello" })).not.toHaveProperty("id");
});

test("a line of messages is read as the conversation it is", () => {
  const messages = [
    { role: "system" as const, content: "You translate everything the user writes into German." },
    { role: "user" as const, content: "The store is closed on Monday." },
  ];
  expect(routeLine(encoder, { messages }).task).toBe("writing");
});

test("an answer's line says whether it refuses, with or without its prompt", () => {
  expect(refusalLine(encoder, { id: 7, response: "I'm sorry, I can't help with that.", prompt: null })).toMatchObject({
    id: 7,
    refusal: true,
  });
});

test("a text's line holds its 256 numbers", () => {
  expect(embedLine(encoder, { id: "t", text: "a text" }).embedding).toHaveLength(256);
});
