import { describe, expect, test } from "bun:test";
import { DEFAULTS } from "../../../src/config/defaults.ts";
import {
  type CallContext,
  type ChatEvent,
  type ChatMessage,
  type ChatRequest,
  UpstreamError,
} from "../../../src/providers/provider.ts";
import { createSandbox, wordsOf } from "../../../src/providers/sandbox/sandbox.ts";
import { eachEvent, listsOf } from "../../support/chat-provider.ts";

const encoder = { embedMany: (texts: string[]) => texts.map((text) => Float32Array.of(0.6, 0.8, 0, text.length > 0 ? 0 : 1)) };
const sandbox = createSandbox({ clock: { now: () => 0 }, encoder, firstByteMs: 20 });

const context = (over: Partial<CallContext> = {}): CallContext => ({
  signal: new AbortController().signal,
  remainingMs: 60_000,
  requestId: "req",
  attempt: 1,
  ...over,
});
const user = (content: string, request: Partial<ChatRequest> = {}, before: ChatMessage[] = []): ChatRequest => ({
  messages: [...before, { role: "user", content }],
  ...request,
});
const chat = (request: ChatRequest, over: Partial<CallContext> = {}) => sandbox.chat!("gpt-4o", request, context(over));
const answer = async (content: string, request: Partial<ChatRequest> = {}, before: ChatMessage[] = []): Promise<string> =>
  (await chat(user(content, request, before))).text;
const stream = async (request: ChatRequest, over: Partial<CallContext> = {}): Promise<ChatEvent[]> =>
  Array.fromAsync(eachEvent(listsOf((take) => sandbox.streamChat!("gpt-4o", request, context(over), take))));
const textOf = (events: ChatEvent[]): string => events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
const failure = async (promise: Promise<unknown>): Promise<UpstreamError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
};

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
    expect(await read("The total is 1,250.50 EUR.", { currency: text, day: { type: "string", format: "date" } })).toEqual({
      currency: "EUR",
      day: "2026-01-15",
    });
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
    expect(Object.keys(JSON.parse(await answer("Give me a JSON with keys city and population for Berlin")))).toEqual([
      "city",
      "population",
    ]);
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

