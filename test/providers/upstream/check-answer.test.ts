/** An error may quote its request, or be about what the request names. No caller may shut out a provider for others by that. */

import { expect, test } from "bun:test";
import { DEFAULTS } from "../../../src/config/defaults.ts";
import { createHealth } from "../../../src/providers/health/health.ts";
import type { ContentPart } from "../../../src/providers/provider.ts";
import { askFor, contextWith, providerFor } from "../../support/chat-provider.ts";
import { json, upstreamStubOfFile } from "../../support/upstream-stub.ts";

const clock = { now: () => 1_000_000 };
const keys = ["a", "b"].map((id) => ({ id, key: `key-${id}`, weight: 1 }));
const stub = upstreamStubOfFile();

/** How many requests were made, how often a key was put aside, and how the model is said to be, after a call that was refused so. */
const after = async (dialect: "openai" | "google" | "anthropic", message: string, asked: string) => {
  const health = createHealth({ clock, cooldownMs: DEFAULTS.cooldownMs });
  let refused = 0;
  const provider = providerFor(dialect, stub.url, { keys, clock, health, onKeyRefused: () => refused++ });
  stub.seen.length = 0;
  const named = dialect === "google" ? { status: "INVALID_ARGUMENT" } : { type: "invalid_request_error" };
  stub.answer(json({ error: { message, ...named } }, 400));
  for (let call = 0; call < 5; call++) await provider.chat!("m", askFor(asked), contextWith()).catch(() => undefined);
  return [stub.seen.length, refused, health.state(dialect, "m")];
};

const CASES = [
  ["openai", "invalid api key"],
  ["openai", "credit balance is too low"],
  ["openai", 'account é "A" suspended'],
  ["openai", "İnvalid invalid api \u212Aey"],
  ["openai", "model not found"],
  ["openai", "model has crashed"],
  ["google", "API key not valid"],
  ["anthropic", "billing"],
  ["anthropic", "no such model"],
] as const;

test.each(CASES)("%s: «%s» says nothing of key or model where it is quoted from the request", async (dialect, words) => {
  const message = `Invalid: In context=('properties', '${words}'), schema must have a 'type' key.`;
  expect(await after(dialect, message, `Fill in ${words}.`)).toEqual([5, 0, "healthy"]);
});

test.each(CASES)("%s: «%s» counts where it is the provider's own word", async (dialect, words) => {
  const [, refused, state] = await after(dialect, `Sorry: ${words}.`, "hi");
  expect([refused, state]).not.toEqual([0, "healthy"]);
});

test("a request that happens to have one of an error's telling words takes nothing from the others", async () => {
  const message = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.";
  expect(await after("anthropic", message, "What is a credit balance?")).toEqual([6, 2, "down"]);
});

test("a video that Google may not see, which it tells as of a key without rights, puts no key aside", async () => {
  const health = createHealth({ clock, cooldownMs: DEFAULTS.cooldownMs });
  let refused = 0;
  const provider = providerFor("google", stub.url, { keys, clock, health, onKeyRefused: () => refused++ });
  stub.answer(json({ error: { code: 403, message: "The caller does not have permission", status: "PERMISSION_DENIED" } }, 403));
  const ask = (part: ContentPart) =>
    provider.chat!("m", { ...askFor(""), messages: [{ role: "user", content: [part] }] }, contextWith()).catch(() => undefined);
  for (let call = 0; call < 5; call++) await ask({ type: "video", url: "https://www.youtube.com/watch?v=abcdefghijk" });
  expect([refused, health.state("google", "m")]).toEqual([0, "healthy"]);
  await ask({ type: "text", text: "hi" });
  expect(refused).toBe(2);
});

test.each(['tool use. Try disabling "look_up".', "image input"])(
  "a model that serves no endpoint for %s serves the others",
  async (what) => {
    const health = createHealth({ clock, cooldownMs: DEFAULTS.cooldownMs });
    const provider = providerFor("openai", stub.url, { keys, clock, health });
    stub.answer(json({ error: { message: `No endpoints found that support ${what}`, code: 404 } }, 404));
    await expect(provider.chat!("m", askFor("hi"), contextWith())).rejects.toMatchObject({ kind: "model_gone" });
    expect(health.state("openai", "m")).toBe("healthy");
    stub.answer(json({ error: { message: "No endpoints found for m.", code: 404 } }, 404));
    await expect(provider.chat!("m", askFor("hi"), contextWith())).rejects.toMatchObject({ kind: "model_gone" });
    expect(health.state("openai", "m")).toBe("down");
  },
);

test.each(["invalid request error trace_id: 1f2e", "Upstream request failed", "Failed to get response from provider"])(
  "«%s» may be the request's own doing, so the model serves the others",
  async (words) => {
    expect(await after("openai", words, "hi")).toEqual([5, 0, "healthy"]);
  },
);
