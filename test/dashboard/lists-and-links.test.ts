import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { DAY_MS, HOUR_MS } from "../../src/lib/clock.ts";
import { BROWSER_PATH, launchBrowser, openContext, settled, signInByForm } from "../support/browser.ts";
import { PASSWORD } from "../support/dashboard.ts";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";

if (BROWSER_PATH === undefined)
  console.warn("Skipped: lists and links of the dashboard, because no chromium is installed (apt-get install chromium).");

setDefaultTimeout(60_000);

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

describe.skipIf(BROWSER_PATH === undefined)("lists and links of the dashboard", () => {
  let gateway: Gateway;
  let key: TestKey;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    gateway = await startGateway();
    key = await gateway.key({ project: "shop" });
    browser = await launchBrowser();
    context = await openContext(browser, gateway.url);
    page = await context.newPage();
    await signInByForm(page);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const open = async (path: string, heading: string) => {
    await page.goto(`/dashboard/p/shop/test${path}`);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await settled(page);
  };
  const chat = async (body: object): Promise<string> => {
    const answer = await gateway.send(key, "POST", "/v1/chat", {
      messages: [{ role: "user", content: "Which planet is the largest?" }],
      ...body,
    });
    return answer.headers.get("x-svc-request-id")!;
  };

  test("more documents than a page holds are paged, and Back undoes a page", async () => {
    const archive = await gateway.key({ project: "archive" });
    for (let i = 0; i < 52; i++)
      await gateway.send(archive, "POST", "/v1/documents", {
        filename: `note-${i}.txt`,
        content: `Note number ${i} of the shop.`,
      });
    await gateway.platform.background.idle();
    await page.goto("/dashboard/p/archive/test/documents");
    await page.getByText("1–50 of 52").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("51–52 of 52").waitFor();
    await page.waitForURL(/offset=50/);
    await page.getByText("note-0.txt").waitFor();
    await page.goBack();
    await page.getByText("1–50 of 52").waitFor();
    await page.getByText("note-51.txt").waitFor();
  });

  test("Back leads to the line of the list that was left", async () => {
    for (let i = 0; i < 40; i++) await chat({ messages: [{ role: "user", content: `Which is planet number ${i}?` }] });
    await open("/calls", "Calls");
    await page.evaluate(() => window.scrollTo(0, 700));
    await page.getByRole("link", { name: "planet number 5?" }).click();
    await page.getByText("Why this model").waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    // Bringing a link into view to click it may itself scroll: what counts is that it is in view again.
    await page.waitForFunction(() => window.scrollY > 300);
    expect(
      await page.getByRole("link", { name: "planet number 5?" }).evaluate((link) => {
        const { top, bottom } = link.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      }),
    ).toBe(true);
  });

  test("a file that was taken away can be attached again, and a picture can be pasted", async () => {
    await open("/playground", "Playground");
    const file = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") };
    const token = page.locator(".token", { hasText: "dot.png" });
    for (let round = 0; round < 2; round++) {
      await page.locator("input[type=file]").setInputFiles(file);
      await token.waitFor();
      await page.getByRole("button", { name: "Remove dot.png" }).click();
      await token.waitFor({ state: "detached" });
      // Chromium fires no change for a file that the field still holds.
      expect(await page.locator("input[type=file]").evaluate((input: any) => input.files.length)).toBe(0);
    }
    const paste = (withText: boolean) =>
      page.evaluate(
        ([base64, text]) => {
          const data = new DataTransfer();
          const bytes = Uint8Array.from(atob(base64 as string), (letter) => letter.charCodeAt(0));
          data.items.add(new File([bytes], "pasted.png", { type: "image/png" }));
          if (text) data.setData("text/plain", "A cell of a spreadsheet");
          document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        },
        [DOT, withText] as const,
      );
    // A spreadsheet's cell comes as text with a picture of itself: the text is meant.
    await paste(true);
    await paste(false);
    await page.locator(".token", { hasText: "pasted.png" }).waitFor();
    expect(await page.locator(".token").count()).toBe(1);
  });

  test("a call leads to its session and its key, and back to the list with its filters", async () => {
    await chat({ session_id: "counter-7" });
    await open("/calls", "Calls");
    const task = await page.evaluate(async () => {
      const { projects } = await (await fetch("/dashboard/api/projects")).json();
      const shop = projects.find(({ name }: any) => name === "shop").id;
      const { logs } = await (await fetch(`/dashboard/api/projects/${shop}/test/v1/logs`)).json();
      return logs[0].classification.task_type as string;
    });
    await open(`/calls?task_type=${task}&success_only=true`, "Calls");
    await page.locator("table.calls tbody a.row-link").first().click();
    await page.getByText("Why this model").waitFor();
    const facts = page.locator(".card", { has: page.getByRole("heading", { name: "Request", exact: true }) });
    // The test's keys are called "test".
    expect(await facts.getByRole("link", { name: `test …${key.text.slice(-4)}` }).getAttribute("href")).toContain(
      "settings/keys",
    );
    expect(await facts.getByRole("link", { name: "The session" }).getAttribute("href")).toContain("sessions/counter-7");
    await page.getByRole("link", { name: "All calls" }).click();
    await page.waitForURL((url) => url.search.includes(`task_type=${task}&success_only=true`));
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
  });

  test("an answer's id, pasted, opens its call, in whichever mode it was made", async () => {
    const id = await chat({});
    await page.goto("/dashboard/p/shop/live/calls");
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Call id").fill(` chatcmpl-${id.slice("call_".length)} `);
    await page.getByText("Why this model").waitFor();
    await page.waitForURL(`**/p/shop/test/calls/${id}`);
    expect(await page.getByRole("radio", { name: "Test" }).isChecked()).toBe(true);
  });

  test("where another than the first choice answered, it is said, and nothing else is called the first choice", async () => {
    const id = await chat({});
    await open(`/calls/${id}`, "Call");
    await page.locator(".timeline .badge").first().waitFor();
    expect(await page.locator(".timeline .badge").allTextContents()).toEqual(["first choice"]);
    expect(await page.getByText("stood in").count()).toBe(0);
    const asked = new RegExp(`/v1/logs/${id}`);
    await page.route(asked, async (route) => {
      const entry = await (await route.fetch()).json();
      await route.fulfill({ json: { ...entry, routing: { ...entry.routing, first_choice: "one-that-rests" } } });
    });
    await open(`/calls/${id}`, "Call");
    await page.locator(".timeline .badge").first().waitFor();
    expect(await page.locator(".timeline .badge").allTextContents()).toEqual(["stood in"]);
    await page.getByText("one-that-rests was resting after failures").waitFor();
    await page.unroute(asked);
  });

  test("a call that drew shows the picture while its link lives", async () => {
    const drawn = await gateway.send(key, "POST", "/v1/images/generations", { prompt: "A red signal at dusk" });
    await open(`/calls/${drawn.headers.get("x-svc-request-id")}`, "Call");
    const picture = page.getByRole("img", { name: "What was drawn" });
    await picture.waitFor();
    expect(await picture.evaluate((image: any) => image.decode().then(() => image.naturalWidth))).toBeGreaterThan(0);
  });

  test("a blocked term is named as the cause, not the absence of personal data", async () => {
    const strict = await gateway.key({ project: "strict" });
    const policy = { name: "No airships", policy_type: "content" };
    const config = { blocked_terms: { enabled: true, terms: ["zeppelin"], action: "block" } };
    await gateway.send(strict, "POST", "/v1/policies", { ...policy, config });
    const blocked = await gateway.send(strict, "POST", "/v1/chat", {
      messages: [{ role: "user", content: "Say it. [[sandbox:reply=a zeppelin]]" }],
    });
    expect(blocked.status).toBe(403);
    await page.goto(`/dashboard/p/strict/test/calls/${blocked.headers.get("x-svc-request-id")}`);
    await page.getByText("A blocked term was found").waitFor();
  });

  test("a model is switched off and on again in its row", async () => {
    await open("/providers?find=gpt-4o-mini", "Providers & models");
    const found = () => gateway.platform.catalog.findChatModel("gpt-4o-mini") !== undefined;
    const toggle = page.getByRole("switch", { name: "Use gpt-4o-mini" });
    await toggle.uncheck({ force: true });
    await page.getByText("gpt-4o-mini is off").waitFor();
    expect(found()).toBe(false);
    await toggle.check({ force: true });
    await page.getByText("gpt-4o-mini may answer again").waitFor();
    expect(found()).toBe(true);
  });

  test("the chart is read and opened by the keyboard", async () => {
    await open("/overview", "Overview");
    const chart = page.getByRole("slider", { name: "Calls by day" });
    await chart.focus();
    const today = new Date(gateway.clock.now()).toISOString().slice(0, 10);
    const yesterday = new Date(gateway.clock.now() - 86_400_000).toISOString().slice(0, 10);
    expect(await chart.getAttribute("aria-valuenow")).toBe("30");
    await page.keyboard.press("ArrowLeft");
    expect(await chart.getAttribute("aria-valuetext")).toEndWith(": 0");
    await page.getByRole("radio", { name: "7 days" }).check({ force: true });
    await page.waitForFunction(() => document.querySelector("[role=slider]")?.getAttribute("aria-valuemax") === "7");
    await chart.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    expect(await chart.getAttribute("aria-valuenow")).toBe("7");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    expect([today, yesterday]).toContain(new URL(page.url()).searchParams.get("start_date")!);
  });

  test("an answer from documents names each place once, and leads to the passages", async () => {
    const paragraphs = Array.from(
      { length: 8 },
      (_, at) => `# Leave ${at}\n\nEverybody has 27 days of leave a year, rule ${at}.\n`,
    );
    await gateway.send(key, "POST", "/v1/documents", { filename: "leave.md", content: paragraphs.join("\n") });
    await gateway.platform.background.idle();
    await open("/playground", "Playground");
    await page.getByLabel("leave.md").check();
    await page.getByLabel("Your message").fill("How many days of leave?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const places = page.getByText(/^From: \[1\] leave\.md/);
    await places.waitFor();
    expect((await places.textContent())!.split("leave.md").length - 1).toBe(1);
    await page.getByRole("link", { name: "See the passages" }).click();
    await page.getByText("pass the threshold").waitFor();
  });

  test("a document and a session lead to the playground, already chosen", async () => {
    await gateway.send(key, "POST", "/v1/documents", {
      filename: "timetable.md",
      content: "The 07:42 leaves from platform four.",
    });
    await gateway.platform.background.idle();
    await open("/documents", "Documents");
    await page.getByRole("link", { name: "Ask timetable.md" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    await page.getByLabel("timetable.md").waitFor();
    expect(await page.getByLabel("timetable.md").isChecked()).toBe(true);
    await chat({ session_id: "desk-9" });
    await open("/sessions/desk-9", "desk-9");
    await page.getByRole("link", { name: "Go on in the playground" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    expect(await page.getByLabel("Session", { exact: true }).inputValue()).toBe("desk-9");
  });

  test("a dialog begins at its first field, and a question at its way out", async () => {
    await open("/providers?add=true", "Providers & models");
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate(() => document.activeElement!.tagName)).toBe("SELECT");
    await open("/settings/keys", "Settings");
    await page
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .click();
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe("Cancel");
    await page.keyboard.press("Escape");
  });

  test("a set-up link that was used leads to the door, or in where one is signed in", async () => {
    await page.goto("/dashboard/setup?token=used-before");
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    const stranger = await browser.newContext({ baseURL: gateway.url });
    const fresh = await stranger.newPage();
    await fresh.goto("/dashboard/setup?token=used-before");
    await fresh.getByRole("heading", { name: "Sign in" }).waitFor();
    await stranger.close();
  });

  test("another mode or project shows the same page and section, and no item of the one before", async () => {
    await gateway.key({ project: "other" });
    await gateway.send(key, "POST", "/v1/schemas", { name: "Incident", schema: { type: "object" } });
    await open("/settings/limits", "Settings");
    await page.getByRole("radio", { name: "Live" }).check({ force: true });
    await page.waitForURL("**/p/shop/live/settings/limits");
    await page.getByText("Shown: live.").waitFor();
    await page.getByLabel("Project", { exact: true }).selectOption("other");
    await page.waitForURL("**/p/other/live/settings/limits");
    await open("/schemas/incident", "Incident");
    await page.getByLabel("Project", { exact: true }).selectOption("other");
    await page.waitForURL("**/p/other/test/schemas");
  });

  test("a session that ends while a form is filled in takes nothing of it away", async () => {
    await open("/schemas/new", "New schema");
    await page.getByLabel("Name").fill("Half a thought");
    await context.clearCookies();
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press("Escape");
    // A browser lets a second Escape through whatever is said to the first: it is opened again, in a turn of its own.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await dialog.waitFor();
    await dialog.getByLabel("Password").fill("not the password");
    await page.keyboard.press("Enter");
    await dialog.getByText("That is not the password.").waitFor();
    await dialog.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Name").inputValue()).toBe("Half a thought");
    await page.getByText("Your session had ended. Sign in and try again.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Half a thought" }).waitFor();
  });

  test("Escape at the door of an ended session does not close the form behind it", async () => {
    await open("/settings/keys?new=true", "Settings");
    const form = page.getByRole("dialog", { name: /^New key/ });
    await form.getByLabel("What is it for?").fill("Typed before");
    await context.clearCookies();
    await page.keyboard.press("Enter");
    const door = page.getByRole("dialog", { name: "Your session has ended" });
    await door.waitFor();
    for (let press = 0; press < 5; press++) {
      await page.keyboard.press("Escape");
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    }
    // Typed where the focus is: into the door, which still lies over the form.
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await door.waitFor({ state: "detached" });
    expect(await form.getByLabel("What is it for?").inputValue()).toBe("Typed before");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });

  test("a session that ends over a question leads back to the question", async () => {
    await open("/settings/keys", "Settings");
    await page
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .click();
    await context.clearCookies();
    const question = page.getByRole("dialog", { name: /^Revoke/ });
    await question.getByRole("button", { name: "Revoke" }).press("Enter");
    const door = page.getByRole("dialog", { name: "Your session has ended" });
    await door.getByLabel("Password").fill(PASSWORD);
    await question.getByText("Your session had ended.").waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await door.waitFor({ state: "detached" });
    // The focus comes back with the next thing that is drawn.
    await page.waitForFunction(() => document.activeElement!.closest("dialog") !== null);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
  });

  test("what the end of a session refused is asked for again", async () => {
    await chat({ session_id: "counter-8" });
    await open("/overview", "Overview");
    await context.clearCookies();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Sessions" }).click();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "counter-8" }).waitFor();
  });

  test("the menu of a narrow screen gives the focus back where it was opened", async () => {
    await page.setViewportSize({ width: 380, height: 780 });
    await open("/overview", "Overview");
    await page.getByRole("button", { name: "Menu" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Settings" }).focus();
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => document.activeElement!.getAttribute("aria-label"))).toBe("Menu");
    const menu = page.getByRole("button", { name: "Menu" });
    expect(await menu.getAttribute("aria-expanded")).toBe("false");
    // Past its end, the focus must not go on behind it.
    await menu.press("Enter");
    await page.getByRole("button", { name: "Sign out" }).press("Tab");
    await page.locator(".rail.open").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test("lists fit a phone and a tablet without being moved sideways", async () => {
    const schema = { type: "object", properties: { minutes: { type: "integer" } } };
    const description = "One line of the register in which every delay is entered.";
    await gateway.send(key, "POST", "/v1/schemas", { name: "Delay register entry", slug: "delay-entry", description, schema });
    await chat({ session_id: "a-session-to-list" });
    const settings = ["/settings/keys", "/settings/projects", "/settings/limits", "/settings/routing"];
    for (const path of ["/calls", "/documents", "/sessions", "/schemas", "/providers", ...settings]) {
      await page.goto(`/dashboard/p/shop/test${path}`);
      const lists = page.locator("main table");
      await lists.first().waitFor();
      for (const width of [380, 768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 780 });
        const outside = await lists.evaluateAll((tables) =>
          tables.map(({ parentElement: place }) => place!.scrollWidth - place!.clientWidth),
        );
        expect([path, width, Math.max(...outside)]).toEqual([path, width, 0]);
      }
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test("a project's long name is cut short on a narrow screen; its mode is not", async () => {
    const name = "the-signalmen-of-the-northern-line-and-all-of-its-branches-".padEnd(100, "x");
    await gateway.key({ project: name, mode: "test" });
    await page.setViewportSize({ width: 380, height: 780 });
    await page.goto(`/dashboard/p/${name}/test/overview`);
    const tag = page.locator(".topbar .mode-tag");
    await tag.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const modeEnds = await tag.getByText("· test").evaluate((element) => element.getBoundingClientRect().right);
    expect(modeEnds).toBeLessThanOrEqual(380);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test("dialogs fit a narrow screen", async () => {
    await page.setViewportSize({ width: 380, height: 780 });
    for (const path of ["/settings/keys?new=true", "/providers?add=true", "/policies?add=true"]) {
      await page.goto(`/dashboard/p/shop/test${path}`);
      const body = page.locator("dialog .body");
      await body.waitFor();
      expect([path, await body.evaluate((element) => element.scrollWidth - element.clientWidth)]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test("what expires does so by the server's clock, whatever the browser's says", async () => {
    const { clock } = gateway;
    await gateway.send(await gateway.key({ project: "clocks", expiresAtMs: clock.now() + HOUR_MS }), "GET", "/v1/models");
    const late = await context.newPage();
    await late.clock.setFixedTime(clock.now() + 30 * DAY_MS);
    await late.goto("/dashboard/p/clocks/test/settings/keys");
    const line = late.locator("tbody tr").first();
    expect(await line.textContent()).toMatch(/valid.*just now/);
    await line.getByRole("button", { name: /^Change/ }).click();
    await late.getByLabel("Expires").selectOption({ label: "In 30 days" });
    const saved = late.waitForRequest((request) => request.method() === "PATCH");
    await late.getByRole("button", { name: "Save" }).click();
    const days = (Date.parse((await saved).postDataJSON().expires_at) - clock.now()) / DAY_MS;
    expect(Math.round(days)).toBe(30);
    await late.close();
  });
});
