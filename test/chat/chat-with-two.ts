/** Chats of one test file with a gateway between two vendors, whose stubs say what they are told. */

import { beforeEach } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { twoVendorsOfFile } from "../support/two-vendors.ts";
import { claude, completion } from "../support/vendor-answers.ts";

export const ask = (text: string, more: Record<string, unknown> = {}) => ({
  messages: [{ role: "user", content: text }],
  ...more,
});

export const chatWithTwo = async () => {
  const vendors = await twoVendorsOfFile({
    OPENAI_API_KEY: "sk-secret",
    ANTHROPIC_API_KEY: "sk-ant-secret",
    SIGNALBOX_COOLDOWN_MS: "60000",
  });
  const { gateway, openai, anthropic } = vendors;
  beforeEach(() => {
    // Breakers and spent retries of one test must not meet the next.
    gateway.clock.advance(120_000);
    for (const provider of ["openai", "anthropic"]) gateway.platform.providers.health.forgive(provider);
    openai.answer(completion("Hello from the one."));
    anthropic.answer(claude("Hello from the other."));
  });
  return {
    ...vendors,
    sandbox: await gateway.key({ mode: "test" }),
    chat: async (key: TestKey | null, body: unknown, headers: Record<string, string> = {}) => {
      const response = await gateway.send(key, "POST", "/v1/chat", body, headers);
      return { status: response.status, headers: response.headers, body: (await response.json()) as any };
    },
    logOf: async (key: TestKey, id: string) => (await (await gateway.send(key, "GET", `/v1/logs/${id}`)).json()) as any,
  };
};
