/** Answers in the sandbox follow what was asked: its own sentences, numbers, labels and words. */

import { describe, expect, test } from "bun:test";
import { renderWhole } from "../../../src/documents/query/render-documents.ts";
import type { ChatMessage } from "../../../src/providers/provider.ts";
import { answer, chat } from "../../support/ask-sandbox.ts";

const FOREST =
  "The Amazon rainforest covers much of the Amazon basin. It is home to about 390 billion trees. Brazil holds 60% of it. " +
  "Scientists warn that the forest may reach a tipping point. Rivers cross it from west to east.";

describe("an answer follows the request", () => {
  test("a summary is made of the input's own sentences, as many as were asked for", async () => {
    const text = await answer(`Summarize the following text in two sentences:\n\n${FOREST}`);
    const sentences = text.split(/(?<=\.) /);
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences) expect(FOREST).toContain(sentence);
  });

  test("of documents the text counts, not the words and tags that frame it", async () => {
    const framed = { role: "user" as const, content: renderWhole([{ filename: "forest.txt", text: FOREST }]) };
    for (const prompt of ["What is a rainforest?", "Summarize the document in two sentences.", "How many trees are there?"])
      for (const sentence of (await answer(prompt, {}, [framed])).split(/(?<=\.) /)) expect(FOREST).toContain(sentence);
  });

  test("bullet points are bullets", async () => {
    expect((await answer(`Give me three bullet points: ${FOREST}`)).split("\n").every((line) => line.startsWith("- "))).toBe(
      true,
    );
  });

  test.each([
    ["Classify the sentiment as positive, negative or neutral: I loved this phone, great battery!", "positive"],
    ["Classify the sentiment as positive, negative or neutral: It broke at once. Terrible, I want a refund.", "negative"],
    ["Classify this ticket into one of: billing, technical, shipping.\n\nMy card was charged twice for one invoice.", "billing"],
    ["Is this email spam or not spam?\n\nYou won a free prize, click now!", "spam"],
    ["Label the topic (sports, politics, tech): The minister lost the vote.", "politics"],
    ["Which of these (Fruit, Animal, Mineral) is meant? Choose one.\n\nThe animal was asleep.", "Animal"],
  ])("a classification picks one of the offered labels: %s", async (prompt, label) => {
    expect(await answer(prompt)).toBe(label);
  });

  test("several things are sorted line by line", async () => {
    expect(await answer("Classify each of these as fruit or animal: red fruit, wild animal")).toBe(
      "red fruit: fruit\nwild animal: animal",
    );
  });

  test("an extraction lists what stands in the text", async () => {
    const text = await answer(
      "Extract all email addresses and dates from: Write to ada@example.com or bob@x.org before 3 March 2026.",
    );
    expect(text.split("\n")).toEqual(["- ada@example.com", "- bob@x.org", "- 2026-03-03"]);
  });

  test("code comes in a fence of the language asked for", async () => {
    expect(await answer("Write a TypeScript function that trims names.")).toMatch(
      /^```typescript\nexport function trimsNames\([\s\S]*\n```/,
    );
  });

  test("a sum is worked out", async () => {
    expect(await answer("What is 17 * 23?")).toBe("17 * 23 = 391.");
  });

  test("a translation is of the words in quotation marks", async () => {
    expect(await answer("Translate 'Good morning' into French.")).toBe("In French: “Good morning”");
    expect(await answer("Translate into German: It's late.")).toBe("In German: “It's late.”");
  });

  test("a question is answered by the best sentence of the material", async () => {
    const before: ChatMessage[] = [{ role: "system", content: `You are a guide. Answer from the passages.\n[1] ${FOREST}` }];
    expect(await answer("How many trees are in the rainforest?", {}, before)).toStartWith(
      "It is home to about 390 billion trees.",
    );
  });

  test("a question for a number of things is answered by the sentence that counts them", async () => {
    const before: ChatMessage[] = [
      { role: "user", content: "The signal box at Dent was built in 1891. It has 24 brass levers." },
    ];
    expect(await answer("How many levers does the signal box have?", {}, before)).toBe("It has 24 brass levers.");
  });

  test("what the user said of themselves comes back turned round", async () => {
    const before: ChatMessage[] = [
      { role: "user", content: "My name is Ada. I live in Paris." },
      { role: "assistant", content: "Nice to meet you." },
    ];
    expect(await answer("What is my name?", {}, before)).toBe("Your name is Ada.");
    expect(await answer("Where do I live?", {}, before)).toBe("You live in Paris.");
  });

  test("without anything to go by it says what it is and repeats the question", async () => {
    expect(await answer("What is the capital of France?")).toBe(
      "This is the Signalbox sandbox answering as gpt-4o. It works from the words of the request alone; yours were: “What is the capital of France?”.",
    );
  });

  test("is the same every time, and reads every size of prompt in linear time", async () => {
    const long = `Summarize this: ${FOREST.repeat(4_000)}`;
    expect(await answer(long)).toBe(await answer(long));
    for (const hostile of [
      "a".repeat(400_000),
      "[".repeat(400_000),
      "A, ".repeat(130_000),
      " ".repeat(400_000),
      "x or ".repeat(80_000),
      `${")".repeat(400_000)}a`,
    ]) {
      expect(typeof (await answer(`Classify as json: ${hostile}`))).toBe("string");
    }
  });

  test("attachments are described by their real properties", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    const wav = Buffer.alloc(44 + 16_000);
    wav.write("RIFF", 0);
    wav.write("WAVEfmt ", 8);
    wav.writeUInt32LE(16, 16);
    // One channel of 8,000 samples of two bytes a second.
    wav.writeUInt16LE(1, 20);
    wav.writeUInt16LE(1, 22);
    wav.writeUInt32LE(8_000, 24);
    wav.writeUInt32LE(16_000, 28);
    wav.writeUInt16LE(2, 32);
    wav.writeUInt16LE(16, 34);
    wav.write("data", 36);
    wav.writeUInt32LE(16_000, 40);
    const { text, usage } = await chat({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", url: `data:image/png;base64,${png}` },
            { type: "audio", format: "wav", data: wav.toString("base64") },
            {
              type: "document",
              mediaType: "application/pdf",
              name: "a.pdf",
              data: Buffer.from("%PDF-1.7\n<< /Type /Pages >> << /Type /Page >>").toString("base64"),
            },
          ],
        },
      ],
    });
    expect(text).toContain("PNG of 1 × 1 pixels (70 bytes)");
    expect(text).toContain("WAV file of 1.0 seconds");
    expect(text).toContain("a.pdf is a PDF 1.7 document with 1 page");
    expect(usage.input).toBeGreaterThan(255 + 10 + 600);
  });
});

test("of long texts the beginning and the end are read, of many messages the system's and the latest", async () => {
  const filler = "火车站 ".repeat(200_000);
  const start = "The signal box stands in Crewe.";
  const text = `${start}\n${filler}\nThe water tower stands in Derby.\n${filler}`;
  expect(await answer(`${text}\n\nWhere does the signal box stand? Explain.`)).toContain(start);
  expect(await answer(`${text}\n\nWhere does the water tower stand? Explain.`)).not.toContain("Derby");

  const before: ChatMessage[] = [
    { role: "system", content: "The signal box has 24 brass levers." },
    ...Array.from({ length: 40 }, (): ChatMessage => ({ role: "user", content: filler.slice(0, 50_000) })),
    { role: "user", content: "My name is Ada Byron." },
  ];
  expect(await answer("How many brass levers does the signal box have?", {}, before)).toContain("24 brass levers");
  expect(await answer("What is my name?", {}, before)).toBe("Your name is Ada Byron.");
});
