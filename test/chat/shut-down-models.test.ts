/** Models have an end: what a vendor has shut down is routed around, and told to who pins it; the operator's word wins. */

import { beforeAll, expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

let key: TestKey;
const gateway = await gatewayOfFile({ settings: "models:\n  - id: gpt-4o-mini\n    shutdown_date: null\n" });
beforeAll(async () => {
  gateway.clock.stop(Date.parse("2030-01-01"));
  key = await gateway.key({ mode: "test" });
});

const ask = async (model: string, more: object = {}) => {
  const messages = [{ role: "user", content: "Hello" }];
  const response = await gateway.send(key, "POST", "/v1/chat", { model, messages, ...more });
  return { status: response.status, body: (await response.json()) as any };
};

test("who pins one is told since when, as of a model that does not exist", async () => {
  const { status, body } = await ask("gpt-4o");
  expect([status, body.error.type, body.error.param, body.error.code]).toEqual([404, "not_found", "model", "model_not_found"]);
  expect(body.error.message).toContain("2027-01-14");
  expect((await ask("auto")).status).toBe(200);
});

test("where the operator says that it goes on, it does", async () => {
  expect(await ask("gpt-4o-mini")).toMatchObject({ status: 200, body: { model: "gpt-4o-mini" } });
  const { data } = (await (await gateway.send(key, "GET", "/v1/models")).json()) as any;
  const listed = new Set(data.map(({ id }: any) => id));
  expect(["gpt-4o", "gpt-4o-mini"].map((id) => listed.has(id))).toEqual([false, true]);
});

test("of several that are named, the one that could have answered is the one told", async () => {
  const audio = { type: "input_audio", input_audio: { data: Buffer.alloc(64).toString("base64"), format: "wav" } };
  const messages = [{ role: "user", content: [{ type: "text", text: "Hello" }, audio] }];
  const { status, body } = await ask("gpt-4o-mini", { messages, models: ["gemini-2.5-pro"] });
  expect([status, body.error.message]).toEqual([404, expect.stringContaining("gemini-2.5-pro is no longer served")]);
});
