/** Keys, weights and providers, as an operator sets them. */

import { expect } from "bun:test";
import { changeKey } from "../../src/accounts/store.ts";
import { byCommand } from "../../src/history/author.ts";
import { describeDashboard } from "../support/demo-dashboard.ts";

describeDashboard("settings and providers in the dashboard", (test) => {
  test("a key is made, shown once, and revoked", async ({ gateway, page, open }) => {
    await open("/settings/keys", "Settings");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByLabel("What is it for?").fill("browser test");
    await page.getByRole("button", { name: "Make the key" }).click();
    const shown = (await page.getByRole("dialog").locator(".key-line code").textContent())!;
    expect(shown).toMatch(/^pk_test_[0-9A-Za-z]{38}$/);
    await page.getByRole("dialog").getByText(`Bearer ${shown}`).waitFor();
    expect((await gateway.send(shown, "GET", "/v1/usage")).status).toBe(200);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(shown);
    await page.getByRole("button", { name: "Revoke browser test" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page
      .getByRole("row", { name: /browser test/ })
      .getByText("revoked")
      .waitFor();
    expect((await gateway.send(shown, "GET", "/v1/usage")).status).toBe(401);
  });

  test("a key gets a budget after it was made", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "demo", budgetUsd: 5 });
    await open("/settings/keys", "Settings");
    await page.getByRole("button", { name: "Change test" }).first().click();
    // As a command does meanwhile.
    await changeKey(gateway.platform.db, byCommand(gateway.clock.now()), key.id, { tokensPerMinute: 4_000 });
    await page.getByLabel("What is it for?").fill("the website");
    await page.getByLabel("Budget (USD)").fill("0");
    await page.getByLabel("media").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("row", { name: /the website/ });
    await row.getByText("budget spent").waitFor();
    await row.getByText("chat, documents, memory").waitFor();
    await row.getByText("4,000 tokens a minute").waitFor();
    const refused = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: "Hello" }] });
    expect(((await refused.json()) as any).error.type).toBe("budget_exceeded");
  });

  test("a key is bound to models and limits, and its list tells them; a model that is none is said at its field", async ({
    gateway,
    page,
    open,
  }) => {
    await gateway.key({ project: "bound" });
    await open("/dashboard/p/bound/test/settings/keys?new=true", "Settings");
    await page.getByLabel("What is it for?").fill("the intern");
    const models = page.getByLabel("Models", { exact: true });
    await models.fill("gpt-4oo,");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("Did you mean gpt-4o?").waitFor();
    await page.getByRole("button", { name: "Remove gpt-4oo" }).click();
    await models.fill("gpt-4o, anthropic/*,");
    await page.getByLabel("Budget (USD)").fill("5");
    await page.getByLabel("The budget is for").selectOption("week");
    await page.getByLabel("Requests a minute").fill("60");
    await page.getByLabel("Tokens a minute").fill("90000");
    await page.getByRole("button", { name: "Make the key" }).click();
    const shown = (await page.getByRole("dialog").locator(".key-line code").textContent())!;
    await page.getByRole("button", { name: "I have kept it" }).click();
    const row = page.getByRole("row", { name: /the intern/ });
    for (const text of ["gpt-4o, anthropic/*", "60 requests, 90,000 tokens a minute", "of $5.00", "this week"])
      await row.getByText(text).waitFor();
    const { key } = (await (await gateway.send(shown, "GET", "/v1/usage")).json()) as any;
    expect(key).toMatchObject({ models: ["gpt-4o", "anthropic/*"], budget: { usd: 5, period: "week" } });
    await page.getByRole("button", { name: "Change the intern" }).click();
    await page.getByRole("button", { name: "Remove gpt-4o" }).click();
    await page.getByLabel("Requests a minute").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("90,000 tokens a minute", { exact: true }).waitFor();
    await row.getByText("with anthropic/*", { exact: true }).waitFor();
  });

  test("a key is rotated: another of the same terms is made, and the old one holds until it is revoked; an expired one is not", async ({
    gateway,
    page,
    open,
  }) => {
    const old = await gateway.key({ project: "turning", budgetUsd: 7, scopes: ["chat", "metrics"] });
    await open("/dashboard/p/turning/test/settings/keys", "Settings");
    await page.getByRole("button", { name: "Rotate test" }).click();
    await page.getByRole("button", { name: "Make the new key" }).click();
    const shown = (await page.getByRole("dialog").locator(".key-line code").textContent())!;
    await page.getByRole("button", { name: "I have kept it" }).click();
    const rows = page.locator("tbody tr");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 2);
    for (const row of await rows.all()) {
      await row.getByText("of $7.00").waitFor();
      await row.getByText("chat, metrics").waitFor();
    }
    for (const key of [old, shown]) expect((await gateway.send(key, "GET", "/v1/usage")).status).toBe(200);
    await page.getByRole("link", { name: "test", exact: true }).first().click();
    await page.waitForURL(/\/turning\/test\/calls\?key_id=key_/);
    await gateway.key({ project: "long over" });
    await gateway.key({ project: "long over", expiresAtMs: gateway.clock.now() - 1 });
    await open("/dashboard/p/long over/test/settings/keys", "Settings");
    await page.locator("tbody tr").last().getByText("expired").waitFor();
    expect(await page.getByRole("button", { name: "Rotate test" }).count()).toBe(1);
  });

  test("among many keys one is found by its name, and revoked ones come last", async ({ gateway, page, open }) => {
    // As many as a page holds.
    for (let n = 0; n < 50; n++) await gateway.key({ project: "many keys" });
    await open("/dashboard/p/many keys/test/settings/keys?new=true", "Settings");
    await page.getByLabel("What is it for?").fill("the night shift");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("button", { name: "Revoke the night shift" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("1–50 of 51").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(50);
    await page.getByRole("button", { name: "Next" }).click();
    await page.locator("tbody tr").last().getByText("the night shift").waitFor();
    await page.getByLabel("Find").fill("NIGHT");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    await page.getByLabel("Find").fill("nobody's");
    await page.getByText("No key fits").waitFor();
  });

  test("a project is renamed where it is looked at, and the address goes along", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "first name" });
    await open("/dashboard/p/first name/test/settings/projects", "Settings");
    await page.getByRole("button", { name: "Rename first name" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("second name");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/dashboard/p/second%20name/test/settings/projects");
    expect(await page.getByLabel("Project", { exact: true }).inputValue()).toBe("second name");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText("API keys of second name").waitFor();
    expect((await gateway.send(key, "GET", "/v1/usage")).status).toBe(200);
  });

  test("a project renamed elsewhere is followed by the page that shows it", async ({ gateway, page, open }) => {
    const { project } = await gateway.key({ project: "old name" });
    await open("/dashboard/p/old name/test/calls?failed_only=true", "Calls");
    await page.evaluate(async (id) => {
      const init = { method: "PATCH", headers: { "content-type": "application/json" }, body: '{"name":"new/name"}' };
      await fetch(`/dashboard/api/projects/${id}`, init);
      document.dispatchEvent(new Event("visibilitychange"));
    }, project.id);
    await page.waitForURL("**/dashboard/p/new%2Fname/test/calls?failed_only=true");
    await page.getByText("No call fits these filters").waitFor();
  });

  test("a project is deleted once its name is typed; its pages go on in another and say so, also in other tabs", async ({
    gateway,
    page,
    open,
    watch,
  }) => {
    const { project } = await gateway.key({ project: "not wanted" });
    const tab = await page.context().newPage();
    watch(tab);
    await tab.goto("/dashboard/p/not wanted/test/policies/new?template=no-vendor-a");
    await tab.getByLabel("Name", { exact: true }).fill("Half a thought");
    await open("/dashboard/p/not wanted/test/settings/projects", "Settings");
    await page.getByRole("button", { name: "Delete not wanted" }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Delete the project" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Type not wanted to confirm").fill("not wanted");
    await confirm.click();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/p\/(?!not)[^/]+\/test\/settings\/projects$/);
    expect(await page.getByRole("button", { name: "Rename not wanted" }).count()).toBe(0);
    expect(gateway.platform.db.get("SELECT 1 FROM projects WHERE id = ?", project.id)).toBeUndefined();
    await tab.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await tab.getByText("There is no project “not wanted” here.").waitFor();
    await tab.waitForURL(/\/dashboard\/p\/(?!not)[^/]+\/test\/policies$/);
    await tab.close();
  });

  test("how the router weighs quality and cost is kept over a reload", async ({ page, open }) => {
    await open("/settings/routing", "Settings");
    await page.getByLabel("Quality or cost").focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight");
    await page.locator(".card", { hasText: "Quality or cost" }).getByRole("button", { name: "Save" }).click();
    await page.getByText("The router weighs it this way").waitFor();
    await page.reload();
    await page.getByText("0.70").waitFor();
  });

  test("answers are given again once that is switched on, and a call says whose it got", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "asking" });
    await open("/dashboard/p/asking/test/settings/routing", "Settings");
    await page.getByLabel("For how long (hours)").fill("0");
    const on = page.getByRole("button", { name: "Switch it on" });
    expect(await on.isDisabled()).toBe(true);
    await page.getByLabel("For how long (hours)").fill("0.5");
    await on.click();
    await page.getByText("Answers are given again from now on.").waitFor();
    const question = { messages: [{ role: "user", content: "Which planet is the largest?" }] };
    const ask = async () => (await (await gateway.send(key, "POST", "/v1/chat", question)).json()) as any;
    const first = await ask();
    const { cache, request_id } = (await ask()).svc;
    expect(cache.call_id).toBe(first.svc.request_id);
    await open(`/dashboard/p/asking/test/calls/${request_id}`, "Call");
    await page.getByRole("link", { name: "an earlier call" }).click();
    await page.getByText(first.svc.request_id).first().waitFor();
    await open("/dashboard/p/asking/test", "Overview");
    await page.getByText("1 from the cache").waitFor();
  });

  test("a provider is added, tested at once and removed again; its key is never shown", async ({ page, open, barriers }) => {
    const upstream = Bun.serve({
      port: 0,
      fetch: ({ headers }) =>
        headers.get("authorization") === "Bearer sk-a-secret-of-mine"
          ? Response.json({ data: [{ id: "one" }] })
          : Response.json({ error: { message: "Incorrect API key" } }, { status: 401 }),
    });
    await open("/providers?find=my-server", "Providers & models");
    await page.getByRole("button", { name: "Add a provider" }).first().click();
    await page.getByRole("dialog").getByLabel("Provider").selectOption("custom");
    await page.getByRole("dialog").getByLabel("Id", { exact: true }).fill("my-server");
    await page.getByLabel("API key").fill("sk-a-mistyped-one");
    await page.getByRole("dialog").getByLabel("Address").fill(`http://127.0.0.1:${upstream.port}/v1`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const card = page.locator(".provider-card", { hasText: "my-server" });
    await card.getByText("no answer", { exact: true }).waitFor();
    await card.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("API key").fill("sk-a-secret-of-mine");
    await page.getByRole("button", { name: "Save" }).click();
    await card.getByText("…mine").waitFor();
    await card.getByText(/answers in [\d.]+ m?s, 1 model/).waitFor();
    await card.getByRole("button", { name: "Test" }).click();
    await card.getByText(/answers in [\d.]+ m?s, 1 model/).waitFor();
    expect(await page.content()).not.toContain("sk-a-secret");
    await card.getByText("It has no models yet").waitFor();
    await page.getByRole("button", { name: "Add a model" }).click();
    await page.getByRole("dialog").getByLabel("Provider", { exact: true }).selectOption("my-server");
    await page.locator("dialog datalist option[value=one]").waitFor({ state: "attached" });
    await page.getByLabel("Model at the provider").fill("one");
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Add the model" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page
      .getByRole("row", { name: /my-server/ })
      .getByText("one", { exact: true })
      .waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Only what can be called now").check();
    await card.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await card.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove one" }).waitFor({ state: "detached" });
    await page.getByLabel("Only what can be called now").uncheck();
    await page.getByRole("button", { name: "Remove one" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove one" }).waitFor({ state: "detached" });
    await upstream.stop(true);
  });

  test("the test of a provider that takes long goes on while another is added", async ({ page, open }) => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    const upstream = Bun.serve({
      port: 0,
      fetch: async ({ url }) => {
        if (url.includes("/slow/")) await isAnswered;
        return Response.json({ data: [{ id: "one" }] });
      },
    });
    await open("/providers", "Providers & models");
    const cardOf = (id: string) => page.locator(".provider-card", { hasText: id });
    for (const id of ["slow", "quick"]) {
      await page.getByRole("button", { name: "Add a provider" }).first().click();
      await page.getByRole("dialog").getByLabel("Provider").selectOption("custom");
      await page.getByRole("dialog").getByLabel("Id", { exact: true }).fill(id);
      await page.getByRole("dialog").getByLabel("Address").fill(`http://127.0.0.1:${upstream.port}/${id}/v1`);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await cardOf("quick")
      .getByText(/answers in/)
      .waitFor();
    await cardOf("slow").getByText("testing…").waitFor();
    answer();
    await cardOf("slow")
      .getByText(/answers in/)
      .waitFor();
    for (const id of ["slow", "quick"]) {
      await cardOf(id).getByRole("button", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await cardOf(id).waitFor({ state: "detached" });
    }
    await upstream.stop(true);
  });

  test("a model is added, changed and removed by keyboard, and what is wrong is said at its field", async ({
    page,
    open,
    barriers,
  }) => {
    const upstream = Bun.serve({ port: 0, fetch: () => Response.json({ data: [{ id: "big-one" }] }) });
    await open("/providers", "Providers & models");
    await page.evaluate(async (base_url) => {
      const init = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify({ base_url }) };
      await fetch("/dashboard/api/providers/lab", init);
    }, `http://127.0.0.1:${upstream.port}/v1`);
    await open("/providers", "Providers & models");
    const dialog = page.getByRole("dialog");
    const field = (label: string) => dialog.getByLabel(label, { exact: true });
    const press = async (name: string) => {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
      await dialog.waitFor();
    };
    const refused = async (label: string, problem: string) => {
      await page.keyboard.press("Enter");
      await dialog.getByRole("alert").filter({ hasText: problem }).waitFor();
      await page.waitForFunction((wanted) => (document.activeElement as any)?.labels?.[0]?.textContent === wanted, label);
      expect(await field(label).getAttribute("aria-invalid")).toBe("true");
      expect(await dialog.getByRole("alert").count()).toBe(1);
    };
    const isFocused = (name: string) =>
      page.waitForFunction((label) => document.activeElement?.getAttribute("aria-label") === label, name);

    await press("Add a model");
    await field("Provider").selectOption("lab");
    await field("Model at the provider").fill("big one");
    await refused("Model at the provider", "in ASCII, without spaces");
    await field("Model at the provider").fill("big-one");
    await field("Id for callers").fill("auto");
    await refused("Id for callers", "no model can have this id");
    await field("Id for callers").fill("ours");
    await field("Input (USD per million)").fill("2");
    await refused("Output (USD per million)", "A price needs both input and output.");
    expect(await barriers()).toEqual([]);
    await field("Output (USD per million)").fill("8");
    await field("Context window (tokens)").fill("200000");
    await page.keyboard.press("Enter");
    await page.getByText("ours is added.").waitFor();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: /Use ours/ });
    await row.getByText("$8.00").waitFor();

    await press("Edit ours");
    expect(await field("Model at the provider").inputValue()).toBe("big-one");
    expect(await field("Context window (tokens)").inputValue()).toBe("200000");
    await field("Output (USD per million)").fill("9");
    await page.keyboard.press("Enter");
    await row.getByText("$9.00").waitFor();
    await isFocused("Edit ours");
    const trial = await row.getByRole("link", { name: "Try ours" }).getAttribute("href");
    expect(trial).toEndWith("/playground?model=ours");

    await press("Add a model");
    await field("Provider").selectOption("lab");
    await field("Model at the provider").fill("small-one");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await press("Remove ours");
    await dialog.getByRole("button", { name: "Remove" }).press("Enter");
    await row.waitFor({ state: "detached" });
    // The next one in the list has the focus.
    await page.waitForFunction(() => (document.activeElement as any).labels?.[0]?.textContent === "Use small-one");
    await upstream.stop(true);
  });

  test("a web search is tried, and says which engine answered at what price", async ({ page, open, barriers }) => {
    await open("/providers", "Providers & models");
    await page.getByLabel("Query").fill("signal boxes");
    await page.keyboard.press("Enter");
    await page.getByText(/^5 found by sandbox in .*, \$0\.01\.$/).waitFor();
    expect(await page.locator(".passages a[href^='https://']").count()).toBe(5);
    expect(await barriers()).toEqual([]);
  });

  test("a raised budget is found in the history by its project and its kind", async ({
    gateway,
    page,
    open,
    barriers,
    overflow,
  }) => {
    const { project, id } = await gateway.key({ project: "frugal", terms: { name: "till" }, budgetUsd: 5 });
    await changeKey(gateway.platform.db, byCommand(gateway.clock.now()), id, { budgetNanoUsd: 50e9 });
    await gateway.key({ project: "lavish" });
    await open("/settings/history", "Settings");
    await page.getByLabel("Project of the change").selectOption({ label: "frugal" });
    await page.getByLabel("What was changed").selectOption({ label: "API keys" });
    await page.getByText("1–2 of 2").waitFor();
    const url = new URL(page.url()).searchParams;
    expect([url.get("project"), url.get("kind")]).toEqual([project.id, "key"]);
    const row = page.getByRole("row", { name: /key changed/ });
    for (const text of ["command line", "till", "frugal", "budget_usd: 5 → 50"]) await row.getByText(text).waitFor();
    expect(await barriers()).toEqual([]);
    await page.setViewportSize({ width: 380, height: 780 });
    expect(await overflow()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByLabel("What was changed").selectOption({ label: "Restores" });
    await page.getByText("No such change is known").waitFor();
  });

  test("somebody is invited, sets a password by the link, and looks around as a viewer", async ({ page, open }) => {
    await open("/settings/members", "Settings");
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("Name").fill("vera");
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = (await page.getByRole("dialog").locator(".key-line code").textContent())!;
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("row", { name: /vera/ }).getByText("invited").waitFor();
    const visitor = await page.context().browser()!.newContext();
    const hers = await visitor.newPage();
    await hers.goto(link);
    await hers.getByLabel("Password").fill("a password of hers");
    await hers.getByLabel("The same again").fill("a password of hers");
    await hers.getByRole("button", { name: "Set the password" }).click();
    await hers.getByText("vera · viewer").waitFor();
    await hers.goto(page.url());
    await hers.getByRole("row", { name: /vera/ }).getByText("has a password").waitFor();
    expect(await hers.getByRole("button", { name: "Invite somebody" }).count()).toBe(0);
    expect(await hers.getByRole("combobox", { name: "Role of vera" }).count()).toBe(0);
    await hers.getByRole("button", { name: "Sign out" }).click();
    await hers.getByLabel("Name").fill("vera");
    await hers.getByLabel("Password").fill("a password of hers");
    await hers.getByRole("button", { name: "Sign in" }).click();
    await hers.getByText("vera · viewer").waitFor();
    await page.getByRole("combobox", { name: "Role of vera" }).selectOption("admin");
    await page.getByText("vera is admin now.").waitFor();
    await hers.reload();
    await hers.getByText("vera · admin").waitFor();
    await page.getByRole("button", { name: "Remove vera" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Nobody yet").waitFor();
    await hers.getByRole("link", { name: "Calls" }).click();
    await hers.getByText("Your session has ended").waitFor();
    await visitor.close();
  });
});
