/** Far from Greenwich: the days of the overview and of the filters are the API's, which are UTC, and other times say whose they are. */

import { expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { openContext } from "../support/browser.ts";
import { DEMO_HOME, describeDashboard } from "../support/demo-dashboard.ts";

const ZONES = ["Asia/Kolkata", "America/St_Johns", "UTC"];

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

const daysUnderTheChart = async (page: Page): Promise<string[]> => {
  await page.goto(`${DEMO_HOME}/overview?days=7`);
  await page.locator(".u-over").waitFor();
  await page.waitForFunction(() => (globalThis as any).drawn.length > 0);
  const drawn: { text: string; x: number }[] = await page.evaluate(() => (globalThis as any).drawn);
  return [...new Map(drawn.filter(({ text }) => /^\d+ \w+$/.test(text)).map((each) => [each.text, Math.round(each.x)]))]
    .sort((a, b) => a[1] - b[1])
    .map(([text, x]) => `${text} at ${x}`);
};

describeDashboard("time zones", (test) => {
  test("a bar stands over its own day, wherever the browser is", async ({ browser, gateway, page: signedIn }) => {
    const seen: string[][] = [];
    const storageState = await signedIn.context().storageState();
    for (const timezoneId of ZONES) {
      const context = await openContext(browser, gateway.url, { timezoneId, storageState });
      await listenToCanvas(context);
      const page = await context.newPage();
      seen.push(await daysUnderTheChart(page));
      await context.close();
    }
    expect(seen[2]!.length).toBe(7);
    expect(seen[0]).toEqual(seen[2]!);
    expect(seen[1]).toEqual(seen[2]!);
  });

  test("times say whose they are, and a day of the calendar is the same everywhere", async ({
    browser,
    gateway,
    page: signedIn,
  }) => {
    const { id, shutdownDate } = gateway.platform.catalog.chatModels().find((model) => model.shutdownDate !== undefined)!;
    const storageState = await signedIn.context().storageState();
    for (const timezoneId of ZONES) {
      const context = await openContext(browser, gateway.url, { timezoneId, storageState });
      const page = await context.newPage();
      await page.goto(`${DEMO_HOME}/calls`);
      await page.getByRole("columnheader", { name: "When (local)" }).waitFor();
      await page.goto(`${DEMO_HOME}/providers?find=${id}`);
      const ends = await page.locator("table.models .badge").first().textContent();
      expect([timezoneId, new Date(`${ends} UTC`).toISOString().slice(0, 10)]).toEqual([timezoneId, shutdownDate!]);
      await context.close();
    }
  });
});
