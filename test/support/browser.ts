/** A real browser for the dashboard's tests: Debian's chromium through playwright-core. Undefined where none is installed. */

import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { PASSWORD } from "./dashboard.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const BROWSER_PATH = PLACES.find((path) => existsSync(path));

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: BROWSER_PATH!, headless: true, args: FLAGS });

/** A context of its own, on this server. How slow a page may be on a busy machine is not what is put to the test. */
export const openContext = async (
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, baseURL, ...options });
  context.setDefaultTimeout(45_000);
  return context;
};

/** Signs in by the page's own form, and waits for the dashboard behind it. */
export const signInByForm = async (page: Page): Promise<void> => {
  await page.goto("/dashboard/login");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
};