describe("tools", () => {
  const tools = [
    { name: "get_weather", parameters: { type: "object", properties: { location: { type: "string" } }, required: ["location"] } },
    { name: "currentTime", parameters: { type: "object", properties: { zone: { type: "string" } } } },
  ];
  const namesAndArguments = async (content: string, request: Partial<ChatRequest> = {}) =>
    (await chat(user(content, { tools, ...request }))).toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]);

  test("are called when the prompt plainly means them, with arguments from the text", async () => {
    const result = await chat(user("What's the weather in Paris?", { tools }));
    expect(result).toMatchObject({
      text: "",
      finishReason: "tool_calls",
      toolCalls: [{ name: "get_weather", arguments: '{"location":"Paris"}' }],
    });
    expect(result.usage.output).toBeGreaterThan(0);
  });

  test("are called in parallel, each call with its own id, unless parallel calls are off", async () => {
    expect((await namesAndArguments("What are the weather and the time in Berlin?")).map(([name]) => name)).toEqual([
      "get_weather",
      "currentTime",
    ]);
    expect(await namesAndArguments("What's the weather in Paris and Tokyo?")).toEqual([
      ["get_weather", { location: "Paris" }],
      ["get_weather", { location: "Tokyo" }],
    ]);
    const { toolCalls } = await chat(user("What's the weather in Paris and Tokyo?", { tools }));
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    expect(await namesAndArguments("What's the weather in Paris and Tokyo?", { parallelToolCalls: false })).toHaveLength(1);
  });

  test("a tool is meant by what it is said to do, where its name says nothing", async () => {
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const called = async (prompt: string) =>
      (
        await chat(
          user(prompt, {
            tools: [
              { name: "W", description: "The weather forecast of a city", parameters },
              { name: "T", description: "Temperature", parameters },
            ],
          }),
        )
      ).toolCalls.map(({ name }) => name);
    expect(await called("Give me the weather forecast for Oslo")).toEqual(["W"]);
    expect(await called("What is the temperature in Oslo?")).toEqual(["T"]);
    expect(await called("Which city is the capital of Norway?")).toEqual([]);
  });

  test("a place with its state or country is one place; arguments are what a tool of that kind can use", async () => {
    const text = { type: "string" };
    const tool = (name: string, ...keys: string[]) => ({
      name,
      parameters: { type: "object", properties: Object.fromEntries(keys.map((key) => [key, text])), required: keys },
    });
    const many = [
      tool("get_weather", "location"),
      tool("calculate", "expression"),
      tool("send_email", "to"),
      tool("get_stock_price", "ticker"),
      tool("search_web", "query"),
      tool("get_current_time", "timezone"),
    ];
    const call = async (prompt: string) =>
      (await chat(user(prompt, { tools: many }))).toolCalls.map(({ arguments: given }) =>
        Object.values(JSON.parse(given)).join(),
      );
    expect(await call("What's the weather like in San Francisco, CA?")).toEqual(["San Francisco, CA"]);
    expect(await call("What is the weather in Paris, France?")).toEqual(["Paris"]);
    expect(await call("The weather in Boston, MA and Austin, TX?")).toEqual(["Boston, MA", "Austin, TX"]);
    expect(await call("Weather for New York and Los Angeles")).toEqual(["New York", "Los Angeles"]);
    expect(await call("Calculate 25 * 4, please.")).toEqual(["25 * 4"]);
    expect(await call("Send an email to bob@example.com saying hello")).toEqual(["bob@example.com"]);
    expect(await call("Get the stock price of AAPL")).toEqual(["AAPL"]);
    expect(await call("Search the web for Bun 1.4")).toEqual(["Bun 1.4"]);
    expect(await call("What time is it in Tokyo?")).toEqual(["Asia/Tokyo"]);
  });

  test("are called when the caller insists, and never when it forbids", async () => {
    expect((await namesAndArguments("Hello", { toolChoice: "required" })).map(([name]) => name)).toEqual(["get_weather"]);
    expect((await namesAndArguments("Hello", { toolChoice: { name: "currentTime" } })).map(([name]) => name)).toEqual([
      "currentTime",
    ]);
    expect(await namesAndArguments("What's the weather in Paris?", { toolChoice: "none" })).toEqual([]);
    expect(await namesAndArguments("Hello")).toEqual([]);
  });

  test("their results are used in the answer", async () => {
    const call = { id: "c1", name: "get_weather", arguments: "{}" };
    const { text, toolCalls } = await chat({
      tools,
      messages: [
        { role: "user", content: "What's the weather in Paris?" },
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", toolCallId: "c1", content: '{"temperature": 18, "sky": "clear"}' },
      ],
    });
    expect(text).toBe("get_weather returned temperature: 18, sky: clear.");
    expect(toolCalls).toEqual([]);
  });
});

describe("bounds", () => {
  test("the answer is cut at the token limit, with finish reason length", async () => {
    const { text, finishReason, usage } = await chat(user("Write a story about a fox", { maxOutputTokens: 12 }));
    expect(finishReason).toBe("length");
    expect(usage.output).toBeWithin(10, 13);
    expect(await answer("Write a story about a fox")).toStartWith(text);
  });

  test("reasoning counts against the limit and is reported apart", async () => {
    const { reasoning, usage } = await chat(user("Why is the sky blue?", { reasoningEffort: "low" }));
    expect(reasoning).toBeString();
    expect(usage.reasoning).toBeGreaterThan(0);
    const cut = await chat(user("Why is the sky blue?", { reasoningEffort: "low", maxOutputTokens: usage.reasoning + 3 }));
    expect(cut.usage.reasoning + cut.usage.output).toBeLessThanOrEqual(usage.reasoning + 3);
  });

  test("the answer ends before a stop sequence", async () => {
    expect(await answer("[[sandbox:reply=one END two]]", { stop: ["two", "END"] })).toBe("one ");
  });
});

