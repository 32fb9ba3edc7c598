/** The first run: from the one-time link to an answered call. */

import { describe, expect, test } from "bun:test";
import { insertMember } from "../../src/accounts/member-store.ts";
import { createSetupToken } from "../../src/accounts/operator.ts";
import { byCommand } from "../../src/history/author.ts";
import { BROWSER_PATH, launchBrowser } from "../support/browser.ts";
import { startGateway } from "../support/gateway.ts";

if (BROWSER_PATH === undefined)
  console.warn("Skipped: the first run in a browser, because no chromium is installed (apt-get install chromium).");

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
      // Members may have been invited from the command line.
      await insertMember(gateway.platform.db, byCommand(gateway.clock.now()), "ann", "admin");
      await page.goto("/dashboard/login");
      await page.getByLabel("Name").waitFor();
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
