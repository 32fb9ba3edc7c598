/** Callers who leave before their provider is connected: it knows nothing of them, and nothing is billed. */

import { afterAll, expect, test } from "bun:test";
import { startGateway } from "../support/gateway.ts";

/** Takes connections and says nothing, so that none is ever secured. */
let connected = Promise.withResolvers<void>();
const silent = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: { open: () => connected.resolve(), data: () => {} },
});
const gateway = await startGateway({
  environment: { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: `https://localhost:${silent.port}/v1` },
});
afterAll(async () => {
  await gateway.stop();
  silent.stop(true);
});

const model = "gpt-4o-mini";
const messages = [{ role: "user", content: "Why is the sky blue?" }];
for (const [path, body] of [
  ["/v1/chat", { model, messages }],
  ["/v1/chat/stream", { model, messages }],
  ["/v1/embeddings", { model: "text-embedding-3-small", input: "Why is the sky blue?" }],
  ["/v1/images/generations", { prompt: "a red fox" }],
] as const) {
  test(`who leaves ${path} before its provider is connected owes nothing`, async () => {
    connected = Promise.withResolvers();
    const key = await gateway.key({ project: path, mode: "live", budgetUsd: 1 });
    const leaving = new AbortController();
    const left = fetch(gateway.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => "gone");
    await connected.promise;
    leaving.abort();
    expect(await left).toBe("gone");
    const read = async (of: string): Promise<any> => (await gateway.send(key, "GET", of)).json();
    let logs: any[] = [];
    // At intervals: the log answers 600 requests a minute.
    for (; logs.length === 0; await Bun.sleep(10)) ({ logs } = await read("/v1/logs"));
    const { execution } = await read(`/v1/logs/${logs[0].call_id}`);
    expect(execution).toMatchObject({ status: 499, cancelled: true, cost_usd: 0, input_tokens: 0, usage_source: "none" });
    expect(execution.attempts).toMatchObject([{ success: false, failure_message: "The caller hung up.", cost_usd: 0 }]);
    const { key: terms, limits } = await read("/v1/usage");
    expect([terms.budget.used_usd, limits.images.used]).toEqual([0, 0]);
  });
}
