/** Members of a team sign in to the dashboard with a name of their own, and viewers change nothing. */

import { afterEach, beforeEach, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { type Operator, operatorOf, PASSWORD, signIn } from "../support/dashboard.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";

// Passwords are slow to look at, on purpose.
setDefaultTimeout(60_000);

const DAY = 86_400_000;
const OWN = "a password of her own";

let gateway: Gateway;
let operator: Operator;
beforeEach(async () => {
  gateway = await startGateway();
  ({ operator } = await signIn(gateway));
});
afterEach(() => gateway.stop());

const invite = async (name: string, role?: string, by = operator): Promise<string> => {
  const made = await by.send("POST", "/members", { name, role });
  expect(made.status).toBe(201);
  return (await made.json()).token;
};

const opened = (response: Response): Operator => operatorOf(gateway, response.headers.get("set-cookie")?.split(";")[0] ?? "");

const redeem = (token: string, password = OWN) => operatorOf(gateway, "").send("POST", "/invitation", { token, password });
const join = async (name: string, role: string): Promise<Operator> => opened(await redeem(await invite(name, role)));
const login = (name: string | undefined, password: string) => operatorOf(gateway, "").send("POST", "/login", { name, password });
const statusOf = async (asked: Promise<Response>) => (await asked).status;

test("an invitation sets a password once, and signs in who has it", async () => {
  const ofOperator = await (await operator.send("GET", "/session")).json();
  expect(ofOperator).toMatchObject({ signed_in: true, password_set: true, member: null, has_members: false });
  const token = await invite("Ann Lee", "admin");
  const short = await redeem(token, "too short");
  expect([short.status, (await short.json()).error.param]).toEqual([400, "password"]);
  const state = async () => (await (await operator.send("GET", "/members")).json()).members;
  const invited = { name: "Ann Lee", role: "admin", state: "invited", created_at: expect.stringMatching(/^2026-11-20T/) };
  expect(await state()).toEqual([invited]);
  expect(await statusOf(login("Ann Lee", OWN))).toBe(401);
  const ann = opened(await redeem(token));
  expect(await (await ann.send("GET", "/session")).json()).toMatchObject({
    signed_in: true,
    member: { name: "Ann Lee", role: "admin" },
    has_members: true,
  });
  expect(await state()).toMatchObject([{ state: "active" }]);
  const again = await redeem(token, "another one entirely");
  expect([again.status, (await again.json()).error.param]).toEqual([400, "token"]);
  // Case does not matter in names, and spaces around them are not typed on purpose.
  const later = opened(await login(" ann lee ", OWN));
  expect((await (await later.send("GET", "/session")).json()).member.name).toBe("Ann Lee");
  expect(await statusOf(ann.send("GET", "/projects"))).toBe(200);
});

test("an invitation that two use at once is one's alone", async () => {
  const token = await invite("ann");
  const passwords = ["what the first chose", "what the second chose"];
  const answers = await Promise.all(passwords.map((password) => redeem(token, password)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const [won, lost] = answers[0]!.status === 200 ? passwords : passwords.toReversed();
  expect([await statusOf(login("ann", won!)), await statusOf(login("ann", lost!))]).toEqual([200, 401]);
});

test("the operator signs in without a name, and with no member's password", async () => {
  await join("ann", "admin");
  expect(await statusOf(login(undefined, PASSWORD))).toBe(200);
  expect(await statusOf(login("", PASSWORD))).toBe(200);
  for (const [name, password] of [
    [undefined, OWN],
    ["ann", PASSWORD],
    ["nobody", OWN],
    ["ann", "wrong"],
  ] as const) {
    const refused = await login(name, password);
    expect([name, refused.status, (await refused.json()).error.param]).toEqual([name, 401, "password"]);
  }
});

test("nobody learns who is a member by how long a refusal takes", async () => {
  await invite("ann");
  const hashed = spyOn(Bun.password, "hash");
  for (const name of ["ann", "nobody"]) expect(await statusOf(login(name, OWN))).toBe(401);
  expect(hashed).toHaveBeenCalledTimes(2);
  hashed.mockRestore();
});

test("links cannot be guessed at speed", async () => {
  for (let guess = 0; guess < 5; guess++) expect(await statusOf(redeem("x".repeat(32)))).toBe(400);
  expect(await statusOf(redeem("x".repeat(32)))).toBe(429);
});

test("an admin may do what the operator may", async () => {
  const ann = await join("ann", "admin");
  const { id } = await (await ann.send("POST", "/projects", { name: "hers", tier: "pro" })).json();
  expect(await statusOf(ann.send("POST", `/projects/${id}/keys`, { name: "key", mode: "test" }))).toBe(201);
  await join("ben", "viewer");
  expect(await statusOf(ann.send("DELETE", "/members/ben"))).toBe(200);
});

test("a viewer sees everything, changes nothing and calls no model", async () => {
  const viewer = await join("vera", "viewer");
  const { project } = await gateway.key();
  const inProject = `/projects/${project.id}/test/v1`;
  const question = { messages: [{ role: "user", content: "Hello." }] };
  for (const [method, path, body] of [
    ["GET", "/projects"],
    ["GET", `/projects/${project.id}/keys`],
    ["GET", "/providers"],
    ["GET", "/members"],
    ["HEAD", "/members"],
    ["GET", `${inProject}/logs`],
    ["GET", `${inProject}/policies`],
    ["POST", `${inProject}/route`, question],
    ["POST", "/schema-try", { schema: { type: "object" }, text: "{}" }],
    ["POST", `${inProject}/policies/dry-run`, { policy_type: "routing", config: {} }],
  ] as const)
    expect([path, await statusOf(viewer.send(method, path, body))]).toEqual([path, 200]);
  for (const [method, path, body] of [
    ["POST", "/projects", { name: "another", tier: "free" }],
    ["PATCH", `/projects/${project.id}`, { tier: "free" }],
    ["DELETE", `/projects/${project.id}`],
    ["POST", `/projects/${project.id}/keys`, { name: "key", mode: "live" }],
    ["PUT", "/providers/openai", { key: "sk-1" }],
    ["POST", "/providers/openai/test", {}],
    ["POST", "/members", { name: "friend", role: "admin" }],
    ["PATCH", "/members/vera", { role: "admin" }],
    ["POST", "/members/vera/invitation", {}],
    ["GET", "/backup"],
    ["GET", "/backup/"],
    ["POST", `${inProject}/chat`, question],
    ["POST", `${inProject}/policies`, { template: "budget-mode" }],
    ["POST", `${inProject}/route/`, question],
    ["DELETE", `${inProject}/logs/user/ann`],
  ] as const) {
    const refused = await viewer.send(method, path, body);
    expect([method, path, refused.status]).toEqual([method, path, 403]);
    const { error } = await refused.json();
    expect([error.type, error.message]).toEqual(["permission_denied", expect.stringContaining("vera is a viewer")]);
  }
  // The answer would be kept for a day.
  const kept = await viewer.send("POST", `${inProject}/route`, question, { "idempotency-key": "mine" });
  expect(kept.status).toBe(403);
  expect((await (await operator.send("GET", "/members")).json()).members).toMatchObject([{ name: "vera", role: "viewer" }]);
});

test("nobody is shown a name and password that stand in a provider's address", async () => {
  const address = "http://signal:semaphore@127.0.0.1:9/v1";
  expect(await statusOf(operator.send("PUT", "/providers/house", { base_url: address }))).toBe(200);
  // Of one that is switched off it may be anything.
  await operator.send("PUT", "/providers/odd", { base_url: "http://[", enabled: false });
  await operator.send("PUT", "/providers/plain", { base_url: "http://127.0.0.1:9" });
  const viewer = await join("vera", "viewer");
  const { providers } = (await (await viewer.send("GET", "/providers")).json()) as { providers: any[] };
  const shown = (id: string) => providers.find((provider) => provider.id === id).base_url;
  expect(["house", "odd", "plain"].map(shown)).toEqual(["http://127.0.0.1:9/v1", "http://[", "http://127.0.0.1:9"]);
  expect(gateway.platform.providers.connections().find(({ entry }) => entry.id === "house")?.baseUrl).toBe(address);
});

test("a name may have letters that mean something in addresses", async () => {
  for (const name of ["a/b", "100%25?#&", "Ünä 🚂", "../members", "__proto__"]) {
    const member = await join(name, "viewer");
    expect((await (await member.send("GET", "/session")).json()).member.name).toBe(name);
    const path = `/members/${encodeURIComponent(name)}`;
    expect(await statusOf(operator.send("PATCH", path, { role: "admin" }))).toBe(200);
    expect(await statusOf(member.send("GET", "/projects"))).toBe(200);
    expect(await (await operator.send("DELETE", path)).json()).toEqual({ name, deleted: true });
  }
});

test("another role, and the removal of a member, hold at once", async () => {
  const ann = await join("ann", "viewer");
  const make = () => statusOf(ann.send("POST", "/projects", { name: "hers", tier: "pro" }));
  expect(await make()).toBe(403);
  expect(await (await operator.send("PATCH", "/members/ann", { role: "admin" })).json()).toMatchObject({ role: "admin" });
  expect(await make()).toBe(201);
  expect(await (await operator.send("DELETE", "/members/Ann")).json()).toEqual({ name: "ann", deleted: true });
  expect(await statusOf(ann.send("GET", "/projects"))).toBe(401);
  expect(await statusOf(login("ann", OWN))).toBe(401);
  // Whoever gets the name next is somebody else.
  await invite("ann", "admin");
  expect(await statusOf(ann.send("GET", "/projects"))).toBe(401);
  expect(await statusOf(login("ann", OWN))).toBe(401);
});

test("a browser whose member is not there any more is nobody's, least of all the operator's", async () => {
  const ann = await join("ann", "admin");
  await gateway.platform.db.write((sql) => void sql.run("DELETE FROM members"));
  expect(await statusOf(ann.send("GET", "/projects"))).toBe(401);
  expect((await (await ann.send("GET", "/session")).json()).signed_in).toBe(false);
});

test("a member cannot guess at the operator's password by signing in between", async () => {
  await join("vera", "viewer");
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    for (const name of [undefined, undefined, "vera"])
      statuses.push(await statusOf(login(name, name === undefined ? "a guess" : OWN)));
  }
  expect(statuses).toContain(429);
});

test("a password that is replaced while it is looked at signs nobody in, and replaces no other", async () => {
  const ann = await join("ann", "admin");
  const verify = Bun.password.verify;
  const meanwhile = async (happens: () => Promise<unknown>, asked: () => Promise<Response>) => {
    const looked = spyOn(Bun.password, "verify").mockImplementation(async (...given) => {
      looked.mockRestore();
      await happens();
      return verify(...given);
    });
    return statusOf(asked());
  };
  const reset = (to: string) => async () => {
    const { token } = await (await operator.send("POST", "/members/ann/invitation", {})).json();
    expect(await statusOf(redeem(token, to))).toBe(200);
  };
  const stolen = { current: OWN, next: "what a thief chose" };
  expect(await meanwhile(reset("what she chose then"), () => ann.send("POST", "/password", stolen))).toBe(401);
  expect(await statusOf(login("ann", "what she chose then"))).toBe(200);
  expect(await meanwhile(reset(OWN), () => login("ann", "what she chose then"))).toBe(401);
  const replaced = async () => {
    await operator.send("DELETE", "/members/ann");
    await invite("ann", "admin");
  };
  expect(await meanwhile(replaced, () => login("ann", OWN))).toBe(401);
});

test("another invitation replaces a forgotten password, and the first link", async () => {
  const first = await invite("ann", "viewer");
  const second = await (await operator.send("POST", "/members/ann/invitation", {})).json();
  expect(await statusOf(redeem(first))).toBe(400);
  const ann = opened(await redeem(second.token));
  const third = await (await operator.send("POST", "/members/ann/invitation", {})).json();
  expect(await statusOf(login("ann", OWN))).toBe(200);
  expect(await statusOf(redeem(third.token, "what she chose then"))).toBe(200);
  expect(await statusOf(ann.send("GET", "/projects"))).toBe(401);
  expect([await statusOf(login("ann", OWN)), await statusOf(login("ann", "what she chose then"))]).toEqual([401, 200]);
});

test("an invitation is too old after a week", async () => {
  const token = await invite("ann", "viewer");
  gateway.clock.advance(7 * DAY);
  expect(await statusOf(redeem(token))).toBe(400);
  const { operator: later } = await signIn(gateway);
  expect((await (await later.send("GET", "/members")).json()).members).toMatchObject([{ state: "expired" }]);
});

test("a member changes their own password, which signs out their other browsers and nobody else's", async () => {
  const ann = await join("ann", "viewer");
  const elsewhere = opened(await login("ann", OWN));
  expect(await statusOf(ann.send("POST", "/password", { current: PASSWORD, next: "hers from now on" }))).toBe(401);
  expect(await statusOf(ann.send("POST", "/password", { current: OWN, next: "short" }))).toBe(400);
  expect(await statusOf(ann.send("POST", "/password", { current: OWN, next: "hers from now on" }))).toBe(200);
  const after = [ann, elsewhere, operator].map((one) => statusOf(one.send("GET", "/projects")));
  expect(await Promise.all(after)).toEqual([200, 401, 200]);
});

test("who is invited without a role is a viewer", async () => {
  await invite("ann");
  expect((await (await operator.send("GET", "/members")).json()).members).toMatchObject([{ name: "ann", role: "viewer" }]);
});

test("names that are taken, empty or unknown, and roles that do not exist, are refused", async () => {
  await invite("ann");
  for (const [body, status, param] of [
    [{ name: "ANN" }, 409, "name"],
    [{ name: " " }, 400, "name"],
    [{ name: "ben", role: "owner" }, 400, "role"],
    [{ role: "admin" }, 400, "name"],
  ] as const) {
    const refused = await operator.send("POST", "/members", body);
    expect([refused.status, (await refused.json()).error.param]).toEqual([status, param]);
  }
  expect(await statusOf(operator.send("PATCH", "/members/ben", { role: "admin" }))).toBe(404);
  expect(await statusOf(operator.send("POST", "/members/ben/invitation", {}))).toBe(404);
  expect(await statusOf(operator.send("DELETE", "/members/ben"))).toBe(404);
});

test("passwords and links are stored as what they cannot be read from", async () => {
  const token = await invite("ann");
  await redeem(await invite("ben"));
  const stored = JSON.stringify(gateway.platform.db.all("SELECT * FROM members"));
  expect(stored).toContain("$argon2id$");
  expect(stored).not.toContain(token);
  expect(stored).not.toContain(OWN);
});

test("the log says which member called from the playground", async () => {
  const ann = await join("Ann", "admin");
  const { project } = await gateway.key();
  const inProject = `/projects/${project.id}/test/v1`;
  const answer = await (await ann.send("POST", `${inProject}/chat`, { messages: [{ role: "user", content: "Hello." }] })).json();
  const entry = await (await ann.send("GET", `${inProject}/logs/${answer.svc.request_id}`)).json();
  expect(entry.metadata.api_key_hash).toBe("dashboard: Ann");
});

test("the history says what was done with members, and by which of them", async () => {
  const ann = await join("Ann", "admin");
  await invite("ben", "viewer", ann);
  await ann.send("PATCH", "/members/ben", { role: "admin" });
  await ann.send("PATCH", "/members/ben", { role: "admin" });
  await ann.send("POST", "/projects", { name: "hers", tier: "pro" });
  await ann.send("POST", "/members/BEN/invitation", {});
  await ann.send("POST", "/password", { current: OWN, next: "hers from now on" });
  await operator.send("DELETE", "/members/Ben");
  const { changes } = (await (await operator.send("GET", "/history?limit=9")).json()) as { changes: any[] };
  expect(changes.map(({ action, object_name, member }) => [action, object_name, member])).toEqual([
    ["member.deleted", "ben", null],
    ["password.changed", "Ann", "Ann"],
    ["member.invited", "ben", "Ann"],
    ["project.created", "hers", "Ann"],
    ["member.changed", "ben", "Ann"],
    ["member.invited", "ben", "Ann"],
    ["password.changed", "Ann", "Ann"],
    ["member.invited", "Ann", null],
  ]);
  expect(changes[4].changes).toEqual({ role: { before: "viewer", after: "admin" } });
  expect(changes[5].changes).toEqual({ role: { before: null, after: "viewer" } });
});
