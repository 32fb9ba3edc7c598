/** Ids of another project on every route that takes one (safety-notes T18): answered as if they did not exist, and nothing of it is seen or changed. */

import { beforeAll, expect, test } from "bun:test";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const ids: Record<"document" | "session" | "schema" | "slug" | "policy" | "job" | "call" | "user", string> = {
  document: "",
  session: "session-of-the-owner",
  schema: "",
  slug: "slug-of-the-owner",
  policy: "",
  job: "",
  call: "",
  user: "user-of-the-owner",
};
const SECRET = "The vault opens with marigold-7391-lantern.";

const send = (key: TestKey, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  gateway.send(key, method, path, body, headers);
const jsonOf = async (response: Response | Promise<Response>): Promise<any> => (await response).json();
const question = (more: object) => ({ messages: [{ role: "user", content: "What does the vault open with?" }], ...more });

const gateway = await gatewayOfFile();
const owner = await gateway.key({ project: "owner" });
const stranger = await gateway.key({ project: "stranger" });
beforeAll(async () => {
  ids.document = (
    await jsonOf(send(owner, "POST", "/v1/documents", { filename: "vault.txt", content: SECRET, collection_id: "vault" }))
  ).id;
  await gateway.platform.background.idle();
  ids.schema = (await jsonOf(send(owner, "POST", "/v1/schemas", { name: "s", slug: ids.slug, schema: { type: "object" } }))).id;
  ids.policy = (
    await jsonOf(send(owner, "POST", "/v1/policies", { name: "p", policy_type: "routing", config: { cost_ceiling_usd: 1 } }))
  ).id;
  ids.job = (await jsonOf(send(owner, "POST", "/v1/video/generations", { prompt: "a train" }))).id;
  const chat = await send(
    owner,
    "POST",
    "/v1/chat",
    question({ session_id: ids.session, document_id: ids.document, user: ids.user }),
  );
  expect(chat.status).toBe(200);
  ids.call = chat.headers.get("x-svc-request-id")!;
  await gateway.platform.background.idle();
});

const routes: [string, (id: typeof ids) => [string, string, unknown?]][] = [
  ["a document", (id) => ["GET", `/v1/documents/${id.document}`]],
  ["deleting a document", (id) => ["DELETE", `/v1/documents/${id.document}`]],
  ["chat with a document", (id) => ["POST", "/v1/chat", question({ document_id: id.document })]],
  ["chat with documents", (id) => ["POST", "/v1/chat", question({ document_ids: [id.document] })]],
  ["a stream with a document", (id) => ["POST", "/v1/chat/stream", question({ document_id: id.document })]],
  ["a session", (id) => ["GET", `/v1/memory/${id.session}`]],
  ["clearing a session", (id) => ["POST", `/v1/memory/${id.session}/clear`]],
  ["deleting a session", (id) => ["DELETE", `/v1/memory/${id.session}`]],
  ["a schema", (id) => ["GET", `/v1/schemas/${id.schema}`]],
  ["a schema by slug", (id) => ["GET", `/v1/schemas/${id.slug}`]],
  ["changing a schema", (id) => ["PUT", `/v1/schemas/${id.schema}`, { name: "mine", schema: { type: "array" } }]],
  ["deleting a schema", (id) => ["DELETE", `/v1/schemas/${id.schema}`]],
  ["chat with a schema", (id) => ["POST", "/v1/chat", question({ schema_id: id.schema })]],
  ["chat with a schema's slug", (id) => ["POST", "/v1/chat", question({ schema_id: id.slug })]],
  ["a policy", (id) => ["GET", `/v1/policies/${id.policy}`]],
  ["changing a policy", (id) => ["PATCH", `/v1/policies/${id.policy}`, { enabled: false }]],
  ["deleting a policy", (id) => ["DELETE", `/v1/policies/${id.policy}`]],
  ["a video job", (id) => ["GET", `/v1/video/generations/${id.job}`]],
  ["a log", (id) => ["GET", `/v1/logs/${id.call}`]],
  ["feedback", (id) => ["POST", `/v1/logs/${id.call}/feedback`, { score: 0 }]],
];

for (const [name, route] of routes) {
  test(`${name} of another project and one that never was are one answer`, async () => {
    const unknown = Object.fromEntries(
      Object.entries(ids).map(([kind, id]) => [kind, id.replace(/[0-9a-f]{4}$|owner$/, "0000")]),
    ) as typeof ids;
    const [method, path, body] = route(ids);
    const [, unknownPath, unknownBody] = route(unknown);
    const foreign = await send(stranger, method, path, body);
    const missing = await send(stranger, method, unknownPath, unknownBody);
    expect([name, foreign.status]).toEqual([name, missing.status]);
    expect([400, 404]).toContain(foreign.status);
    const neutral = (text: string) =>
      Object.values({ ...ids })
        .concat(Object.values(unknown))
        .reduce((clean, id) => clean.replaceAll(id, "ID"), text);
    expect(neutral(await foreign.text())).toBe(neutral(await missing.text()));
  });
}

test("lists, searches, sums and exports show nothing of another project", async () => {
  for (const [method, path, body] of [
    ["GET", "/v1/documents"],
    ["GET", "/v1/documents?collection_id=vault"],
    ["GET", "/v1/collections"],
    ["POST", "/v1/documents/query", { query: "What does the vault open with?", threshold: 0 }],
    ["POST", "/v1/documents/query", { query: "vault", threshold: 0, collection_id: "vault" }],
    ["GET", "/v1/memory"],
    ["GET", "/v1/schemas"],
    ["GET", "/v1/policies"],
    ["GET", "/v1/video/generations"],
    ["GET", "/v1/logs?mode=all"],
    ["GET", `/v1/logs?user_id=${ids.user}`],
    ["GET", "/v1/logs/export?format=json&mode=all"],
  ] as [string, string, unknown?][]) {
    const response = await send(stranger, method, path, body);
    expect([path, response.status]).toEqual([path, 200]);
    const text = await response.text();
    // What the stranger asked for in vain stands in its own log; what only the owner knows stands nowhere.
    for (const word of ["marigold-7391", "vault.txt", ids.call])
      expect([path, word, text.includes(word)]).toEqual([path, word, false]);
  }
  expect((await jsonOf(send(stranger, "GET", "/v1/usage?mode=all"))).day.calls).toBeLessThanOrEqual(20);
});

test("deleting a user's data deletes it in one's own project only", async () => {
  await send(stranger, "DELETE", `/v1/logs/user/${ids.user}`);
  expect((await send(owner, "GET", `/v1/logs/${ids.call}`)).status).toBe(200);
});

test("a session of the same name is another session", async () => {
  const another = await gateway.key({ project: "another" });
  const answer = await send(another, "POST", "/v1/chat", {
    messages: [{ role: "user", content: "Which trains were late today?" }],
    session_id: ids.session,
  });
  expect(answer.status).toBe(200);
  const own = await jsonOf(send(another, "GET", `/v1/memory/${ids.session}`));
  expect(JSON.stringify(own)).not.toContain("vault");
  expect(JSON.stringify(await jsonOf(send(owner, "GET", `/v1/memory/${ids.session}`)))).not.toContain("late today");
});

test("an idempotency key of another project replays nothing", async () => {
  const headers = { "idempotency-key": "the-same-key" };
  const body = question({});
  const first = await send(owner, "POST", "/v1/chat", body, headers);
  const again = await send(owner, "POST", "/v1/chat", body, headers);
  const foreign = await send(stranger, "POST", "/v1/chat", body, headers);
  expect(again.headers.get("x-svc-idempotent-replay")).toBe("true");
  expect(foreign.headers.get("x-svc-idempotent-replay")).toBeNull();
  expect((await jsonOf(foreign)).id).not.toBe((await jsonOf(first)).id);
});

test("the owner's things are as they were", async () => {
  for (const path of [
    `/v1/documents/${ids.document}`,
    `/v1/memory/${ids.session}`,
    `/v1/schemas/${ids.slug}`,
    `/v1/policies/${ids.policy}`,
    `/v1/video/generations/${ids.job}`,
  ]) {
    expect([path, (await send(owner, "GET", path)).status]).toEqual([path, 200]);
  }
  expect((await jsonOf(send(owner, "GET", `/v1/policies/${ids.policy}`))).enabled).toBe(true);
});
