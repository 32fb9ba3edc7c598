/** What a project keeps: documents, policies and schemas, made, tried and changed by hand. */

import { expect } from "bun:test";
import { settled } from "../support/browser.ts";
import { describeDashboard } from "../support/demo-dashboard.ts";

describeDashboard("documents, policies and schemas in the dashboard", (test) => {
  test("who is led to the templates for policies begins at the first of them", async ({ page, open }) => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/v1/policies/templates", (route) => asked.then(() => route.continue()));
    const opened = open("/policies?add=true", "Policies");
    await page.getByText("In this order").waitFor();
    answer();
    await opened;
    const first = page.getByRole("dialog").getByRole("link").first();
    await first.waitFor();
    expect(await first.evaluate((link) => link === document.activeElement)).toBe(true);
    expect(await first.textContent()).toStartWith("Budget mode");
    await page.unrouteAll();
  });

  test("a dropped document becomes ready and is found by the tester", async ({ page, open }) => {
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

  test("a file that is refused says why, also on a phone", async ({ page, open, overflow }) => {
    await page.setViewportSize({ width: 380, height: 780 });
    await open("/documents", "Documents");
    const name = `${"a-long-name-".repeat(8)}.exe`;
    await page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from("MZ") });
    await page.getByText(`${name}: This kind of file is not supported`).waitFor();
    expect(await overflow()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test("a policy is tried on past calls, saved, moved by keys and switched off", async ({ page, open }) => {
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
    // The new order is shown at once, and stored in several requests.
    await settled(page);
    await page.getByRole("switch", { name: "Use No OpenAI" }).click();
    await page.getByText("No OpenAI is off.").waitFor();
    await page.reload();
    await page.getByRole("link", { name: "No OpenAI" }).waitFor();
    expect((await names()).indexOf("No OpenAI")).toBe(before - 1);
    expect(await page.getByRole("switch", { name: "Use No OpenAI" }).isChecked()).toBe(false);
  });

  test("of a policy that two tabs edit, what each of them changed is kept", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "two tabs" });
    const policies = async (method: string, path: string, body?: object) =>
      (await (await gateway.send(key, method, `/v1/policies${path}`, body)).json()) as any;
    const config = { cost_ceiling_usd: 0.5, model_block_list: ["gpt-4o"] };
    const { id } = await policies("POST", "", { name: "Shared", policy_type: "routing", config });
    await open(`/dashboard/p/two tabs/test/policies/${id}`, "Shared");
    await policies("PATCH", `/${id}`, { name: "Renamed", config: { cost_ceiling_usd: 0.1 } });
    await page.getByLabel("Latency target (ms)").fill("900");
    await page.getByRole("button", { name: "Remove gpt-4o" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
    const [stored] = (await policies("GET", "")).policies;
    expect(stored).toMatchObject({ name: "Renamed", config: { cost_ceiling_usd: 0.1, latency_target_ms: 900 } });
    expect(stored.config.model_block_list).toBeUndefined();
  });

  test("a schema is written, tried and saved", async ({ page, open }) => {
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

  test("what is missing or wrong is said beside its field", async ({ page, open }) => {
    await open("/policies/new?type=routing", "New policy");
    await page.getByLabel("Only these providers").fill("opnai");
    await page.keyboard.press("Enter");
    await page.getByText("There is no provider “opnai” here.").waitFor();
    const blocked = page.getByLabel("Never these models");
    await blocked.fill("gpt-4o, openai/GPT-4.1,");
    const warned = page.getByText(/is no chat model's id here/);
    expect(await warned.count()).toBe(0);
    await blocked.fill("gpt4o,");
    await page.getByText("“gpt4o” is no chat model's id here.").waitFor();
    await page.getByRole("button", { name: "Remove gpt4o" }).click();
    await warned.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".field", { hasText: "Give it a name." }).getByLabel("Name").fill("A name");
    expect(await page.getByText("Give it a name.").count()).toBe(0);
    await page.getByLabel("Cost ceiling a call (USD)").fill("-1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".field", { hasText: "must be a number from 0" }).getByLabel("Cost ceiling a call (USD)").waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await open("/schemas/new", "New schema");
    await page.getByLabel("Slug").fill("Ä slug");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".field", { hasText: "Give it a name." }).getByLabel("Name").fill("Invoice");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".field", { hasText: "Up to 100 letters" }).getByLabel("Slug").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Invoice" }).waitFor();
  });

  test("what is not saved is not left without being asked, by whichever way", async ({ page, open }) => {
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    const stay = async () => {
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toEndWith("/policies/new");
      expect(await page.getByLabel("Name").inputValue()).toBe("Half a rule");
    };
    await open("/policies", "Policies");
    await page.getByRole("button", { name: "New policy" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "From scratch" }).first().click();
    await page.getByRole("heading", { level: 1, name: "New policy" }).waitFor();
    await page.getByLabel("Name").fill("Half a rule");
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Schemas" }).click();
    await stay();
    await page.getByRole("radio", { name: "Live" }).click({ force: true });
    await stay();
    expect(await page.getByRole("radio", { name: "Test" }).isChecked()).toBe(true);
    await page.goBack();
    await stay();
    await page.goBack();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
    // Left once and for all: what follows is not asked about. Back led to the templates, from where the page was opened.
    const templates = page.getByRole("dialog", { name: "New policy" });
    await templates.waitFor();
    await page.keyboard.press("Escape");
    await templates.waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Schemas" }).click();
    await page.getByRole("heading", { level: 1, name: "Schemas" }).waitFor();
    expect(await question.count()).toBe(0);
  });

  test("what is saved, or as it was, is left without a question", async ({ page, open }) => {
    await open("/schemas", "Schemas");
    await page.locator("a.row-link").first().click();
    const description = page.getByLabel("Description");
    const before = await description.inputValue();
    await description.fill("Something else");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/is saved\./).waitFor();
    await description.fill(before);
    await description.fill("Something else");
    const asked: string[] = [];
    page.once("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    await page.getByRole("link", { name: "All schemas" }).click();
    await page.getByRole("heading", { level: 1, name: "Schemas" }).waitFor();
    expect(asked).toEqual([]);
    await page.locator("a.row-link").first().click();
    await page.getByLabel("Description").fill("Lost?");
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
  });

  test("a click beside a form takes nothing of it away", async ({ page, open }) => {
    await open("/settings/keys?new=true", "Settings");
    await page.getByLabel("What is it for?").fill("a key in the making");
    await page.mouse.click(4, 4);
    expect(await page.getByLabel("What is it for?").inputValue()).toBe("a key in the making");
    await page.getByRole("button", { name: "Cancel" }).click();
  });
});
