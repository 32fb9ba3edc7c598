/** The list of calls and what leads to and from it: days and times, filters, the live tail, a call, a user's wish to be forgotten. */

import { expect } from "bun:test";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { usd } from "../../src/dashboard/web/format.ts";
import { DAY_MS } from "../../src/lib/clock.ts";
import { openContext } from "../support/browser.ts";
import { DEMO_HOME, describeDashboard } from "../support/demo-dashboard.ts";
import { getJson, record } from "../support/known-call.ts";

/** On either side of Greenwich, and not by whole hours. */
const ZONES = ["Asia/Kolkata", "America/St_Johns"];

/** The names under the chart, left to right, each with its place; they are drawn on a canvas, which keeps no text. */
const listenToCanvas = (context: BrowserContext) =>
  context.addInitScript(() => {
    const drawn: { text: string; x: number }[] = [];
    Object.assign(globalThis, { drawn });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
      drawn.push({ text, x: x + this.getTransform().e });
      return fillText.call(this, text, x, ...rest);
    };
  });

/** In the order of their places. */
const daysUnderTheChart = async (page: Page): Promise<{ text: string; x: number }[]> => {
  await page.locator(".u-over").waitFor();
  await page.waitForFunction(() => (globalThis as any).drawn.length > 0);
  const drawn: { text: string; x: number }[] = await page.evaluate(() => (globalThis as any).drawn);
  const places = new Map(drawn.filter(({ text }) => /^\d+ \w+$/.test(text)).map(({ text, x }) => [text, Math.round(x)]));
  return [...places].map(([text, x]) => ({ text, x })).sort((a, b) => a.x - b.x);
};

