/** Answers in the sandbox that are to be JSON. */

import { describe, expect, test } from "bun:test";
import { answer, chat } from "../../support/ask-sandbox.ts";

describe("structured answers", () => {
  test("fit the schema and hold what the text says", async () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        age: { type: "integer" },
        email: { type: "string", format: "email" },
        city: { type: "string" },
      },
      required: ["name", "age", "email", "city"],
      additionalProperties: false,
    };
    const text = await answer("Extract the person: Ada Lovelace, 36, lives in London, ada@example.com.", {
      outputFormat: { type: "schema", name: "person", schema, strict: true },
    });
    expect(JSON.parse(text)).toEqual({ name: "Ada Lovelace", age: 36, email: "ada@example.com", city: "London" });
  });

  test("know who takes part, when, where from, where to and in what money", async () => {
    const read = async (prompt: string, keys: Record<string, object>): Promise<unknown> => {
      const schema = { type: "object", properties: keys, required: Object.keys(keys) };
      return JSON.parse(await answer(prompt, { outputFormat: { type: "schema", name: "it", schema, strict: true } }));
    };
    const text = { type: "string" };
    expect(
      await read("Alice and Bob are going to a science fair on Friday.", {
        date: text,
        participants: { type: "array", items: text },
      }),
    ).toEqual({ date: "Friday", participants: ["Alice", "Bob"] });
    expect(await read("Flights from Berlin to Rome, please.", { from: text, to: text })).toEqual({ from: "Berlin", to: "Rome" });
    expect(await read("To Rome it goes, from Berlin to Rome.", { destination: text, origin: text })).toEqual({
      destination: "Rome",
      origin: "Berlin",
    });
    expect(await read("Built in 1891, [1] it has 24 brass levers and 1,200 m of wire.", { levers: { type: "integer" } })).toEqual(
      {
        levers: 24,
      },
    );
    expect(
      await read("Open an account named '东方红茶' (Eastern Black Tea) for a Chinese wholesaler", { account_name: text }),
    ).toEqual({
      account_name: "东方红茶",
    });
    expect(await read("The total is 1,250.50 EUR.", { currency: text, day: { type: "string", format: "date" } })).toEqual({
      currency: "EUR",
      day: "2026-01-15",
    });
  });

  test("fit a schema that stands in the prompt, as libraries write it where they do not trust structured output", async () => {
    const schema = {
      properties: { name: { title: "Name", type: "string" }, age: { title: "Age", type: "integer" } },
      required: ["name", "age"],
      type: "object",
    };
    const written = JSON.stringify(schema, null, 2);
    const example = 'For the schema {"properties": {"foo": {"type": "string"}}} the object {"foo": "bar"} is well formatted.';
    const prompts: [system: string, user: string][] = [
      [
        `Provide the parsed objects in json that match the following json_schema:\n\n${written}\n\nNot the schema.`,
        "Ada Lovelace is 36",
      ],
      [
        `Your task is to provide objects in json that match this json_schema:\n\n${written}`,
        "Ada Lovelace is 36\n\nReturn the correct JSON response within a ```json codeblock. not the JSON_SCHEMA",
      ],
      [
        "Be brief.",
        `Extract: Ada Lovelace, 36. Answer in JSON.\n${example}\nHere is the output schema:\n\`\`\`\n${written}\n\`\`\``,
      ],
    ];
    for (const [system, user] of prompts)
      expect(
        JSON.parse(
          await answer(user, {
            messages: [
              { role: "system", content: system },
              { role: "user", content: user },
            ],
          }),
        ),
      ).toEqual({ name: "Ada Lovelace", age: 36 });
    // A schema that is the subject, not the form, of the answer.
    expect(await answer(`What does this schema mean?\n\n${written}`)).not.toStartWith("{");
  });

  test("choose among the members of an enumeration as they would among labels", async () => {
    const schema = {
      type: "object",
      properties: { category: { enum: ["billing", "technical", "sales"] } },
      required: ["category"],
    };
    const read = async (text: string) =>
      JSON.parse(await answer(text, { outputFormat: { type: "schema", name: "ticket", schema, strict: true } }));
    expect(await read("Classify: my internet has been away since yesterday.")).toEqual({ category: "technical" });
    expect(await read("Classify: I was charged twice.")).toEqual({ category: "billing" });
    expect(await read("Classify: where is the sales department?")).toEqual({ category: "sales" });
  });

  test("have the keys that were named and as many things as were asked for", async () => {
    expect(Object.keys(JSON.parse(await answer("A riddle, as a JSON with 'question' and 'answer' keys, nothing else.")))).toEqual(
      ["question", "answer"],
    );
    expect(Object.keys(JSON.parse(await answer("Give me a JSON with keys city and population for Berlin")))).toEqual([
      "city",
      "population",
    ]);
    const remarked =
      "All is well.\n\nRespond with a JSON object of the fields: `sentiment` (must be one of ['calm', 'upset']), then `score` (a float).";
    expect(JSON.parse(await answer(remarked))).toEqual({ sentiment: "calm", score: expect.any(Number) });
    expect(JSON.parse(await answer("Return a JSON array of three colors."))).toEqual([
      "sample color 1",
      "sample color 2",
      "sample color 3",
    ]);
  });

  test("are JSON where the request or the prompt asks for JSON", async () => {
    expect(JSON.parse(await answer("Return JSON with keys name and email. Text: Ada Lovelace, ada@example.com"))).toEqual({
      name: "Ada Lovelace",
      email: "ada@example.com",
    });
    expect(JSON.parse(await answer("Say something nice.", { outputFormat: { type: "json" } }))).toHaveProperty("answer");
    expect(JSON.parse(await answer("Extract all dates from: the meeting on 2024-05-01 and 2024-06-07. Output JSON."))).toEqual({
      dates: ["2024-05-01", "2024-06-07"],
    });
    expect(JSON.parse(await answer("Return a JSON object with keys name and age for: Bob, 41"))).toEqual({
      name: "Bob",
      age: 41,
    });
    const pirate = { role: "system" as const, content: "You are a pirate. Answer in JSON with the key reply." };
    const asked = await chat({ messages: [pirate, { role: "user", content: "Where is the treasure?" }] });
    expect(Object.keys(JSON.parse(asked.text))).toEqual(["reply"]);
    expect(await answer("Name all dates in: 2024-05-01. Do not output JSON.")).not.toStartWith("{");
    expect(JSON.parse(await answer('Classify as spam or ham. Answer as {"label": "..."} in JSON.\n\nYou won a prize!'))).toEqual({
      label: "spam",
    });
  });
});
