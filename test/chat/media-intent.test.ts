/** A chat that asks for media (rule 6): when it is media that is meant, and what a refusal says in a chat's own fields. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";

let gateway: Gateway;
let key: TestKey;

beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.key();
});
afterAll(() => gateway.stop());

const DRAW = "Draw a picture of a red fox in the snow.";
const ask = async (content: string, more: object = {}) => {
  const response = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content }], ...more });
  return { status: response.status, body: (await response.json()) as any };
};

test("who asks for JSON gets JSON, whatever it is about", async () => {
  expect((await ask(DRAW)).body.svc.media.type).toBe("image");
  expect((await ask(DRAW, { response_format: { type: "text" } })).body.svc.media.type).toBe("image");
  for (const response_format of [{ type: "json_object" }, { type: "json_schema", json_schema: { name: "fox" } }]) {
    const { body } = await ask(DRAW, { response_format });
    expect(body.svc.media).toBeUndefined();
    JSON.parse(body.choices[0].message.content);
  }
});

test("a refused prompt stood in the messages", async () => {
  const { status, body } = await ask(`${DRAW} [[sandbox:refuse]]`);
  expect([status, body.error]).toMatchObject([400, { type: "content_policy_violation", param: "messages" }]);
});
