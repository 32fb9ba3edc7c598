/** Tools, as the sandbox calls them and answers with their results. */

import { describe, expect, test } from "bun:test";
import type { ChatRequest } from "../../../src/providers/provider.ts";
import { chat, user } from "../../support/ask-sandbox.ts";

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

  test("are called at most sixteen at once", async () => {
    const many = Array.from({ length: 40 }, (_, number) => ({ name: `get_weather_${number}`, description: "weather" }));
    expect(await namesAndArguments(`The weather: ${many.map(({ name }) => name).join(" ")}`, { tools: many })).toHaveLength(16);
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
    // Of one stem.
    expect(await called("Are its temperate days over in Oslo?")).toEqual(["T"]);
    expect(await called("What is Oslo's tempo?")).toEqual([]);
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

  test("a tool is named without what frameworks put before its name", async () => {
    for (const name of [
      "mcp__climate__get_weather",
      "Climate-get_weather",
      "Climate-GetWeather",
      "climate.get_weather",
      "weather.get",
    ])
      expect(await namesAndArguments("What's the weather in Paris?", { tools: [{ name, parameters: {} }] })).toEqual([
        [name, {}],
      ]);
    expect(
      await namesAndArguments("What's the weather in Paris?", { tools: [{ name: "weather__get_alerts", parameters: {} }] }),
    ).toEqual([]);
  });

  test("parameters that are no schema are no obstacle", async () => {
    for (const properties of [{ city: null }, [null], "none", { city: true }])
      expect(
        await namesAndArguments("Hello", { tools: [{ name: "f", parameters: { properties } }], toolChoice: "required" }),
      ).toHaveLength(1);
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

  test("a call that is required after results is that of a tool not called yet", async () => {
    const answer = {
      name: "answer",
      parameters: { type: "object", properties: { email: { type: "string" } }, required: ["email"] },
    };
    const messages: ChatRequest["messages"] = [
      { role: "user", content: "What's the weather in Paris and Tokyo?" },
      { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "get_weather", arguments: "{}" }] },
      { role: "tool", toolCallId: "c1", content: "Ask bob@example.com" },
    ];
    const called = async (offered: ChatRequest["tools"], toolChoice: ChatRequest["toolChoice"]) =>
      (await chat({ tools: offered, messages, toolChoice })).toolCalls.map(({ name, arguments: given }) => [
        name,
        JSON.parse(given),
      ]);
    expect(await called([...tools, answer].toReversed(), "required")).toEqual([["answer", { email: "bob@example.com" }]]);
    expect(await called([...tools, answer], { name: "answer" })).toEqual([["answer", { email: "bob@example.com" }]]);
    expect((await called(tools.slice(0, 1), "required")).map(([name]) => name)).toEqual(["get_weather"]);
    expect(await called([...tools, answer], "auto")).toEqual([]);
  });
});
