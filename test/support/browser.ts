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
  await context.addInitScript(countRequests);
  return context;
};

/** Runs in the page, before its own scripts: counts what is asked of the server and has not been read to its end. */
const countRequests = (): void => {
  let open = 0;
  const counted = (original: (...given: any[]) => Promise<unknown>) =>
    async function (this: unknown, ...given: any[]): Promise<unknown> {
      open++;
      try {
        return await original.apply(this, given);
      } finally {
        open--;
      }
    };
  const page = globalThis as any;
  page.openRequests = () => open;
  page.fetch = counted(page.fetch);
  for (const read of ["arrayBuffer", "blob", "json", "text"])
    page.Response.prototype[read] = counted(page.Response.prototype[read]);
};

/** Resolves once the page, which must be of `openContext`, asks for nothing more and has been drawn with what came. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let quietFrames = 0; quietFrames < 3; ) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      quietFrames = (globalThis as any).openRequests() === 0 ? quietFrames + 1 : 0;
    }
  });

/** Signs in by the page's own form, and waits for the dashboard behind it. */
export const signInByForm = async (page: Page): Promise<void> => {
  await page.goto("/dashboard/login");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
};
