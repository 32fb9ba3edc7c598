/** The dashboard under a path of another site, whether or not the proxy takes that path away. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { loadAssets } from "../../src/dashboard/assets.ts";
import { BROWSER_PATH, launchBrowser, openContext, settled } from "../support/browser.ts";
import { operatorOf, PASSWORD } from "../support/dashboard.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";

setDefaultTimeout(60_000);

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ environment: { SIGNALBOX_PUBLIC_URL: "https://tools.example.com/signal/box" } });
  await gateway.key({ project: "west", mode: "test" });
});
afterAll(() => gateway.stop());

test("pages and files are found with the path and without it", async () => {
  const index = await fetch(`${gateway.url}/signal/box`, { redirect: "manual" });
  expect(index.headers.get("location")).toBe("/signal/box/dashboard");
  for (const path of ["/dashboard", "/signal/box/dashboard"]) {
    const page = await (await fetch(gateway.url + path)).text();
    const [, script] = /src="(\/signal\/box\/dashboard\/assets\/[^"]+\.js)"/.exec(page)!;
    for (const address of [script!, script!.slice("/signal/box".length)])
      expect((await fetch(gateway.url + address)).headers.get("content-type")).toContain("javascript");
  }
  const { servers } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { servers: unknown };
  expect(servers).toEqual([{ url: "/signal/box" }]);
  for (const path of ["/docs", "/docs/", "/signal/box/docs/"])
    expect(await (await fetch(gateway.url + path)).text()).toContain('href="/signal/box/openapi.json"');
});

test("a path may have any character that a URL's may", async () => {
  const { html } = await loadAssets("/a$&$1");
  expect(html).toContain('<html data-base-path="/a$&amp;$1"');
  expect(html).toMatch(/src="\/a\$&amp;\$1\/dashboard\/assets\/[^"]+\.js"/);
});

test("an older browser's pages are known by the public address, whatever the proxy calls this server", async () => {
  const from = (origin: string) => operatorOf(gateway, "").send("POST", "/login", { password: PASSWORD }, { origin });
  expect((await from("https://tools.example.com")).status).toBe(200);
  expect((await from("https://tools.example.org")).status).toBe(403);
});

test("the API answers below the path", async () => {
  const key = await gateway.key({ project: "west", mode: "test" });
  const answer = await gateway.send(key, "POST", "/signal/box/v1/chat", { messages: [{ role: "user", content: "hi" }] });
  expect(answer.status).toBe(200);
});

describe.skipIf(BROWSER_PATH === undefined)("in a browser", () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await (await openContext(browser, gateway.url)).newPage();
    page.on("pageerror", (error) => void complaints.push(error.message));
    page.on("response", (response) => void (response.status() >= 400 && complaints.push(response.url())));
  });
  afterAll(() => browser.close());

  test("every address that the pages use has the path", async () => {
    await page.goto("/dashboard");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.waitFor();
    // On the server's own address the page goes to the one with the path.
    await page.goto("/dashboard/p/west/test/start");
    await pages.waitFor();
    await settled(page);
    expect(await page.locator("pre", { hasText: "curl" }).textContent()).toContain(`${gateway.url}/signal/box/v1/chat`);
    await pages.getByRole("link", { name: "Media" }).click();
    await page.getByLabel("Prompt").first().fill("A red fox");
    await page.getByRole("button", { name: "Draw" }).click();
    const picture = page.locator('img[src*="/v1/files/"]').first();
    await picture.waitFor();
    await page.reload();
    await settled(page);
    const addresses = await page
      .locator("a[href]")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
    expect(
      [page.url(), ...addresses.map((path) => gateway.url + path)].filter((url) => !url.startsWith(`${gateway.url}/signal/box/`)),
    ).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
