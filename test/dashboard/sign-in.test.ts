import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSetupToken } from "../../src/accounts/operator.ts";
import { type Operator, operatorOf, PASSWORD, signIn } from "../support/dashboard.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";

// Passwords are slow to look at, on purpose.
setDefaultTimeout(60_000);

const HOUR = 3_600_000;
const stateOf = async (response: Response) => (await response.json()) as { signed_in: boolean; password_set: boolean };

describe("a session", () => {
  let gateway: Gateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  test("begins with the right password and a cookie that scripts and other sites cannot use", async () => {
    const { response, operator } = await signIn(gateway);
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toMatch(
      /^signalbox_session=[0-9A-Za-z]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    );
    expect((await operator.send("GET", "/projects")).status).toBe(200);
  });

  test("has a __Host- cookie that asks for https behind a proxy that speaks it", async () => {
    const response = await operatorOf(gateway, "").send(
      "POST",
      "/login",
      { password: PASSWORD },
      { "x-forwarded-proto": "https" },
    );
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-signalbox_session=.*; Secure$/);
  });

  test("is not opened by large bodies, which anyone could send", async () => {
    const visitor = operatorOf(gateway, "");
    const padding = "x".repeat(20_000);
    for (const [path, body] of [
      ["/login", { password: PASSWORD, padding }],
      ["/setup", { token: "any", password: PASSWORD, padding }],
      ["/invitation", { token: "any", password: PASSWORD, padding }],
    ] as const)
      expect((await visitor.send("POST", path, body)).status).toBe(413);
  });

  test("is kept as a digest only", async () => {
    const { operator } = await signIn(gateway);
    const secret = operator.cookie.split("=")[1]!;
    const rows = gateway.platform.db.all<{ secret_hash: string }>("SELECT * FROM dashboard_sessions");
    expect(rows[0]?.secret_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("gets a new secret at every sign-in, and the old one is worth nothing then", async () => {
    const { operator: first } = await signIn(gateway);
    const again = await first.send("POST", "/login", { password: PASSWORD });
    expect(again.headers.get("set-cookie")).not.toStartWith(first.cookie);
    expect((await first.send("GET", "/projects")).status).toBe(401);
  });

  test("ends when the clock it was opened by turns out to have been far ahead", async () => {
    const { operator } = await signIn(gateway);
    gateway.clock.advance(-11 * HOUR);
    expect((await operator.send("GET", "/projects")).status).toBe(200);
    gateway.clock.advance(-2 * HOUR);
    expect((await operator.send("GET", "/projects")).status).toBe(401);
    gateway.clock.advance(13 * HOUR);
  });

  test("ends after twelve idle hours, though not before", async () => {
    const { operator } = await signIn(gateway);
    gateway.clock.advance(11 * HOUR);
    expect((await operator.send("GET", "/projects")).status).toBe(200);
    await gateway.platform.background.idle();
    gateway.clock.advance(11 * HOUR);
    expect((await operator.send("GET", "/projects")).status).toBe(200);
    await gateway.platform.background.idle();
    gateway.clock.advance(12 * HOUR);
    expect((await operator.send("GET", "/projects")).status).toBe(401);
  });

  test("ends after seven days however busy it was", async () => {
    const { operator } = await signIn(gateway);
    for (let hours = 0; hours < 167; hours += 10) {
      expect((await operator.send("GET", "/projects")).status).toBe(200);
      await gateway.platform.background.idle();
      gateway.clock.advance(10 * HOUR);
    }
    expect((await operator.send("GET", "/projects")).status).toBe(401);
  });

  test("ends with signing out, also for who kept the cookie", async () => {
    const { operator } = await signIn(gateway);
    const out = await operator.send("POST", "/logout");
    expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await operator.send("GET", "/projects")).status).toBe(401);
  });

  test("is asked of every route of the dashboard's API", async () => {
    const stranger = operatorOf(gateway, "");
    const { project } = await gateway.key();
    for (const [method, path] of [
      ["GET", "/projects"],
      ["POST", "/projects"],
      ["PATCH", `/projects/${project.id}`],
      ["GET", `/projects/${project.id}/keys`],
      ["POST", `/projects/${project.id}/keys`],
      ["DELETE", `/projects/${project.id}/keys/key_1`],
      ["GET", "/providers"],
      ["GET", "/models"],
      ["PUT", "/providers/openai"],
      ["PUT", "/search-order"],
      ["DELETE", "/providers/openai"],
      ["POST", "/providers/openai/test"],
      ["POST", `/projects/${project.id}/test/v1/policies/dry-run`],
      ["POST", "/schema-try"],
      ["POST", "/password"],
      ["GET", "/backup"],
      ["GET", "/backups"],
      ["GET", `/projects/${project.id}/test/v1/logs`],
      ["POST", `/projects/${project.id}/test/v1/chat`],
    ] as const) {
      const response = await stranger.send(method, path, method === "GET" ? undefined : {});
      expect([path, response.status]).toEqual([path, 401]);
      expect(((await response.json()) as any).error.type).toBe("authentication_error");
    }
  });

  test("is no use to a page of another site", async () => {
    const { operator } = await signIn(gateway);
    const key = { name: "stolen", mode: "test" };
    const { project } = await gateway.key();
    const path = `/projects/${project.id}/keys`;
    expect((await operator.send("POST", path, key, { origin: "https://evil.test" })).status).toBe(403);
    expect((await operator.send("POST", path, key, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await operator.send("POST", path, key, { "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await operator.send("POST", path, key, { "sec-fetch-site": "none" })).status).toBe(403);
    expect((await operator.send("POST", path, key)).status).toBe(201);
    for (const [way, body] of [
      ["/login", { password: PASSWORD }],
      ["/setup", { token: "x", password: PASSWORD }],
      ["/invitation", { token: "x", password: PASSWORD }],
      ["/logout", {}],
    ] as const)
      expect([way, (await operator.send("POST", way, body, { origin: "https://evil.test" })).status]).toEqual([way, 403]);
    // An older browser says only where a page is from, and a proxy may not tell that it speaks https.
    const itself = new URL(gateway.url).host;
    expect((await operator.send("POST", path, key, { origin: `https://${itself}` })).status).toBe(201);
    // A proxy that rewrites Host leaves the browser's own word.
    const proxied = { origin: "https://ai.example.com", "sec-fetch-site": "same-origin" };
    expect((await operator.send("POST", path, key, proxied)).status).toBe(201);
  });

  test("opens nothing of the public API, which takes keys alone", async () => {
    const { operator } = await signIn(gateway);
    const response = await fetch(`${gateway.url}/v1/logs`, { headers: { cookie: operator.cookie } });
    expect(response.status).toBe(401);
  });
});

describe("passwords", () => {
  let gateway: Gateway;
  beforeEach(async () => {
    gateway = await startGateway();
    // Looking at a password takes its time, which is none of the waiting.
    gateway.clock.stop();
  });
  afterEach(() => gateway.stop());

  test("that are wrong get 401 and one answer, whatever was wrong", async () => {
    const one = await signIn(gateway, "wrong");
    const other = await signIn(gateway, `${PASSWORD}x`);
    expect([one.response.status, other.response.status]).toEqual([401, 401]);
    expect(await one.response.text()).toBe(await other.response.text());
    expect(one.response.headers.get("set-cookie")).toBeNull();
  });

  test("cannot be guessed at speed: the sixth try waits, and the right one waits with it", async () => {
    for (let tries = 0; tries < 5; tries++) expect((await signIn(gateway, "wrong")).response.status).toBe(401);
    const held = await signIn(gateway);
    expect(held.response.status).toBe(429);
    expect(Number(held.response.headers.get("retry-after"))).toBeGreaterThan(0);
    gateway.clock.advance(61_000);
    expect((await signIn(gateway)).response.status).toBe(200);
  });

  test("that are tried at the same moment are counted all the same", async () => {
    const tries = await Promise.all(Array.from({ length: 20 }, () => signIn(gateway, "wrong")));
    expect(tries.filter(({ response }) => response.status === 429).length).toBe(15);
  });
});

test("a restart keeps browsers signed in, unless the environment has another password by then", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  let cookie: string | undefined;
  for (const [password, status] of [
    ["the one that leaked", 401],
    ["the one that leaked", 200],
    ["the one after it", 401],
    ["", 401],
  ] as const) {
    await using gateway = await startGateway({ folder, environment: { SIGNALBOX_ADMIN_PASSWORD: password } });
    expect((await operatorOf(gateway, cookie ?? "").send("GET", "/projects")).status).toBe(status);
    cookie ??= (await signIn(gateway, password)).operator.cookie;
  }
  rmSync(folder, { recursive: true, force: true });
});

describe("the first password", () => {
  let gateway: Gateway;
  let browser: Operator;
  let token: string;
  beforeEach(async () => {
    gateway = await startGateway({ environment: { SIGNALBOX_ADMIN_PASSWORD: "" } });
    browser = operatorOf(gateway, "");
    token = await createSetupToken(gateway.platform.db, gateway.clock.now());
  });
  afterEach(() => gateway.stop());

  test("is set through the one-time link, once, and must be long enough", async () => {
    expect((await stateOf(await browser.send("GET", "/session"))).password_set).toBe(false);
    expect((await browser.send("POST", "/setup", { token: "guessed", password: "a long enough one" })).status).toBe(400);
    const short = await browser.send("POST", "/setup", { token, password: "short" });
    for (let guess = 1; guess < 5; guess++)
      await browser.send("POST", "/setup", { token: "guessed", password: "a long enough one" });
    expect((await browser.send("POST", "/setup", { token, password: "a long enough one" })).status).toBe(429);
    gateway.clock.advance(60_000);
    expect(((await short.json()) as any).error.param).toBe("password");

    const set = await browser.send("POST", "/setup", { token, password: "a long enough one" });
    expect(set.status).toBe(200);
    const operator = operatorOf(gateway, set.headers.get("set-cookie")!.split(";")[0]!);
    expect(await stateOf(await operator.send("GET", "/session"))).toMatchObject({ signed_in: true, password_set: true });
    expect((await browser.send("POST", "/setup", { token, password: "another long one" })).status).toBe(400);
  });

  test("is stored as argon2id and can be changed by who knows it; other browsers are signed out", async () => {
    await browser.send("POST", "/setup", { token, password: "a long enough one" });
    expect(JSON.stringify(gateway.platform.db.all("SELECT value FROM settings WHERE name = 'admin_password'"))).toContain(
      "$argon2id$",
    );
    const { operator: here } = await signIn(gateway, "a long enough one");
    const { operator: there } = await signIn(gateway, "a long enough one");
    expect((await here.send("POST", "/password", { current: "wrong", next: "the next good one" })).status).toBe(401);
    expect((await here.send("POST", "/password", { current: "a long enough one", next: "the next good one" })).status).toBe(200);
    expect((await here.send("GET", "/projects")).status).toBe(200);
    expect((await there.send("GET", "/projects")).status).toBe(401);
    expect((await signIn(gateway, "the next good one")).response.status).toBe(200);
  });
});
