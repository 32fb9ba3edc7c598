/** The dashboard over a project with a few days of demo data, in a browser that is signed in and listens to what the browser complains of. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { demoData } from "../../src/cli/commands/demo-data.ts";
import { BROWSER_PATH, launchBrowser, openContext, settled, signInByForm } from "./browser.ts";
import { type Gateway, startGateway } from "./gateway.ts";

const AXE = await Bun.file(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js")).text();
export const DEMO_HOME = "/dashboard/p/demo/test";

type DemoDashboard = {
  gateway: Gateway;
  browser: Browser;
  page: Page;
  /** A path of the demo project, or one that begins with `/dashboard`; resolves once the page stands under that heading. */
  open(path: string, heading: string | RegExp): Promise<void>;
  /** As `open`, but by a link on the page, which is not loaded anew: for much that is looked at in turn. */
  follow(path: string, heading: string | RegExp): Promise<void>;
  /** Findings of axe on the page as it is; by all of its rules unless some are named. */
  barriers(rules?: readonly string[]): Promise<string[]>;
  /** What the keyboard reaches on the page, or in its dialog, without being seen there. */
  unseen(): Promise<string[]>;
  /** By how many pixels the page is wider than its window, once it has been drawn at its new width. */
  overflow(): Promise<number>;
  /** Listens to another page too. */
  watch(page: Page): void;
  /** Errors, blocked styles or scripts, requests to other hosts. */
  complaints(): string[];
  stop(): Promise<void>;
};

type DashboardTest = (name: string, run: (demo: DemoDashboard) => Promise<void>) => void;

/** A `describe` whose tests share one dashboard and are handed it; where no browser is found they are skipped, and that is said. */
export const describeDashboard = (what: string, tell: (test: DashboardTest) => void): void => {
  if (BROWSER_PATH === undefined) console.warn(`Skipped: ${what}, because no chromium is installed (apt-get install chromium).`);
  setDefaultTimeout(60_000);
  describe.skipIf(BROWSER_PATH === undefined)(what, () => {
    let demo: DemoDashboard;
    beforeAll(async () => {
      demo = await openDemoDashboard();
    }, 120_000);
    afterAll(() => demo?.stop());
    tell((name, run) => test(name, () => run(demo)));
    test("the browser had nothing to complain about", () => {
      expect(demo.complaints()).toEqual([]);
    });
  });
};

const openDemoDashboard = async (): Promise<DemoDashboard> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-pages-"));
  const environment = { LOG_LEVEL: "silent", OLLAMA_HOST: "127.0.0.1:1" };
  await demoData(
    { values: { db: join(folder, "signalbox.db"), days: "4", "calls-per-day": "12", json: true }, positionals: [] },
    environment,
  );
  // The pages go by the browser's clock, and the demo data by the machine's.
  const gateway = await startGateway({ folder, startsAtMs: Date.now() });
  const browser = await launchBrowser();
  const page = await (await openContext(browser, gateway.url)).newPage();
  const heard: string[] = [];
  const watch = (watched: Page): void => {
    watched.on("pageerror", (error) => heard.push(error.message));
    watched.on("console", (message) => message.type() === "error" && heard.push(message.text()));
    watched.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== gateway.url) heard.push(`request to ${origin}`);
    });
  };
  watch(page);
  await signInByForm(page);
  const arrived = async (heading: string | RegExp) => {
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await settled(page);
  };
  const addressOf = (path: string) => (path.startsWith("/dashboard") ? path : DEMO_HOME + path);
  return {
    gateway,
    browser,
    page,
    open: async (path, heading) => {
      await page.goto(addressOf(path));
      await arrived(heading);
    },
    follow: async (path, heading) => {
      await page.evaluate((href) => {
        const link = document.body.appendChild(Object.assign(document.createElement("a"), { href }));
        link.click();
        link.remove();
      }, addressOf(path));
      await arrived(heading);
    },
    barriers: (rules) => barriersOn(page, rules),
    unseen: () => unseenOn(page),
    overflow: () => overflowOf(page),
    watch,
    // A refused schema, a tier's refusal, an empty session, a decision without a provider and a request that a test cuts off are answers
    // the pages show; the browser lists them as failed loads.
    complaints: () => heard.filter((text) => !/status of (400|403|404|502|503)|ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(text)),
    stop: async () => {
      await browser.close();
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const barriersOn = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  if (await page.evaluate(() => (globalThis as any).axe === undefined)) await page.evaluate(AXE);
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as any).axe.run(document, {
      resultTypes: ["violations"],
      ...(runOnly && { runOnly }),
    });
    return violations.map(
      ({ id, nodes }: any) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }: any) => html.slice(0, 140))
          .join(" | ")}`,
    );
  }, rules);
  return found as string[];
};

/** Focuses each control in turn: it, or what stands for it, must have an outline and lie uncovered in the window. */
const unseenOn = async (page: Page): Promise<string[]> => {
  // Browsers outline what a script focuses only for people who use the keyboard.
  await page.keyboard.press("Shift");
  return page.evaluate(() => {
    const reachable = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex='0']";
    const isOutlined = (one: Element | null) => one !== null && getComputedStyle(one).outlineStyle !== "none";
    const isUncovered = (one: Element | null) => {
      const { left, right, top, bottom } = one!.getClientRects()[0]!;
      const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
      return one!.contains(document.elementFromPoint((left + right) / 2, middle));
    };
    const around = document.querySelector("dialog[open]") ?? document;
    return [...around.querySelectorAll<HTMLElement>(reachable)]
      .filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => {
        one.focus();
        return ![one, one.parentElement, one.nextElementSibling].some((shown) => isOutlined(shown) && isUncovered(shown));
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 140));
  });
};

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  });
