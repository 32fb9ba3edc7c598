/** What keys may change, and an operator in their place: policies, schemas, documents, the log and what was learned of it. */

import { expect, test } from "bun:test";
import { signIn } from "../support/dashboard.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const TOKEN = "a-token-of-the-operator-0123456789";
const gateway = await gatewayOfFile({ environment: { SIGNALBOX_ADMIN_TOKEN: TOKEN } });
const { operator } = await signIn(gateway);

/** A project of its own: how its key asks, and what the history tells of it. */
const projectOf = async (name: string) => {
  const key = await gateway.key({ project: name, terms: { name: "robot" } });
  const ask = async (method: string, path: string, body?: object) => {
    const response = await gateway.send(key, method, path, body);
    expect([path, response.status < 300]).toEqual([path, true]);
    return response.json() as Promise<any>;
  };
  const changes = async (kind: string): Promise<any[]> =>
    ((await (await operator.send("GET", `/history?kind=${kind}&project=${key.project.id}`)).json()) as any).changes;
  const told = async (kind: string) =>
    (await changes(kind)).map(({ action, object_id, object_name, changes }) => [action, object_id, object_name, changes]);
  return { key, ask, changes, told };
};
const SECRET = "the heron waits by the ninth lever";

test("a policy is told with its options, but not with the terms that nobody may say", async () => {
  const { ask, told } = await projectOf("policies");
  const { id } = await ask("POST", "/v1/policies", {
    name: "cheap",
    policy_type: "routing",
    config: { model_allow_list: ["sandbox-fast"], on_violation: "warn" },
  });
  await ask("PATCH", `/v1/policies/${id}`, { enabled: false, config: { on_violation: "hard_block" } });
  await ask("DELETE", `/v1/policies/${id}`);
  expect(await told("policy")).toEqual([
    [
      "policy.deleted",
      id,
      "cheap",
      {
        name: { before: "cheap", after: null },
        policy_type: { before: "routing", after: null },
        priority: { before: 100, after: null },
        enabled: { before: false, after: null },
        model_allow_list: { before: ["sandbox-fast"], after: null },
        on_violation: { before: "hard_block", after: null },
      },
    ],
    [
      "policy.changed",
      id,
      "cheap",
      { enabled: { before: true, after: false }, on_violation: { before: "warn", after: "hard_block" } },
    ],
    expect.arrayContaining(["policy.created", id]),
  ]);
  const terms = (...words: string[]) => ({ config: { blocked_terms: { enabled: true, terms: words }, criteria: words } });
  const quiet = await ask("POST", "/v1/policies", { name: "quiet", policy_type: "content", ...terms(SECRET) });
  await ask("PATCH", `/v1/policies/${quiet.id}`, terms(SECRET, "other"));
  expect((await told("policy"))[0]).toEqual([
    "policy.changed",
    quiet.id,
    "quiet",
    { "blocked_terms.terms": { before: "set", after: "set anew" }, criteria: { before: "set", after: "set anew" } },
  ]);
});

test("a schema is told with its versions", async () => {
  const { ask, told } = await projectOf("schemas");
  const schema = { type: "object", description: SECRET };
  const { id } = await ask("POST", "/v1/schemas", { name: "Order", schema });
  await ask("PUT", `/v1/schemas/${id}`, { slug: "orders", description: SECRET });
  await ask("DELETE", "/v1/schemas/orders");
  expect(
    (await told("schema")).map(([action, object, , changes]: any) => [action, object, changes.slug, changes.version]),
  ).toEqual([
    ["schema.deleted", id, { before: "orders", after: null }, { before: 2, after: null }],
    ["schema.changed", id, { before: "order", after: "orders" }, { before: 1, after: 2 }],
    ["schema.created", id, { before: null, after: "order" }, { before: null, after: 1 }],
  ]);
});

test("of what was deleted of the log and of documents it is told that it was, not what it said or whose it was", async () => {
  const { ask, told } = await projectOf("deletions");
  const { id: document } = await ask("POST", "/v1/documents", { content: SECRET, filename: `${SECRET}.txt` });
  await ask("DELETE", `/v1/documents/${document}`);
  const { id: response } = await ask("POST", "/v1/responses", { model: "auto", input: SECRET });
  await ask("DELETE", `/v1/responses/${response}`);
  await ask("POST", "/v1/chat", { messages: [{ role: "user", content: SECRET }], user: SECRET });
  await ask("DELETE", `/v1/logs/user/${encodeURIComponent(SECRET)}`);
  await ask("DELETE", "/v1/learning");
  expect(await told("document")).toEqual([["document.deleted", document, null, {}]]);
  expect(await told("call")).toEqual([["call.texts_deleted", response.replace("resp_", "call_"), null, {}]]);
  expect(await told("user")).toEqual([["user.forgotten", null, null, {}]]);
  expect(await told("learning")).toEqual([["learning.reset", null, "test", {}]]);
  expect(JSON.stringify(gateway.platform.db.all("SELECT * FROM history")).includes("heron")).toBe(false);
});

test("what was not there is not told to be gone", async () => {
  const { key } = await projectOf("nothing");
  const count = () => gateway.platform.db.get<{ n: number }>("SELECT count(*) AS n FROM history")!.n;
  const before = count();
  for (const path of ["/v1/policies/pol_no", "/v1/schemas/no", "/v1/documents/doc_no", "/v1/responses/resp_no"])
    expect((await gateway.send(key, "DELETE", path)).status).toBe(404);
  expect(count()).toBe(before);
});

test("it says whether a key, a browser or the admin token did it", async () => {
  const { key, ask, changes } = await projectOf("shop");
  const make = { name: "by", policy_type: "routing", config: { on_violation: "warn" } };
  await ask("POST", "/v1/policies", make);
  const path = `/projects/${key.project.id}/test/v1/policies`;
  await operator.send("POST", path, make);
  await gateway.send(TOKEN, "POST", `/dashboard/api${path}`, make);
  const own = { project_id: key.project.id, project_name: "shop", ip: "127.0.0.1" };
  expect(await changes("policy")).toMatchObject([
    { actor: "admin_token", key_id: null, key_name: null, ...own },
    { actor: "dashboard", key_id: null, key_name: null, ...own },
    { actor: "key", key_id: key.id, key_name: "robot", ...own },
  ]);
});
