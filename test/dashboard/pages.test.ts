/** Every page of the dashboard: shows its data, keeps nobody out, fits narrow screens, and leads on where there is nothing. */

import { expect } from "bun:test";
import { openContext, settled } from "../support/browser.ts";
import { PASSWORD } from "../support/dashboard.ts";
import { DEMO_HOME, describeDashboard } from "../support/demo-dashboard.ts";

describeDashboard("the pages of the dashboard", (test) => {
  test("the first load is small, and lets no style or script in that is not its own", async ({ gateway, browser, watch }) => {
    const fresh = await browser.newContext({ baseURL: gateway.url });
    const first = await fresh.newPage();
    watch(first);
    let bytes = 0;
    const session = await fresh.newCDPSession(first);
    await session.send("Network.enable");
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    const response = await first.goto("/dashboard");
    await first.getByRole("heading", { name: "Sign in" }).waitFor();
    await first.waitForLoadState("networkidle");
    const headers = response!.headers();
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).not.toContain("unsafe-inline");
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
    await fresh.close();
  });

  const PAGES: [path: string, heading: string, shows: string][] = [
    ["/start", "Getting started", "A call that works"],
    ["/overview", "Overview", "with one large model"],
    ["/calls", "Calls", "Live tail"],
    ["/playground", "Playground", "Would choose"],
    ["/documents?q=compensation", "Documents", "passages pass the threshold"],
    ["/sessions", "Sessions", "support-"],
    ["/policies", "Policies", "Protection of personal data"],
    ["/policies?add=true", "Policies", "From scratch"],
    ["/policies/new?type=routing", "New policy", "Never these providers"],
    ["/policies/new?template=pii-protection", "New policy", "Social security number"],
    ["/schemas", "Schemas", "incident"],
    ["/schemas/incident", "Incident", "Ask a model"],
    ["/media", "Media", "New image"],
    ["/media/video", "Media", "New video"],
    ["/media/speech", "Media", "New speech"],
    ["/media/transcription", "Media", "Audio to text"],
    ["/media/edits", "Media", "What changes"],
    ["/media/ranking", "Media", "What answers best?"],
    ["/media/moderation", "Media", "May this be said?"],
    ["/providers?find=gpt-4o", "Providers & models", "gpt-4o-mini"],
    ["/settings/keys", "Settings", "demo data"],
    ["/settings/keys?new=true", "Settings", "What is it for?"],
    ["/settings/projects", "Settings", "New project"],
    ["/settings/limits", "Settings", "Calls today"],
    ["/settings/routing", "Settings", "What was learned"],
    ["/settings/log", "Settings", "Keep prompts and answers"],
    ["/settings/history", "Settings", "project created"],
    ["/settings/server", "Settings", "Back up now"],
  ];

  for (const [path, heading, shows] of PAGES) {
    test(`${path} shows its data, has no barriers for eyes and keys, and fits 380 pixels, light and dark`, async ({
      page,
      follow,
      barriers,
      unseen,
      overflow,
    }) => {
      await page.emulateMedia({ colorScheme: "light" });
      await follow(path, heading);
      await page.getByText(shows).first().waitFor();
      await settled(page);
      expect(await barriers()).toEqual([]);
      // Where nothing moves, the menu is out of the way as soon as the window is narrow.
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await page.setViewportSize({ width: 380, height: 780 });
      expect(await overflow()).toBeLessThanOrEqual(0);
      expect(await barriers()).toEqual([]);
      expect(await unseen()).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
    });
  }

  test("what only a wide page shows can be read in the dark, too, and with more contrast where that is asked for", async ({
    page,
    open,
    barriers,
  }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    for (const [path, heading] of [
      ["/calls", "Calls"],
      ["/settings/keys", "Settings"],
    ] as const) {
      await open(path, heading);
      expect(await barriers(["color-contrast"])).toEqual([]);
      await page.emulateMedia({ contrast: "more" });
      expect(await barriers(["color-contrast-enhanced"])).toEqual([]);
      await page.emulateMedia({ contrast: "no-preference" });
    }
  });

  test("text is as large as the browser is set to, and still fits, at twice its size also on a phone", async ({
    page,
    follow,
    overflow,
  }) => {
    const textSizes = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("#main *")].map((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
      );
    for (const [path, heading] of PAGES) {
      await follow(path, heading);
      const usual = await textSizes();
      const setSize = (size: string) => page.evaluate((to) => document.documentElement.style.setProperty("font-size", to), size);
      await setSize("24px");
      const large = await textSizes();
      // Not by half each, because a table that finds no room is set smaller.
      expect([path, large.filter((size, at) => size < 1.3 * usual[at]!)]).toEqual([path, []]);
      expect([path, await overflow()]).toEqual([path, 0]);
      await page.setViewportSize({ width: 390, height: 780 });
      await setSize("32px");
      expect([path, await overflow()]).toEqual([path, 0]);
      await page.setViewportSize({ width: 1280, height: 860 });
      await setSize("");
    }
  });

  test("names and prompts without a blank break where the page ends, wide and narrow, and none of them is markup", async ({
    gateway,
    page,
    overflow,
  }) => {
    const key = await gateway.key({ project: "names" });
    const long = `<img src=x onerror="document.title='owned'">${"W".repeat(150)}`;
    const made = await Promise.all([
      gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: long }], session_id: long, user: long }),
      gateway.send(key, "POST", "/v1/documents", { filename: `${long}.txt`, content: `word ${long}`, collection_id: long }),
      gateway.send(key, "POST", "/v1/policies", { name: long, policy_type: "routing", config: { model_block_list: [long] } }),
      gateway.send(key, "POST", "/v1/schemas", { name: long, slug: "long", description: long, schema: { title: long } }),
      gateway.send(key, "POST", "/v1/images/generations", { prompt: long, user: long }),
    ]);
    expect(made.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    await gateway.platform.background.idle();
    const callId = made[0]!.headers.get("x-svc-request-id");
    const session = `/sessions/${encodeURIComponent(long)}`;
    const paths = [
      "/calls",
      `/calls/${callId}`,
      "/documents?q=word",
      "/sessions",
      session,
      "/policies",
      "/schemas",
      "/schemas/long",
    ];
    for (const path of paths) {
      await page.goto(`/dashboard/p/names/test${path}`);
      await page.locator(":visible", { hasText: "WWW" }).last().waitFor();
      await settled(page);
      for (const width of [1280, 380]) {
        await page.setViewportSize({ width, height: 860 });
        expect([path, width, await overflow()]).toEqual([path, width, 0]);
      }
      expect(await page.locator("img[src=x]").count()).toBe(0);
      await page.setViewportSize({ width: 1280, height: 860 });
    }
  });

  test("the keyboard reaches the page's content past the menu, and Escape closes a dialog to where it came from", async ({
    page,
    open,
  }) => {
    await open("/settings/keys", "Settings");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe("Skip to the page");
    await page.getByRole("button", { name: "Make a key" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate(() => document.activeElement!.closest("dialog") !== null)).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // The focus comes back with the next thing that is drawn.
    await page.waitForFunction(() => document.activeElement!.textContent!.trim() === "Make a key");
  });

  test("whoever deletes by the keyboard goes on at the next in the list, and at the page's head after the last", async ({
    gateway,
    page,
  }) => {
    const key = await gateway.key({ project: "tidy" });
    for (const filename of ["old.txt", "older.txt"])
      await gateway.send(key, "POST", "/v1/documents", { filename, content: "An old note." });
    await gateway.platform.background.idle();
    await page.goto("/dashboard/p/tidy/test/documents");
    const removeFirst = async (next: string) => {
      await page
        .getByRole("button", { name: /^Delete old/ })
        .first()
        .press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      // The focus comes back with the next thing that is drawn.
      await page.waitForFunction((text) => document.activeElement!.textContent!.trim() === text, next);
    };
    await removeFirst("Copy id");
    await removeFirst("Documents");
    await page.getByText("No documents yet").waitFor();
  });

  test("a browser whose language is none that scripts accept shows the dashboard all the same", async ({
    gateway,
    browser,
    watch,
  }) => {
    const context = await openContext(browser, gateway.url);
    // As WebKitGTK says it under the locale C, and some Chromiums under POSIX's.
    for (const language of ["C", "en-US@posix"]) {
      const page = await context.newPage();
      watch(page);
      await page.addInitScript((named) => {
        Object.defineProperty(Navigator.prototype, "language", { get: () => named });
      }, language);
      await page.goto("/dashboard");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.close();
    }
    await context.close();
  });

  test("a project without anything teaches the next step on every page", async ({ gateway, page }) => {
    await gateway.key({ project: "empty" });
    for (const [name, words] of [
      ["overview", "No calls yet"],
      ["calls", "No calls in the last seven days"],
      ["documents", "No documents yet"],
      ["sessions", "No conversations are remembered"],
      ["policies", "No policies yet"],
      ["schemas", "No schemas yet"],
      ["media/video", "No videos yet"],
    ] as const) {
      await page.goto(`/dashboard/p/empty/test/${name}`);
      await page.getByText(words).waitFor();
    }
  });

  test("a project that has not chatted is told of no share that it saved", async ({ gateway, page }) => {
    const key = await gateway.key({ project: "vectors" });
    await gateway.send(key, "POST", "/v1/embeddings", { model: "embed-local", input: "A signal box." });
    await page.goto("/dashboard/p/vectors/test/overview");
    await page.getByText("no chat to compare yet").waitFor();
  });

  test("an address of a project or page that does not exist leads on", async ({ page }) => {
    await page.goto("/dashboard/p/nowhere/test/calls");
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    expect(page.url()).not.toContain("nowhere");
    await page.goto(`${DEMO_HOME}/timetable`);
    await page.getByText("There is no such page").waitFor();
  });

  test("what a tier does not hold is said with the way out", async ({ gateway, page }) => {
    await gateway.key({ project: "small", tier: "free" });
    await page.goto("/dashboard/p/small/test/documents");
    await page.locator(".note-box.amber").getByText("Not part of this project's tier").waitFor();
    await page.goto("/dashboard/p/small/test/policies");
    await page.getByText("The free tier holds no policies.").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Tier of small").selectOption("starter");
    await page.getByText("small is on starter now.").waitFor();
    await page.goto("/dashboard/p/small/test/policies?add=true");
    await page.getByText("The starter tier holds no content policies.").waitFor();
  });

  test("signing out leads to the door, and leaves nothing behind that was typed", async ({ page, open, barriers }) => {
    await open("/playground", "Playground");
    // Its answer would be refused once the session has ended.
    const preview = page.waitForResponse(/\/v1\/route$/);
    await page.getByLabel("Your message").fill("Something of my own");
    await preview;
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${DEMO_HOME}/calls`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.textContent === "Calls");
    await open("/playground", "Playground");
    expect(await page.getByLabel("Your message").inputValue()).toBe("");
  });
});
