/** Every recording of a chat answer, whole and streamed, through the real provider over loopback: nothing of it may get lost. */

import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Dialect } from "../../src/catalog/model.ts";
import { UpstreamError } from "../../src/providers/upstream-error.ts";
import { askFor, type Collected, collect, contextWith, listsOf, providerFor } from "../support/chat-provider.ts";
import { DIALECTS, type Expected, expectedOf, isChatAnswer, WIRE } from "../support/recordings.ts";
import { json, type SseStyle, slice, sseBody, startUpstreamStub, stream } from "../support/upstream-stub.ts";

const check = (got: Omit<Collected, "events" | "refusal">, expected: Expected): void => {
  expect(got.text).toBe(expected.text);
  expect(got.reasoning).toBe(expected.reasoning);
  expect(got.toolCalls.map(({ name, arguments: args }) => ({ name, arguments: JSON.parse(args) }))).toEqual(expected.tools);
  expect(new Set(got.toolCalls.map(({ id }) => id)).size).toBe(expected.tools.length);
  expect(got.finishReason as string).toBe(expected.finish);
  const usage = got.usage!;
  expect(usage.input + usage.cacheRead + usage.cacheWrite).toBe(expected.prompt);
  expect(usage.output + usage.reasoning).toBe(expected.completion);
  expect(usage.cacheRead).toBe(expected.cached);
  expect(usage.reasoning).toBe(expected.hidden);
};

const STYLES: [string, SseStyle, number[]][] = [
  ["in one piece", {}, [1 << 20]],
  ["in slices of 7, 1 and 13 bytes with CRLF and comments", { lineEnd: "\r\n", comments: true }, [7, 1, 13]],
  ["in slices of 1,021 bytes with CR, without [DONE]", { lineEnd: "\r", done: false }, [1021]],
];

describe.skipIf(!existsSync(WIRE))("recorded traffic (skipped where ../shared/data is absent)", () => {
  const stub = startUpstreamStub();
  afterAll(() => stub.stop());

  for (const [vendor, dialect] of Object.entries(DIALECTS)) {
    const files = existsSync(join(WIRE, vendor)) ? readdirSync(join(WIRE, vendor)) : [];
    const provider = providerFor(dialect, stub.url);
    for (const file of files.filter((name) => name.endsWith(".json"))) {
      const body = JSON.parse(readFileSync(join(WIRE, vendor, file), "utf8"));
      if (!isChatAnswer(body)) continue;
      test(`${file} comes out as it was recorded`, async () => {
        stub.answer(json(body));
        const result = await provider.chat!("m", askFor("hi"), contextWith());
        check({ ...result, reasoning: result.reasoning ?? "", usage: result.usage }, expectedOf(dialect, [body], file));
        expect(result.usageSource).toBe("provider");
      });
    }
    for (const file of files.filter((name) => name.endsWith(".chunks.txt"))) {
      const frames = readFileSync(join(WIRE, vendor, file), "utf8")
        .split("\n")
        .filter(Boolean);
      const expected = expectedOf(
        dialect,
        frames.map((frame) => JSON.parse(frame)),
        file,
      );
      for (const [name, style, sizes] of STYLES) {
        test(`${file} streamed ${name} comes out as it was recorded`, async () => {
          const done = dialect === "openai" && style.done !== false;
          stub.answer(stream(slice(sseBody(frames, { ...style, done, eventNames: dialect === "anthropic" }), sizes)));
          check(await collect(listsOf((take) => provider.streamChat!("m", askFor("hi"), contextWith(), take))), expected);
        });
      }
    }
  }

  const errorOf = async (dialect: Dialect, file: string, status: number): Promise<UpstreamError> => {
    stub.answer(json(JSON.parse(readFileSync(join(WIRE, file), "utf8")), status));
    const error = await providerFor(dialect, stub.url).chat!(
      "m",
      { messages: [{ role: "user", content: "hi" }] },
      contextWith(),
    ).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    return error;
  };

  test("the recorded Gemini 429 says how long to wait", async () => {
    const { kind, details } = await errorOf("google", "google/google-429-retry-info.json", 429);
    expect(kind).toBe("rate_limit");
    expect(details.retryAfterMs).toBe(34_400);
  });

  test("the recorded refusal of max_tokens names the parameter", async () => {
    const { kind, details } = await errorOf("openai", "openai/reasoning-model-legacy-parameter-error.json", 400);
    expect(kind).toBe("unsupported_param");
    expect(details.param).toBe("max_tokens");
  });
});