describeDashboard("calls in the dashboard", (test) => {
  test("a call leads from the overview to its detail, with attempts, candidates and feedback", async ({
    page,
    open,
    barriers,
  }) => {
    await open("/overview", "Overview");
    await page
      .getByRole("link", { name: /^Calls/ })
      .last()
      .click();
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    await page.getByText(/^1–/).waitFor();
    await page.goto(
      `${page.url()}&model=${encodeURIComponent((await page.locator("table.calls tbody tr td:nth-child(4)").last().textContent())!)}`,
    );
    await page.locator("table.calls tbody a.row-link").last().click();
    await page.getByText("Why this model").waitFor();
    await page.getByText("first choice").first().waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Good" }).click();
    await page.getByText("Said so far: 100 %").waitFor();
  });

  test("filters live in the URL, so that a reload shows the same", async ({ page, open }) => {
    await open("/calls", "Calls");
    await page.getByLabel("Outcome").selectOption("failed");
    await page.getByLabel("Task").selectOption("code");
    await page.waitForURL(/failed_only=true.*task_type=code/);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    expect(await page.getByLabel("Outcome").inputValue()).toBe("failed");
    expect(await page.getByLabel("Task").inputValue()).toBe("code");
    await page.getByLabel("Outcome").selectOption("");
    await page.getByLabel("Task").selectOption("image");
    await page.waitForURL((url) => url.search === "?kind=image");
    await page.getByText("A signal box at dusk").waitFor();
    const tasks = await page.locator("table.calls tbody td:nth-child(3)").allTextContents();
    expect([...new Set(tasks)]).toEqual(["image"]);
    await page.getByLabel("Task").selectOption("code");
    await page.waitForURL((url) => url.search === "?task_type=code");
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Attempts").selectOption("retry");
    await page.waitForURL(/min_retry_count=1/);
    await page.getByLabel("Attempts").selectOption("fallback");
    await page.waitForURL((url) => url.searchParams.get("fallback_used") === "true" && !url.searchParams.has("min_retry_count"));
  });

  test("the head of a column sorts by it, then turns the order", async ({ page, open }) => {
    await open("/calls", "Calls");
    const cost = page.getByRole("columnheader", { name: "Cost" });
    await cost.getByRole("button").click();
    await page.waitForURL((url) => url.search === "?sort_by=cost");
    expect(await cost.getAttribute("aria-sort")).toBe("descending");
    await cost.getByRole("button").press("Enter");
    await page.waitForURL((url) => url.search === "?sort_by=cost&sort_order=asc");
    expect(await cost.getAttribute("aria-sort")).toBe("ascending");
    await page.getByRole("button", { name: "When (local)" }).press("Enter");
    await page.waitForURL((url) => url.search === "");
  });

  test("calls are found by a text of their prompt or answer", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "looked-through" });
    for (const content of ["Where is parcel 4711?", "What is a signal box?"])
      await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content }] });
    await open("/dashboard/p/looked-through/test/calls", "Calls");
    await page.getByText("What is a signal box?").waitFor();
    await page.getByLabel("Search").fill("PARCEL 4711");
    await page.waitForURL(/search=PARCEL\+4711/);
    await page.getByText("What is a signal box?").waitFor({ state: "detached" });
    expect(await page.locator("table.calls tbody tr").allTextContents()).toEqual([
      expect.stringContaining("Where is parcel 4711?"),
    ]);
  });

  test("what went wrong is told in the overview by kind and model, with what would help", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "trouble" });
    const ask = (content: string, model: string | null = "gpt-4o-mini") =>
      gateway.send(key, "POST", "/v1/chat", { model, messages: [{ role: "user", content }] });
    await ask("Which planet is the largest?");
    await open("/dashboard/p/trouble/test/overview", "Overview");
    await page.getByText("Cost this month").waitFor();
    expect(await page.getByText("What went wrong").count()).toBe(0);
    for (let times = 0; times < 3; times++) await ask("Which planet is the largest? [[sandbox:refuse]]");
    await open("/dashboard/p/trouble/test/overview", "Overview");
    const card = page.locator(".card", { hasText: "What went wrong" });
    await card.getByText("3 calls (75.0 %): 3 put right by a retry, 0 by a fallback, 0 not.").waitFor();
    await card.locator(".bar", { hasText: "refusal" }).getByText("3", { exact: true }).waitFor();
    await card.getByText("3 of 4 · 75.0 %").waitFor();
    expect(await card.getByRole("link", { name: "a retry" }).getAttribute("href")).toMatch(/start_date=.*&min_retry_count=1$/);
    await card.getByRole("link", { name: "gpt-4o-mini" }).click();
    await page.waitForURL(/\/calls\?start_date=.*&model=gpt-4o-mini$/);
    // The log names a failed call's first choice. Fallbacks that failed, too, have no calls to lead to.
    await ask("Which planet is the largest? [[sandbox:error-500:always]]", null);
    const metrics = async (name: string) => (await gateway.send(key, "GET", `/v1/metrics/${name}`)).json() as Promise<any>;
    const [{ by_model }, { models }] = await Promise.all([metrics("failures"), metrics("overview")]);
    const fallbacks = Object.keys(by_model).filter((model) => !(model in models));
    expect(fallbacks.length).toBeGreaterThan(0);
    await open("/dashboard/p/trouble/test/overview", "Overview");
    await card.getByText(fallbacks[0]!, { exact: true }).waitFor();
    for (const model of fallbacks) expect(await card.getByRole("link", { name: model, exact: true }).count()).toBe(0);
  });

  test("where a call failed without an answer or a model at fault, the overview says so", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "refused" });
    const policy = { policy_type: "routing", config: { model_allow_list: ["gpt-4o"], on_violation: "hard_block" } };
    await gateway.send(key, "POST", "/v1/policies", { name: "One model", ...policy });
    const messages = [{ role: "user", content: "Which planet is the largest?" }];
    expect((await gateway.send(key, "POST", "/v1/chat", { model: "gpt-4.1", messages })).status).toBe(403);
    await open("/dashboard/p/refused/test/overview", "Overview");
    const card = page.locator(".card", { hasText: "What went wrong" });
    await card.getByText("No answer failed its checks.").waitFor();
    await card.getByText("No model was at fault.").waitFor();
    await card.getByRole("link", { name: "those that ended in an error" }).click();
    await page.waitForURL(/\/calls\?start_date=.*&failed_only=true$/);
  });

  test("what a key's calls of the month cost is told in the overview, and over those calls", async ({ gateway, page, open }) => {
    const keys = [await gateway.key({ project: "spender" }), await gateway.key({ project: "spender" })];
    const costs = [0, 0];
    for (const at of [0, 1, 1]) {
      const question = { role: "user", content: `Which planet is the largest of ${"many ".repeat(20 * at)}?` };
      const answer = await gateway.send(keys[at]!, "POST", "/v1/chat", { messages: [question] });
      costs[at]! += ((await answer.json()) as any).svc.cost_usd;
    }
    await open("/dashboard/p/spender/test/overview", "Overview");
    await page.getByText(`Together ${usd(costs[0]! + costs[1]!)} for 3 calls.`).waitFor();
    const name = `test …${keys[1]!.text.slice(-4)}`;
    await page.getByText(`${usd(costs[1]!)} · 2`).waitFor();
    await page.getByRole("link", { name }).click();
    await page.getByText(`1–2 of 2, ${usd(costs[1]!)} together`).waitFor();
    expect(await page.getByLabel("Key").locator("option:checked").textContent()).toBe(name);
  });

  test("what an earlier month cost is told in the overview, and over its calls", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "reviewed" });
    const now = new Date(gateway.clock.now());
    const startedAtMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
    const month = new Date(startedAtMs).toISOString().slice(0, 7);
    await record(gateway, key, { startedAtMs, costNanoUsd: 3_000_000_000 }, { startedAtMs: now.getTime() });
    await open("/dashboard/p/reviewed/test/overview", "Overview");
    const card = page.locator(".card", { hasText: "Together" });
    await card.getByText("for 1 call.").waitFor();
    await card.getByLabel("Month").selectOption(month);
    await card.getByText("Together $3.00 for 1 call.").waitFor();
    expect(new URL(page.url()).searchParams.get("month")).toBe(month);
    await card.getByRole("link").click();
    await page.getByText("1–1 of 1, $3.00 together").waitFor();
  });

  test("a call of a recording or a picture alone is said to have no text, in the list and in its detail", async ({
    gateway,
    page,
    open,
  }) => {
    const key = await gateway.key({ project: "spoken" });
    const startedAtMs = Date.now() - 60_000;
    await record(gateway, key, {
      startedAtMs,
      kind: "transcription",
      taskType: undefined,
      promptText: "",
      outputText: "Good evening.",
    });
    await open("/dashboard/p/spoken/test/calls", "Calls");
    await page.locator("table.calls a.row-link", { hasText: "no text" }).click();
    await page.getByText("There was no text. Recordings and pictures are not kept in the log.").waitFor();
    await page.getByText("Good evening.").waitFor();
  });

  test("what a call's shadow cost is told beside the call, for no sum has it", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "shadowed", settings: { shadow: { model: "gpt-4o-mini", sampleRate: 1 } } });
    const question = { model: "gpt-4o", messages: [{ role: "user", content: "Which planet is the largest?" }] };
    const answer = (await (await gateway.send(key, "POST", "/v1/chat", question)).json()) as any;
    await gateway.platform.background.idle();
    const detail = await getJson(gateway, key, `/v1/logs/${answer.svc.request_id}`);
    await open(`/dashboard/p/shadowed/test/calls/${answer.svc.request_id}`, "Call");
    await page.getByText(`gpt-4o-mini: similar, ${usd(detail.shadow_call.shadow_cost_usd)}`).waitFor();
  });

  test("what a call paid for besides its attempts is told, so that they add up", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "judged" });
    const policy = { name: "Kind", policy_type: "content", config: { criteria: ["The answer is kind"] } };
    await gateway.send(key, "POST", "/v1/policies", policy);
    const answer = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: "Say hello" }] });
    const { cost_usd } = ((await answer.json()) as any).svc;
    await open(`/dashboard/p/judged/test/calls/${answer.headers.get("x-svc-request-id")}`, "Call");
    const usdOf = async (line: Locator) => Number(/\$([\d.]+)/.exec((await line.textContent())!)![1]);
    const besides = await usdOf(page.getByText(/^Other model calls/));
    expect(besides).toBeGreaterThan(0);
    expect(besides + (await usdOf(page.locator(".timeline .row")))).toBeCloseTo(cost_usd, 9);
  });

  test("a candidate has answered where it did, and a call that nobody answered says so", async ({ gateway, page, open }) => {
    await open("/playground", "Playground");
    await page.getByLabel("Your message").fill("Who will answer?");
    await page.getByRole("button", { name: "All candidates" }).click();
    await page.getByRole("dialog").getByText("would answer").waitFor();
    await page.setViewportSize({ width: 380, height: 780 });
    const outside = (table: any) => table.parentElement.scrollWidth - table.parentElement.clientWidth;
    expect(await page.locator("dialog table.candidates").evaluate(outside)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });
    const question = { role: "user", content: "Who will answer? [[sandbox:error-500:always]]" };
    const failed = await gateway.send(await gateway.key({ project: "demo" }), "POST", "/v1/chat", { messages: [question] });
    await open(`/calls/${failed.headers.get("x-svc-request-id")}`, "Call");
    await page.getByText("Nothing was checked: there was no answer.").waitFor();
    expect(await page.locator("table.candidates .badge.slate").allTextContents()).toEqual(["chosen"]);
    expect(await page.getByText("Was it a good answer?").count()).toBe(0);
  });

  test("a new call appears in the live tail without a reload", async ({ gateway, page, open }) => {
    await open("/calls?tail=true", "Calls");
    const project = gateway.platform.db.get<{ id: string }>("SELECT id FROM projects WHERE name = 'demo'")!;
    await page.evaluate(async (id) => {
      await fetch(`/dashboard/api/projects/${id}/test/v1/chat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ messages: [{ role: "user", content: "A call made behind the page" }] }),
      });
    }, project.id);
    await page.getByText("A call made behind the page").first().waitFor();
  });

  test("text of a prompt stays text", async ({ page, open }) => {
    await open("/playground", "Playground");
    const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
    await page.getByLabel("Your message").fill(`[[sandbox:reply=${hostile}]]`);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("done", { exact: true }).waitFor();
    await page.getByRole("link", { name: "The call" }).click();
    await page.getByText("Why this model").waitFor();
    expect(await page.locator(".text-block").last().textContent()).toContain("<img src=x");
    expect(await page.title()).not.toContain("owned");
    expect(await page.locator("img[src=x]").count()).toBe(0);
  });

  test("a prompt too long for its place is scrolled by keyboard too", async ({ gateway, page, open, barriers }) => {
    const project = gateway.platform.db.get<{ id: string }>("SELECT id FROM projects WHERE name = 'demo'")!;
    const callId = await page.evaluate(async (id) => {
      const answer = await fetch(`/dashboard/api/projects/${id}/test/v1/chat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ messages: [{ role: "user", content: "A line of the timetable.\n".repeat(200) }] }),
      });
      return (await answer.json()).svc.request_id;
    }, project.id);
    await open(`/calls/${callId}`, /./);
    await page.getByRole("region", { name: "Text of the prompt" }).focus();
    expect(await barriers()).toEqual([]);
  });

  test("a user's data is deleted on request", async ({ page, open }) => {
    await open("/calls?user_id=ada&start_date=2020-01-01", "Calls");
    await page.getByRole("button", { name: "Delete this user's data" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText(/calls? of ada deleted/).waitFor();
    await open("/calls?user_id=ada&start_date=2020-01-01", "Calls");
    await page.getByText("No call fits these filters").waitFor();
  });

  test("far from Greenwich the days are the API's, which are UTC, and other times say whose they are", async ({
    browser,
    gateway,
    page: signedIn,
  }) => {
    const { id, shutdownDate } = gateway.platform.catalog.chatModels().find((model) => model.shutdownDate !== undefined)!;
    const now = gateway.clock.now();
    const storageState = await signedIn.context().storageState();
    const charts: { text: string; x: number }[][] = [];
    for (const timezoneId of ZONES) {
      const context = await openContext(browser, gateway.url, { timezoneId, storageState });
      await listenToCanvas(context);
      const page = await context.newPage();
      await page.goto(`${DEMO_HOME}/overview?days=7`);
      charts.push(await daysUnderTheChart(page));
      await page.goto(`${DEMO_HOME}/calls`);
      await page.getByRole("columnheader", { name: "When (local)" }).waitFor();
      await page.goto(`${DEMO_HOME}/providers?find=${id}`);
      const ends = await page.locator("table.models .badge").first().textContent();
      expect([timezoneId, new Date(`${ends} UTC`).toISOString().slice(0, 10)]).toEqual([timezoneId, shutdownDate!]);
      await context.close();
    }
    const lastDays = Array.from({ length: 7 }, (_, index) => new Date(now - (6 - index) * DAY_MS).getUTCDate());
    expect(charts[0]!.map(({ text }) => Number.parseInt(text, 10))).toEqual(lastDays);
    expect(charts[1]).toEqual(charts[0]!);
  });
});