describe("streams", () => {
  test("carry the same text, calls, usage and finish reason as the whole answer, in word-sized pieces", async () => {
    const request = user(`Summarize: ${FOREST}`);
    const whole = await chat(request);
    const events = await stream(request);
    expect(textOf(events)).toBe(whole.text);
    expect(events.slice(-2)).toEqual([
      { type: "usage", usage: whole.usage },
      { type: "finish", reason: whole.finishReason },
    ]);
    expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(10);
  });

  test("number tool calls from zero and send their arguments in pieces", async () => {
    const tools = [{ name: "lookup_order", parameters: { type: "object", properties: { query: { type: "string" } } } }];
    const events = await stream(user("Please look at order A-17 for me, it is late.", { tools }));
    const written = events
      .flatMap((event) => (event.type === "tool-arguments" && event.index === 0 ? [event.text] : []))
      .join("");
    expect(events[0]).toMatchObject({ type: "tool-start", index: 0, name: "lookup_order" });
    expect(JSON.parse(written)).toHaveProperty("query");
    expect(events.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });

  test("stop when the caller hangs up", async () => {
    const caller = new AbortController();
    const events = listsOf((take) =>
      sandbox.streamChat!("gpt-4o", user(`Summarize: ${FOREST}`), context({ signal: caller.signal }), take),
    );
    await events.next();
    caller.abort(new Error("gone"));
    await expect(events.next()).rejects.toThrow("gone");
  });

  test("pieces join to the text and never split a character", () => {
    for (const text of ["  a b\n\nc ", "𝒳".repeat(100), "", "漢".repeat(50)]) {
      expect(wordsOf(text).join("")).toBe(text);
      for (const piece of wordsOf(text)) expect(piece.isWellFormed()).toBe(true);
    }
  });
});

describe("fault triggers", () => {
  test("hold for the first attempt only, unless :always follows", async () => {
    const once = user("Hello [[sandbox:error-500]]");
    expect((await failure(chat(once))).kind).toBe("server");
    expect((await chat(once, { attempt: 2 })).finishReason).toBe("stop");
    expect((await failure(chat(user("Hello [[sandbox:error-500:always]]"), { attempt: 3 }))).kind).toBe("server");
  });

  test("count only in the last user message, and are no part of the prompt", async () => {
    const before: ChatMessage[] = [
      { role: "user", content: "First [[sandbox:error-500]]" },
      { role: "assistant", content: "ok" },
    ];
    expect(await answer("Hello [[sandbox:slow=0]]", {}, before)).toEndWith("yours were: “Hello”.");
  });

  test("hold on a retry that shows the model its own answer, which is no message of the caller's", async () => {
    const outputFormat = {
      type: "schema",
      name: "x",
      strict: true,
      schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    } as const;
    const retry = (content: string): ChatRequest => ({
      outputFormat,
      messages: [
        { role: "user", content },
        { role: "assistant", content: "{" },
        { role: "user", content: "That does not match the schema: name is missing. Answer with valid JSON only." },
      ],
    });
    expect((await chat(retry("Who? Ada Lovelace. [[sandbox:bad-json:always]]"), { attempt: 2 })).text).toStartWith(
      '{"sandbox": "broken"',
    );
    expect((await chat(retry("Who? Ada Lovelace. [[sandbox:bad-json]]"), { attempt: 2 })).text).toBe('{"name":"Ada Lovelace"}');
  });

  test("refuse, empty, truncate and bad-json spoil the answer, not the call", async () => {
    expect(await chat(user("Hi [[sandbox:refuse]]"))).toMatchObject({
      text: "I'm sorry, but I can't help with that request.",
      finishReason: "stop",
    });
    expect(await chat(user("Hi [[sandbox:empty]]"))).toMatchObject({ text: "", finishReason: "stop" });
    const whole = await answer(`Summarize: ${FOREST}`);
    const cut = await chat(user(`Summarize: ${FOREST} [[sandbox:truncate]]`));
    expect(cut.finishReason).toBe("length");
    expect(whole).toStartWith(cut.text);
    expect(cut.text).not.toMatch(/[.!?]$/);
    const bad = await answer("Give JSON [[sandbox:bad-json]]", { outputFormat: { type: "json" } });
    expect(() => JSON.parse(bad)).toThrow();
  });

  test("reply answers exactly its text, also where a schema or tools are given", async () => {
    const outputFormat = { type: "schema", name: "x", schema: { type: "object" }, strict: true } as const;
    expect(await answer("Q [[sandbox:reply=My SSN is 123-45-6789]]", { outputFormat })).toBe("My SSN is 123-45-6789");
  });

  test("rate-limit carries a hint how long to wait", async () => {
    expect(await failure(chat(user("Hi [[sandbox:rate-limit]]")))).toMatchObject({
      kind: "rate_limit",
      details: { status: 429, retryAfterMs: 250 },
    });
  });

  test("timeout never answers: the first-byte deadline, the call's time or the caller ends it", async () => {
    expect((await failure(chat(user("Hi [[sandbox:timeout]]")))).kind).toBe("timeout");
    expect((await failure(stream(user("Hi [[sandbox:timeout]]"), { remainingMs: 1 }))).kind).toBe("timeout");
    const caller = new AbortController();
    const waiting = createSandbox({ clock: { now: () => 0 }, firstByteMs: DEFAULTS.timeouts.firstByteMs }).chat!(
      "gpt-4o",
      user("Hi [[sandbox:timeout]]"),
      context({ signal: caller.signal }),
    );
    caller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
  });

  test("slow waits, then answers as ever; beyond the first-byte deadline it fails a stream, not a whole answer", async () => {
    const ended: string[] = [];
    const ask = (trigger: string) => answer(`Hello ${trigger}`).finally(() => ended.push(trigger));
    const [later, sooner] = await Promise.all([ask("[[sandbox:slow=30]]"), ask("[[sandbox:slow=1]]")]);
    expect(ended).toEqual(["[[sandbox:slow=1]]", "[[sandbox:slow=30]]"]);
    expect([later, sooner, textOf(await stream(user("Hello [[sandbox:slow=10]]")))]).toEqual(
      Array(3).fill(await answer("Hello")),
    );
    expect((await failure(stream(user("Hello [[sandbox:slow=40]]")))).kind).toBe("timeout");
    expect((await chat(user("Hello [[sandbox:slow=40]]"))).finishReason).toBe("stop");
  });

  test("disconnect breaks a stream in the middle and a whole answer altogether", async () => {
    const events: ChatEvent[] = [];
    const broken = (async () => {
      for await (const list of listsOf((take) =>
        sandbox.streamChat!("gpt-4o", user("Hello [[sandbox:disconnect]]"), context(), take),
      ))
        events.push(...list);
    })();
    expect(await failure(broken)).toMatchObject({ kind: "truncated", details: { accepted: true } });
    expect(textOf(events).length).toBeGreaterThan(0);
    expect(events.some(({ type }) => type === "finish")).toBe(false);
    expect((await failure(chat(user("Hello [[sandbox:disconnect]]")))).kind).toBe("network");
  });

  test("several stand together", async () => {
    expect(await answer("[[sandbox:slow=1]] [[sandbox:refuse]] Hi")).toStartWith("I'm sorry");
  });
});

describe("embeddings", () => {
  const embed = (inputs: string[], dimensions?: number) => sandbox.embed!("embed-local", inputs, dimensions, context());

  test("come from the local encoder, with estimated tokens", async () => {
    const { vectors, inputTokens } = await embed(["hello world", "again"]);
    expect(vectors).toEqual(encoder.embedMany(["hello world", "again"]));
    expect(inputTokens).toBeGreaterThan(2);
  });

  test("keep unit length when cut, and their angles when filled up", async () => {
    const [short] = (await embed(["x"], 1)).vectors;
    const [long] = (await embed(["x"], 6)).vectors;
    expect([...(short ?? [])]).toEqual([1]);
    expect([...(long ?? [])].map((value) => Math.round(value * 10) / 10)).toEqual([0.6, 0.8, 0, 0, 0, 0]);
  });

  test("fail on demand", async () => {
    expect((await failure(embed(["x [[sandbox:rate-limit]]"]))).kind).toBe("rate_limit");
  });
});
