import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { createSetupToken } from "../../src/accounts/operator.ts";
import { demoData } from "../../src/cli/commands/demo-data.ts";
import { BROWSER_PATH, launchBrowser, openContext, signInByForm } from "../support/browser.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";

if (BROWSER_PATH === undefined)
  console.warn("Skipped: the dashboard's pages, because no chromium is installed (apt-get install chromium).");

setDefaultTimeout(60_000);

const AXE = await Bun.file(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js")).text();
const HOME = "/dashboard/p/demo/test";

describe.skipIf(BROWSER_PATH === undefined)("the dashboard in a browser", () => {
  let gateway: Gateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), "signalbox-pages-"));
  /** What the browser complained about: errors, blocked styles or scripts, requests to other hosts. */
  const complaints: string[] = [];

  beforeAll(async () => {
    const environment = { LOG_LEVEL: "silent", OLLAMA_HOST: "127.0.0.1:1" };
    await demoData(["--db", join(folder, "signalbox.db"), "--days", "4", "--calls-per-day", "12", "--json"], environment);
    // The pages go by the browser's clock, and the demo data by the machine's.
    gateway = await startGateway({ folder, startsAtMs: Date.now() });
    browser = await launchBrowser();
    context = await openContext(browser, gateway.url);
    page = await context.newPage();
    watch(page);
    await signInByForm(page);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const watch = (watched: Page) => {
    watched.on("pageerror", (error) => complaints.push(error.message));
    watched.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    watched.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== gateway.url) complaints.push(`request to ${origin}`);
    });
  };

  const open = async (path: string, heading: string | RegExp) => {
    await page.goto(path.startsWith("/dashboard") ? path : HOME + path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.waitForLoadState("networkidle");
  };

  /** Serious and critical findings of axe. */
  const barriers = async (): Promise<string[]> => {
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
      const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
      return violations
        .filter(({ impact }: any) => impact === "serious" || impact === "critical")
        .map(
          ({ id, nodes }: any) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map(({ html }: any) => html.slice(0, 140))
              .join(" | ")}`,
        );
    });
    return found as string[];
  };

  /** Once the page has been drawn at its new width. */
  const overflow = () =>
    page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    });

  test("the first load is small, and lets no style or script in that is not its own", async () => {
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
    ["/overview", "Overview", "against one large model"],
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
    ["/providers", "Providers & models", "gpt-4o"],
    ["/settings/keys", "Settings", "demo data"],
    ["/settings/keys?new=true", "Settings", "What is it for?"],
    ["/settings/projects", "Settings", "New project"],
    ["/settings/limits", "Settings", "Calls today"],
    ["/settings/routing", "Settings", "What was learned"],
    ["/settings/log", "Settings", "Keep prompts and answers"],
    ["/settings/house", "Settings", "Back up now"],
  ];

  for (const [path, heading, shows] of PAGES) {
    test(`${path} shows its data, has no barriers, and fits 380 pixels, light and dark`, async () => {
      await page.emulateMedia({ colorScheme: "light" });
      await open(path, heading);
      await page.getByText(shows).first().waitFor();
      expect(await barriers()).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await barriers()).toEqual([]);
      await page.setViewportSize({ width: 380, height: 780 });
      expect(await overflow()).toBeLessThanOrEqual(0);
      expect(await barriers()).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 860 });
    });
  }

  test("a call leads from the overview to its detail, with attempts, candidates and feedback", async () => {
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

  test("filters live in the URL, so that a reload shows the same", async () => {
    await open("/calls", "Calls");
    await page.getByLabel("Outcome").selectOption("failed");
    await page.getByLabel("Task").selectOption("code");
    await page.waitForURL(/failed_only=true.*task_type=code/);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    expect(await page.getByLabel("Outcome").inputValue()).toBe("failed");
    expect(await page.getByLabel("Task").inputValue()).toBe("code");
  });

  test("a new call appears in the live tail without a reload", async () => {
    await open("/calls?tail=true", "Calls");
    const { project } = {
      project: (await gateway.platform.db.get<{ id: string }>("SELECT id FROM projects WHERE name = 'demo'"))!,
    };
    await page.evaluate(async (id) => {
      await fetch(`/dashboard/api/projects/${id}/test/v1/chat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ messages: [{ role: "user", content: "A call made behind the page" }] }),
      });
    }, project.id);
    await page.getByText("A call made behind the page").first().waitFor();
  });

  test("text of a prompt stays text", async () => {
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

  test("names and prompts without a blank break where the page ends, wide and narrow, and none of them is markup", async () => {
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
      await page.waitForLoadState("networkidle");
      for (const width of [1280, 380]) {
        await page.setViewportSize({ width, height: 860 });
        expect([path, width, await overflow()]).toEqual([path, width, 0]);
      }
      expect(await page.locator("img[src=x]").count()).toBe(0);
      await page.setViewportSize({ width: 1280, height: 860 });
    }
  });

  test("the playground shows the decision before, streams, compares two models and hands out the code", async () => {
    await open("/playground?compare=gpt-4o", "Playground");
    await page.getByLabel("Your message").fill("Write a TypeScript function that checks an IBAN.");
    await page.getByText("Expected cost").waitFor();
    await page.getByRole("button", { name: "Ask both" }).click();
    await page.getByText("done", { exact: true }).nth(1).waitFor();
    await page.getByRole("heading", { name: "gpt-4o", exact: true }).waitFor();
    await page.getByRole("button", { name: "Why this model" }).first().click();
    await page.getByRole("region", { name: "Candidates" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Copy as code" }).click();
    await page.getByText("Bearer $SIGNALBOX_KEY").waitFor();
    await page.keyboard.press("Escape");
  });

  test("an answer that breaks off is shown as far as it came, and as what it is", async () => {
    const piece = { model: "gpt-4o", choices: [{ index: 0, delta: { role: "assistant", content: "The beginning of" } }] };
    await page.route("**/v1/chat/stream", (route) =>
      route.fulfill({ headers: { "content-type": "text/event-stream" }, body: `data: ${JSON.stringify(piece)}\n\n` }),
    );
    await open("/playground", "Playground");
    await page.getByLabel("Your message").fill("Tell me all.");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("The answer broke off").waitFor();
    await page.getByText("The beginning of", { exact: true }).waitFor();
    await page.unroute("**/v1/chat/stream");
  });

  test("a conversation goes on with what was attached to its earlier turn", async () => {
    const bodies: any[] = [];
    const listen = (request: { url(): string; postDataJSON(): any }) => {
      if (request.url().endsWith("/v1/chat/stream")) bodies.push(request.postDataJSON());
    };
    page.on("request", listen);
    await open("/playground", "Playground");
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    const file = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("dot.png").waitFor();
    await page.getByLabel("Your message").fill("What is this?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("button", { name: "Continue from here" }).click();
    await page.getByLabel("Your message").fill("And its colour?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("done", { exact: true }).waitFor();
    page.off("request", listen);
    const [first, second] = bodies.map(({ messages }) => messages);
    expect(first[0].content).toEqual([
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
    ]);
    expect(second[0]).toEqual(first[0]);
    expect(second.at(-1)).toEqual({ role: "user", content: "And its colour?" });
  });

  test("a call is replayed in the playground with its own words", async () => {
    // A call of the test's own: what the demo data holds of a kind depends on the day of the week.
    const prompt = "Summarize the timetable of the night trains in one sentence.";
    const body = { messages: [{ role: "user", content: prompt }], user: "replayed" };
    expect((await gateway.send(await gateway.key({ project: "demo" }), "POST", "/v1/chat", body)).status).toBe(200);
    await open("/calls?user_id=replayed", "Calls");
    await page.locator("table.calls tbody a.row-link", { hasText: prompt }).click();
    await page.getByRole("button", { name: "Replay in the playground" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe(prompt);
  });

  test("a dropped document becomes ready and is found by the tester", async () => {
    await open("/documents", "Documents");
    await page.locator("input[type=file]").setInputFiles({
      name: "ferry.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# Ferry\n\nThe ferry to the island of Hallig leaves at nine and takes bicycles for four euro."),
    });
    const row = page.getByRole("row", { name: /ferry\.md/ });
    await row.getByText("ready").waitFor();
    await page.getByLabel("Question").fill("What does a bicycle cost on the ferry?");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByText("takes bicycles for four euro").waitFor();
    await row.getByRole("button", { name: "Delete ferry.md" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await row.waitFor({ state: "detached" });
  });

  test("a policy is tried on past calls, saved, moved by keys and switched off", async () => {
    await open("/policies/new?template=no-vendor-a", "New policy");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/^Of \d+ calls/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
    const names = () => page.locator(".policy-name a").allTextContents();
    await page.getByRole("link", { name: "No OpenAI" }).waitFor();
    const before = (await names()).indexOf("No OpenAI");
    const up = page.getByRole("button", { name: "Move No OpenAI up" });
    await up.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      ([was]) =>
        [...document.querySelectorAll(".policy-name a")].findIndex((link) => link.textContent === "No OpenAI") ===
        (was as number) - 1,
      [before],
    );
    await page.getByRole("switch", { name: "Use No OpenAI" }).click();
    await page.getByText("No OpenAI is off.").waitFor();
    await page.reload();
    await page.getByRole("link", { name: "No OpenAI" }).waitFor();
    expect((await names()).indexOf("No OpenAI")).toBe(before - 1);
    expect(await page.getByRole("switch", { name: "Use No OpenAI" }).isChecked()).toBe(false);
  });

  test("a schema is written, tried and saved", async () => {
    await open("/schemas/new", "New schema");
    await page.getByLabel("Name").fill("Ticket");
    await page.getByLabel("Answer").fill('Sure! {"title": "Lift broken", priority: "high",}');
    await page.getByText("Fits", { exact: true }).waitFor();
    await page.getByLabel("Answer").fill('{"title": "Lift broken", "priority": "enormous"}');
    await page.getByText("Does not fit").waitFor();
    await page.getByLabel("JSON Schema").fill('{"type": "objekt"}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".problem, .note-box.red").first().waitFor();
    await page.getByLabel("JSON Schema").fill('{"type": "object", "required": ["title"]}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Ticket" }).waitFor();
    expect(page.url()).toContain("/schemas/ticket");
  });

  test("an image is drawn and shown, a video followed to its end, speech played", async () => {
    await open("/media", "Media");
    await page.getByLabel("Prompt").fill("A signal at night");
    await page.getByRole("button", { name: "Draw" }).click();
    await page.waitForFunction(() => (document.querySelector("img.generated") as HTMLImageElement | null)?.naturalWidth === 1024);
    await open("/media/video", "Media");
    await page.getByLabel("Prompt").fill("A train in the fog");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.locator(".card", { hasText: "A train in the fog" }).locator("video").first().waitFor();
    await open("/media/speech", "Media");
    await page.getByLabel("Text").fill("The train is ready to leave.");
    await page.getByRole("button", { name: "Speak" }).click();
    await page.waitForFunction(() => ((document.querySelector("audio") as HTMLAudioElement | null)?.duration ?? 0) > 0.2);
  }, 60_000);

  test("a key is made, shown once, and revoked", async () => {
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

  test("settings are kept: tier, knob and retention", async () => {
    await open("/settings/routing", "Settings");
    await page.getByLabel("Quality or cost").focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight");
    await page.locator(".card", { hasText: "Quality or cost" }).getByRole("button", { name: "Save" }).click();
    await page.getByText("The router weighs it this way").waitFor();
    await page.reload();
    await page.getByText("0.70").waitFor();
  });

  test("a provider is added, tested and removed again; its key is never shown", async () => {
    const upstream = Bun.serve({ port: 0, fetch: () => Response.json({ data: [{ id: "one" }] }) });
    await open("/providers", "Providers & models");
    await page.getByRole("button", { name: "Add a provider" }).first().click();
    await page.getByRole("dialog").getByLabel("Provider").selectOption("custom");
    await page.getByRole("dialog").getByLabel("Id", { exact: true }).fill("my-server");
    await page.getByLabel("API key").fill("sk-a-secret-of-mine");
    await page.getByRole("dialog").getByLabel("Address").fill(`http://127.0.0.1:${upstream.port}/v1`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const card = page.locator(".provider-card", { hasText: "my-server" });
    await card.getByText("…mine").waitFor();
    await card.getByRole("button", { name: "Test" }).click();
    await card.getByText(/answers in \d+ ms, 1 model/).waitFor();
    expect(await page.content()).not.toContain("sk-a-secret");
    expect(await barriers()).toEqual([]);
    await card.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await card.waitFor({ state: "detached" });
    await upstream.stop(true);
  });

  test("the keyboard reaches the page's content past the menu, and Escape closes a dialog to where it came from", async () => {
    await open("/settings/keys", "Settings");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe("Skip to the page");
    await page.getByRole("button", { name: "Make a key" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate(() => document.activeElement!.closest("dialog") !== null)).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("a project without anything teaches the next step on every page", async () => {
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

  test("an address of a project or page that does not exist leads on", async () => {
    await page.goto("/dashboard/p/nowhere/test/calls");
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    expect(page.url()).not.toContain("nowhere");
    await page.goto(`${HOME}/timetable`);
    await page.getByText("There is no such page").waitFor();
  });

  test("what a tier does not hold is said with the way out", async () => {
    await gateway.key({ project: "small", tier: "free" });
    await page.goto("/dashboard/p/small/test/documents");
    await page.getByText("Not part of this project's tier").waitFor();
  });

  test("a user's data is deleted on request", async () => {
    await open("/calls?user_id=ada&start_date=2020-01-01", "Calls");
    await page.getByRole("button", { name: "Delete this user's data" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText(/calls? of ada deleted/).waitFor();
    await open("/calls?user_id=ada&start_date=2020-01-01", "Calls");
    await page.getByText("No call fits these filters").waitFor();
  });

  test("the browser had nothing to complain about", () => {
    // A refused schema, a tier's refusal and an empty session are answers the pages show; the browser lists them as failed loads.
    expect(complaints.filter((text) => !/status of (400|403|404)/.test(text))).toEqual([]);
  });

  test("signing out leads to the door", async () => {
    await open("/overview", "Overview");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${HOME}/calls`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await barriers()).toEqual([]);
  });
});

describe.skipIf(BROWSER_PATH === undefined)("the first run in a browser", () => {
  test("goes from the one-time link to a call that works as pasted", async () => {
    const gateway = await startGateway({ environment: { SIGNALBOX_ADMIN_PASSWORD: "" }, startsAtMs: Date.now() });
    const browser = await launchBrowser();
    try {
      await gateway.key({ project: "default" });
      const page = await browser.newPage({ baseURL: gateway.url });
      await page.goto("/dashboard");
      await page.getByText("No password yet").waitFor();
      const token = await createSetupToken(gateway.platform.db, gateway.clock.now());
      await page.goto(`/dashboard/setup?token=${token}`);
      await page.getByLabel("Password", { exact: true }).fill("a long enough password");
      await page.getByLabel("The same again").fill("a long enough password");
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByRole("heading", { name: "Getting started" }).waitFor();
      // The test's gateway knows of an Ollama that is not there.
      await page.locator(".provider-line", { hasText: "Ollama" }).getByText("no answer").waitFor();
      await page.getByRole("button", { name: "Make a test key and fill it in" }).click();
      const snippet = page.getByRole("region", { name: "curl" });
      await snippet.getByText(/Bearer pk_test_[0-9A-Za-z]{38}"/).waitFor();
      const key = /Bearer (pk_test_[0-9A-Za-z]{38})"/.exec((await snippet.textContent())!)![1]!;
      expect(await snippet.textContent()).toContain(`curl ${gateway.url}/v1/chat`);
      const answer = await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: "Hello" }] });
      expect(answer.status).toBe(200);
    } finally {
      await browser.close();
      await gateway.stop();
    }
  }, 60_000);
});
