/** What a person does by hand, one key at a time: what stands in a field or a switch is what was typed, and what holds. */

import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { changeProject, findProjectByName } from "../../src/accounts/store.ts";
import { byCommand } from "../../src/history/author.ts";
import { settled } from "../support/browser.ts";
import { DEMO_HOME, describeDashboard } from "../support/demo-dashboard.ts";

/** `fill` would set the whole text at once, which no person does. */
const typeInto = async (field: Locator, text: string): Promise<string> => {
  await field.fill("");
  await field.pressSequentially(text);
  return field.inputValue();
};

const focused = (page: Page): Promise<string | null> => page.evaluate(() => document.activeElement!.getAttribute("aria-label"));

const isFocused = (element: Locator): Promise<boolean> => element.evaluate((one) => one === document.activeElement);

describeDashboard("controls of the dashboard", (test) => {
  test("an amount is kept as it is typed, digit by digit", async ({ page, open }) => {
    const places = [
      ["/policies/new?type=routing", "New policy", "Cost ceiling a call (USD)"],
      ["/playground", "Playground", "Cost ceiling (USD)"],
      ["/settings/keys?new=true", "Settings", "Budget (USD)"],
    ] as const;
    for (const [path, heading, label] of places) {
      await open(path, heading);
      for (const text of ["1.50", "0.05", "0.00000051", "1000000"])
        expect([label, await typeInto(page.getByLabel(label), text)]).toEqual([label, text]);
    }
  });

  test("a ceiling that is typed is the ceiling that is saved", async ({ page, open, gateway }) => {
    const key = await gateway.key({ project: "demo" });
    await open("/policies/new?type=routing", "New policy");
    await page.getByLabel("Name").fill("Half a cent");
    await typeInto(page.getByLabel("Cost ceiling a call (USD)"), "0.005");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("at most $0.005 a call").waitFor();
    const { policies } = await (await gateway.send(key, "GET", "/v1/policies")).json();
    expect(policies.find(({ name }: any) => name === "Half a cent").config.cost_ceiling_usd).toBe(0.005);
  });

  test("what is no number is told at its field, and neither saved nor asked with as if the field were empty", async ({
    gateway,
    page,
    open,
  }) => {
    // Firefox and Safari let any text into such a field, Chromium this one.
    const key = await gateway.key({ project: "demo" });
    await open("/policies/new?type=routing", "New policy");
    await page.getByLabel("Name").fill("A slip of the finger");
    const ceiling = page.getByLabel("Cost ceiling a call (USD)");
    await ceiling.pressSequentially("1-5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This is not a number.").waitFor();
    expect(await isFocused(ceiling)).toBe(true);
    await ceiling.press("Tab");
    expect(await ceiling.getAttribute("aria-invalid")).toBe("true");
    await typeInto(ceiling, "1.5");
    expect(await page.getByText("This is not a number.").count()).toBe(0);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("A slip of the finger is saved").waitFor();
    const { policies } = await (await gateway.send(key, "GET", "/v1/policies")).json();
    const stored = policies.filter(({ name }: any) => name === "A slip of the finger");
    expect(stored.map(({ config }: any) => config.cost_ceiling_usd)).toEqual([1.5]);

    await open("/playground", "Playground");
    await page.getByLabel("Your message").fill("Hello");
    await page.getByLabel("Cost ceiling (USD)").pressSequentially("1-5");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("This is not a number.").waitFor();
    await settled(page);
    expect(await page.getByRole("button", { name: "Start over" }).count()).toBe(0);
  });

  test("a filter's amount is typed as it is, and stands in the address without an exponent", async ({ page, open }) => {
    await open("/calls?min_cost=0", "Calls");
    expect(await typeInto(page.getByLabel("At least (USD)"), "0.00000051")).toBe("0.00000051");
    await page.waitForURL(/min_cost=0\.00000051$/);
    await page.reload();
    await page.getByLabel("At least (USD)").waitFor();
    expect(await page.getByLabel("At least (USD)").inputValue()).toBe("0.00000051");
  });

  test("a choice that an address names is shown, also where nothing offers it", async ({ page, open }) => {
    await open("/playground?model=one-that-is-gone", "Playground");
    const shown = await page.getByLabel("Model", { exact: true }).evaluate((select: any) => select.selectedOptions[0].text);
    expect(shown).toBe("one-that-is-gone");
  });

  test("what could not be switched goes back to what holds", async ({ page, open }) => {
    const refuse = (path: RegExp) =>
      page.route(path, (route) => (route.request().method() === "GET" ? route.continue() : route.abort()));
    await open("/providers?find=gpt-4o-mini", "Providers & models");
    await refuse(/api\/models$/);
    const model = page.getByRole("switch", { name: "Use gpt-4o-mini" });
    await page.locator("label.switch", { hasText: "Use gpt-4o-mini" }).click();
    await page.getByText("Signalbox cannot be reached").waitFor();
    await page.waitForFunction(() => !document.querySelector("table.models .switch input:not(:checked)"));
    expect(await model.isChecked()).toBe(true);
    // It can be read for as long as that takes.
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("Signalbox cannot be reached").waitFor({ state: "detached" });
    await refuse(/api\/projects\//);
    await open("/settings/log", "Settings");
    await page.getByLabel("Keep prompts and answers in the log").click();
    await page.getByText("Signalbox cannot be reached").waitFor();
    await page.waitForFunction(() => !document.querySelector("main input[type=checkbox]:not(:checked)"));
    await open("/settings/projects", "Settings");
    const tier = page.getByLabel("Tier of demo");
    await tier.selectOption("free");
    await page.waitForFunction(() => document.querySelector<any>("select[aria-label='Tier of demo']").value === "enterprise");
    await page.unrouteAll();
    await page.getByLabel("Tier of demo").selectOption("team");
    await page.getByText("demo is on team now.").waitFor();
    expect(await tier.inputValue()).toBe("team");
    await tier.selectOption("enterprise");
    await page.getByText("demo is on enterprise now.").waitFor();
  });

  test("limits of two groups that two people set at once both hold", async ({ gateway, page, open }) => {
    const { project } = await gateway.key({ project: "limited twice" });
    await open("/dashboard/p/limited twice/test/settings/limits", "Settings");
    await page.getByRole("button", { name: "Change the limits of embeddings" }).click();
    const settings = { limits: { chat: { perDay: 9 } } };
    await changeProject(gateway.platform.db, byCommand(gateway.clock.now()), project.id, () => ({ settings }));
    await page.getByRole("dialog").getByLabel("A day").fill("7");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    for (const [group, limit] of [
      ["embeddings", "0 of 7"],
      ["chat", "0 of 9"],
    ] as const)
      await page
        .locator("tr", { hasText: new RegExp(`^${group}`) })
        .locator("td.used")
        .getByText(limit)
        .waitFor();
  });

  test("a limit that is set or taken away stands at once beside what was used of it", async ({ page, open }) => {
    await open("/settings/limits", "Settings");
    const used = page.locator("tr", { hasText: /^embeddings/ }).locator("td.used");
    expect(await used.textContent()).toBe("0");
    await page.getByRole("button", { name: "Change the limits of embeddings" }).click();
    await page.getByRole("dialog").getByLabel("A day").fill("7");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await used.getByText("0 of 7").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Change the limits of embeddings" }).click();
    await page.getByRole("button", { name: "Back to the tier's" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await used.textContent()).toBe("0");
  });

  test("the project's budget is set, shown beside what was spent of it, and taken away", async ({ gateway, page, open }) => {
    await open("/settings/limits", "Settings");
    const card = page.locator("section", { hasText: "Budget of the project" });
    await card.getByLabel("USD").fill("12.5");
    await card.getByLabel("For").selectOption("In total");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("spent (test)").waitFor();
    const settings = async () => (await findProjectByName(gateway.platform.db, "demo"))!.settings;
    expect((await settings()).budget).toEqual({ nanoUsd: 12_500_000_000, period: "total" });
    await card.getByLabel("USD").fill("");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("spent (test)").waitFor({ state: "detached" });
    expect(await settings()).not.toHaveProperty("budget");
  });

  test("a group's limits are those that are counted for it", async ({ page, open }) => {
    await open("/settings/limits", "Settings");
    const cells = page.locator("tr", { hasText: /^streams/ }).locator("td.number");
    expect(await cells.allTextContents()).toEqual(["–", "–", "no limit"]);
    await page.getByRole("button", { name: "Change the limits of streams" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("At once").waitFor();
    expect(await dialog.getByRole("spinbutton").count()).toBe(1);
  });

  test("a name that cannot be is refused in words, beside its field", async ({ page, open }) => {
    await open("/settings/keys?new=true", "Settings");
    await page.getByLabel("What is it for?").fill("k".repeat(101));
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("The name must be one line of 1 to 100 characters").waitFor();
    expect(await page.getByLabel("What is it for?").getAttribute("aria-invalid")).toBe("true");
  });

  test("what is wrong with a provider is said beside the field, in words", async ({ page, open }) => {
    await open("/providers?add=true", "Providers & models");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Provider").selectOption("custom");
    const id = dialog.getByLabel("Id", { exact: true });
    const address = dialog.getByLabel("Address", { exact: true });
    const add = dialog.getByRole("button", { name: "Add" });
    await id.fill("my server");
    await address.fill("http://127.0.0.1:1/v1");
    await add.click();
    await dialog.getByText("A provider's id is made").waitFor();
    expect(await id.getAttribute("aria-invalid")).toBe("true");
    await id.fill("my-server");
    await address.fill("ftp://127.0.0.1:1/v1");
    await add.click();
    await dialog.getByText("An address must begin with http:// or https://").waitFor();
    expect(await address.getAttribute("aria-invalid")).toBe("true");
  });

  test("what a dialog could not do is said in it", async ({ page, open }) => {
    await open("/settings/limits", "Settings");
    const dialog = page.getByRole("dialog");
    await page.route(/api\/projects\//, (route) => (route.request().method() === "GET" ? route.continue() : route.abort()));
    for (const name of ["Save", "Back to the tier's"]) {
      await page.getByRole("button", { name: "Change the limits of embeddings" }).click();
      await dialog.getByLabel("A day").fill("7");
      await dialog.getByRole("button", { name }).click();
      await dialog.getByText("Signalbox cannot be reached").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    await open("/settings/keys", "Settings");
    await page.getByRole("button", { name: "Revoke demo data" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await dialog.getByText("Signalbox cannot be reached").waitFor();
    await page.unrouteAll();
  });

  test("what fails after its question was closed is said all the same", async ({ page, open }) => {
    await open("/settings/keys", "Settings");
    const { promise: isClosed, resolve: refuse } = Promise.withResolvers<void>();
    await page.route(/\/keys\/key_/, async (route) => {
      await isClosed;
      await route.abort();
    });
    await page.getByRole("button", { name: "Revoke demo data" }).click();
    const dialog = page.getByRole("dialog");
    const asked = page.waitForRequest((request) => request.method() === "DELETE");
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await asked;
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    refuse();
    await page.locator(".toast.red", { hasText: "Signalbox cannot be reached" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.unrouteAll({ behavior: "wait" });
  });

  test("a name that begins with another that is suggested is typed to its end", async ({ page, open }) => {
    await open("/policies/new?type=routing", "New policy");
    const field = page.getByLabel("Only these models");
    await page.locator("datalist option[value='gpt-4o']").first().waitFor({ state: "attached" });
    await field.pressSequentially("gpt-4o-mini");
    await field.press("Enter");
    await page.getByRole("button", { name: "Remove gpt-4o-mini" }).waitFor();
    expect(await page.locator(".token").allTextContents()).toEqual(["gpt-4o-mini"]);
  });

  test("a key that is shown once is copied also where the browser has no clipboard", async ({ page, open }) => {
    await open("/settings/keys?new=true", "Settings");
    // As over http from another machine.
    await page.evaluate(() => Object.defineProperty(window, "isSecureContext", { value: false }));
    await page.getByLabel("What is it for?").fill("by plain http");
    await page.getByRole("button", { name: "Make the key" }).click();
    const copy = page.getByRole("button", { name: "Copy key" });
    // It is said for a moment only.
    await Promise.all([page.getByText("Copied").waitFor(), copy.click()]);
    const made = await page.locator(".key-line code").textContent();
    await page.getByRole("button", { name: "I have kept it" }).click();
    await open("/playground", "Playground");
    const message = page.getByLabel("Your message");
    await message.fill("");
    await message.press("Control+V");
    expect(await message.inputValue()).toBe(made!);
    await message.fill("");
  });

  test("a double click asks once, and does not stop the answer", async ({ page, open }) => {
    let asked = 0;
    await page.route("**/v1/chat/stream", (route) => {
      asked++;
      return route.continue();
    });
    await open("/playground?prompt=Hello", "Playground");
    await page.getByRole("button", { name: "Ask", exact: true }).dblclick();
    await page.getByText("done", { exact: true }).waitFor();
    expect(asked).toBe(1);
    await page.unrouteAll();
  });

  test("whoever switches the mode by the keyboard stays at the switch", async ({ page, open }) => {
    await open("/calls", "Calls");
    await page.getByRole("radio", { name: "Test" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL("**/p/demo/live/calls");
    await settled(page);
    expect(await isFocused(page.getByRole("radio", { name: "Live" }))).toBe(true);
    expect(await page.title()).toBe("Calls · Signalbox");
    await open("/settings/limits", "Settings");
    expect(await page.title()).toBe("Limits & usage · Settings · Signalbox");
  });

  test("what was wrong with a schema is forgotten once it is another", async ({ page, open }) => {
    await open("/schemas/new", "New schema");
    await page.getByLabel("Name").fill("Delay");
    await page.getByLabel("JSON Schema").fill('{"type": "nonsense"}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The schema is not usable").waitFor();
    await page.getByLabel("JSON Schema").fill('{"type": "object"}');
    await page.getByText("The schema is not usable").waitFor({ state: "detached" });
  });

  test("whoever moves a policy by the keyboard stays with it", async ({ page, open, gateway }) => {
    const key = await gateway.key({ project: "order" });
    for (const name of ["one", "two", "three"])
      await gateway.send(key, "POST", "/v1/policies", { name, policy_type: "routing", config: {} });
    await open("/dashboard/p/order/test/policies", "Policies");
    const names = () => page.locator(".policy-name a").allTextContents();
    const first = (await names())[0]!;
    await page.getByRole("button", { name: `Move ${first} down` }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction((name) => document.querySelectorAll(".policy-name a")[1]!.textContent === name, first);
    expect(await focused(page)).toBe(`Move ${first} down`);
    await settled(page);
    await page.keyboard.press("Enter");
    await page.waitForFunction((name) => document.querySelectorAll(".policy-name a")[2]!.textContent === name, first);
    // It goes no further down: the way back has the focus.
    expect(await focused(page)).toBe(`Move ${first} up`);
  });

  test("a policy that is dragged is stored where it was dropped, and carries what WebKit asks of a drag", async ({
    gateway,
    page,
    open,
  }) => {
    const key = await gateway.key({ project: "dragged" });
    for (const name of ["one", "two", "three"])
      await gateway.send(key, "POST", "/v1/policies", { name, policy_type: "routing", config: {} });
    await open("/dashboard/p/dragged/test/policies", "Policies");
    const names = () => page.locator(".policy-name a").allTextContents();
    const [first, second, third] = await names();
    await page.evaluate(() =>
      addEventListener("dragstart", ({ dataTransfer }: any) => {
        document.title = dataTransfer.types.join();
      }),
    );
    const rows = page.locator(".policy-list li");
    const stored = page.waitForResponse((response) => response.request().method() === "PATCH");
    await rows.nth(0).locator(".grip").hover();
    await page.mouse.down();
    for (const at of [1, 2]) {
      const { x, y } = (await rows.nth(at).boundingBox())!;
      await page.mouse.move(x + 20, y + 20, { steps: 5 });
    }
    await page.mouse.up();
    await stored;
    expect(await page.title()).toBe("text/plain");
    await settled(page);
    await open("/dashboard/p/dragged/test/policies", "Policies");
    expect(await names()).toEqual([second!, third!, first!]);
  });

  test("the Enter that ends a composed word does not add it to a list before it is complete", async ({ page, open }) => {
    await open("/policies/new?type=routing", "New policy");
    const field = page.getByLabel("Only these models");
    await field.fill("モデル");
    // As browsers send it for the first Enter of Japanese, with which the word is chosen.
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await settled(page);
    expect(await page.locator(".token").count()).toBe(0);
    await field.press("Enter");
    await page.getByRole("button", { name: "Remove モデル" }).waitFor();
  });

  test("the keyboard is not sent to the head of the page by what it pressed", async ({ gateway, page, open }) => {
    await open("/policies/new?type=routing", "New policy");
    const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/policies\/dry-run/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.getByRole("button", { name: "Run", exact: true }).focus();
    await page.keyboard.press("Enter");
    // A disabled button gives the focus away with the next frame.
    await page.waitForFunction(() => document.activeElement === document.body);
    answer();
    await page.getByText("would have changed").or(page.getByText("would not have gone")).waitFor();
    expect(await isFocused(page.getByRole("button", { name: "Run again" }))).toBe(true);
    const providers = page.getByLabel("Never these providers");
    for (const name of ["openai", "anthropic"]) {
      await providers.fill(name);
      await page.keyboard.press("Enter");
    }
    await page.getByRole("button", { name: "Remove openai" }).focus();
    await page.keyboard.press("Enter");
    expect(await isFocused(providers)).toBe(true);
    const key = await gateway.key({ project: "two-pages" });
    const hello = { model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello" }] };
    // One more than a page holds.
    await Promise.all(Array.from({ length: 51 }, () => gateway.send(key, "POST", "/v1/chat", hello)));
    await open("/dashboard/p/two-pages/test/calls", "Calls");
    const next = page.getByRole("button", { name: "Next" });
    await next.focus();
    while ((await next.getAttribute("aria-disabled")) === "false") {
      const { href } = new URL(page.url());
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.href !== href);
      await settled(page);
    }
    expect(await isFocused(next)).toBe(true);
  });

  test("who presses what is gone afterwards goes on from where it stood", async ({ page, open }) => {
    const press = async (name: string | RegExp, next: Locator) => {
      const button = page.getByRole("button", { name });
      await button.focus();
      await page.keyboard.press("Enter");
      await button.waitFor({ state: "detached" });
      await next.evaluate(async (one) => {
        while (document.activeElement === document.body) await new Promise(requestAnimationFrame);
        if (document.activeElement !== one) throw new Error(`The focus is on ${document.activeElement!.outerHTML.slice(0, 200)}`);
      });
    };
    await open("/playground?prompt=Hello", "Playground");
    const message = page.getByLabel("Your message");
    await press("An example", page.getByLabel("Tools", { exact: true }));
    await page.getByLabel("Tools", { exact: true }).fill("");
    await message.press("Control+Enter");
    await page.getByText("done", { exact: true }).waitFor();
    await press("Continue from here", message);
    await press("Start over", message);
    await press("Write a TypeScript function that checks an IBAN.", message);
    await open("/start", "Getting started");
    await press(/^Make a test key/, page.locator(".key-line").getByRole("button", { name: "Copy" }));
    await open("/calls?task_type=code", "Calls");
    await press("Clear", page.getByRole("button", { name: "More filters" }));
  });

  test("a question about something with a long name can be read whole", async ({ page, open }) => {
    await open(`/calls?user_id=${"u".repeat(200)}`, "Calls");
    await page.getByRole("button", { name: "Delete this user's data" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("the live tail waits for an answer that takes longer than its beat", async ({ page, open }) => {
    await page.clock.install();
    await open("/calls", "Calls");
    const held: (() => void)[] = [];
    const asked = /v1\/logs\?/;
    const { promise: isAsked, resolve: sayAsked } = Promise.withResolvers<void>();
    await page.route(asked, async (route) => {
      sayAsked();
      await new Promise<void>((release) => held.push(release));
      await route.continue();
    });
    await page.locator("label.switch", { hasText: "Live tail" }).click();
    const refreshed = page.waitForResponse(asked);
    await page.clock.runFor(2_000);
    await isAsked;
    for (let beat = 0; beat < 4; beat++) await page.clock.runFor(2_000);
    expect(held.length).toBe(1);
    held[0]!();
    expect((await refreshed).ok()).toBe(true);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.clock.resume();
  });

  test("a refresh that failed takes nothing away that is being typed", async ({ page, open }) => {
    await open("/documents", "Documents");
    await page.getByLabel("Question").fill("How many bags");
    await page.route(/v1\/documents\?/, (route) => route.abort());
    await page.getByLabel("Collection", { exact: true }).selectOption({ index: 1 });
    await page.getByText("Signalbox cannot be reached").waitFor();
    expect(await page.getByLabel("Question").inputValue()).toBe("How many bags");
    await page.unrouteAll();
  });

  test("the way out of a failure stays on its line where the failure is told in several", async ({ page, open }) => {
    await page.route(/v1\/memory\?/, (route) => route.abort());
    await open("/sessions", "Sessions");
    const retry = page.getByRole("button", { name: "Try again" });
    const { height } = (await retry.boundingBox())!;
    await page.setViewportSize({ width: 380, height: 780 });
    expect((await retry.boundingBox())!.height).toBe(height);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("who looks at the call behind an answer finds the question and the answer again", async ({ page, open }) => {
    await open("/playground?model=gpt-4o-mini", "Playground");
    await page.getByLabel("Your message").fill("Which planet is the largest?");
    await page.getByLabel("System message").fill("Be brief.");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const answer = page.locator(".text-block.answer", { hasText: "answering as gpt-4o-mini" });
    await answer.waitFor();
    await page.getByRole("link", { name: "The call" }).click();
    await page.getByText("Why this model").waitFor();
    await page.goBack();
    await answer.waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("Which planet is the largest?");
    expect(await page.getByLabel("System message").inputValue()).toBe("Be brief.");
    await page.goForward();
    await page.getByRole("button", { name: "Replay in the playground" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    // What is asked for anew begins anew.
    expect(await page.locator(".text-block.answer").count()).toBe(0);
    await page.getByLabel("Your message").fill("Another question");
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Calls" }).click();
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Playground" }).click();
    await page.getByLabel("Your message").waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("Another question");
    // A reload takes nothing away, wherever it is done; a link begins anew.
    await page.reload();
    await page.getByLabel("Your message").waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("Another question");
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Calls" }).click();
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    await page.reload();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Playground" }).click();
    await page.getByLabel("Your message").waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("Another question");
    await open("/playground?prompt=Anew", "Playground");
    expect(await page.getByLabel("Your message").inputValue()).toBe("Anew");
  });

  test("Back closes what lies over the page, and only then leaves it", async ({ page, open, follow }) => {
    await open("/calls", "Calls");
    const dialog = page.getByRole("dialog");
    const closedByBack = async (over: Locator) => {
      await over.waitFor();
      const { href } = new URL(page.url());
      await page.evaluate(() => history.back());
      await over.waitFor({ state: "detached" });
      expect(page.url()).toBe(href.replace(/\?.*/, ""));
    };
    await follow("/settings/keys", "Settings");
    await page.getByRole("button", { name: "Make a key" }).click();
    await closedByBack(dialog);
    await follow("/settings/limits", "Settings");
    await page.getByRole("button", { name: "Change the limits of embeddings" }).click();
    await closedByBack(dialog);
    await page.setViewportSize({ width: 380, height: 780 });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await closedByBack(page.getByRole("button", { name: "Close the menu" }));
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goBack();
    await page.getByRole("button", { name: "Make a key" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    // Also on the view that was opened first, as by a bookmark.
    await open("/settings/keys", "Settings");
    await page.getByRole("button", { name: "Make a key" }).click();
    await closedByBack(dialog);
    await page.evaluate(() => history.back());
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("two clicks while the first is on its way make one key", async ({ page, open, gateway }) => {
    await open("/start", "Getting started");
    const { promise: isOver, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/\/keys$/, async (route) => {
      await isOver;
      await route.continue();
    });
    const keys = () =>
      gateway.platform.db.get<{ keys: number }>("SELECT count(*) AS keys FROM api_keys WHERE name = 'first call'")!.keys;
    const before = keys();
    await page.getByRole("button", { name: "Make a test key" }).dblclick();
    answer();
    await page.getByText("shown this once").waitFor();
    expect(keys() - before).toBe(1);
    await page.unrouteAll();
  });

  test("a page that is still on its way says so, before its script is there", async ({ page, open, gateway }) => {
    expect(await (await fetch(`${gateway.url}/dashboard`)).text()).toContain("Opening…");
    await open("/calls", "Calls");
    expect(await page.getByText("Opening…").count()).toBe(0);
  });

  test("what nobody heard is asked for again as soon as the server is back", async ({ page, open }) => {
    await page.clock.install();
    await open("/settings/server", "Settings");
    await page.context().setOffline(true);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Providers & models" }).click();
    const alerts = page.getByRole("alert");
    await alerts.nth(1).waitFor();
    await page.context().setOffline(false);
    await page.clock.runFor(3_000);
    await page.getByText("Prices are USD per million tokens").waitFor();
    await page.getByRole("region", { name: "Provider history" }).waitFor();
    expect(await alerts.count()).toBe(0);
    await page.clock.resume();
  });

  test("figures are those of their own days while others are on their way", async ({ page, open }) => {
    await open("/overview?days=7", "Overview");
    const calls = page.locator("a.figure", { hasText: "Calls" });
    const before = [await calls.textContent(), await calls.getAttribute("href")];
    const { promise: isOver, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/v1\/metrics\//, async (route) => {
      await isOver;
      await route.continue();
    });
    await page.getByRole("radio", { name: "90 days" }).check({ force: true });
    await page.waitForURL(/days=90/);
    await page.locator(".card.busy").first().waitFor();
    expect([await calls.textContent(), await calls.getAttribute("href")]).toEqual(before);
    answer();
    await page.waitForFunction((href) => document.querySelector("a.figure")!.getAttribute("href") !== href, before[1]);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("a project made elsewhere is there for who comes back to the tab, who goes on typing", async ({ page, open, gateway }) => {
    await open("/schemas/new", "New schema");
    await page.getByLabel("Description").fill("In the middle of it");
    await gateway.key({ project: "made elsewhere" });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByLabel("Project").locator("option", { hasText: "made elsewhere" }).waitFor({ state: "attached" });
    expect(await page.getByLabel("Description").inputValue()).toBe("In the middle of it");
    await page.getByLabel("Description").fill("");
  });

  test("figures that stay open are those of now", async ({ page, gateway, watch }) => {
    const wall = await page.context().newPage();
    watch(wall);
    await wall.clock.install();
    await wall.goto(`${DEMO_HOME}/overview`);
    const together = wall.getByText(/^Together/);
    const before = await together.textContent();
    const key = await gateway.key({ project: "demo" });
    await gateway.send(key, "POST", "/v1/chat", { messages: [{ role: "user", content: "Which planet is the largest?" }] });
    await wall.clock.fastForward(61_000);
    await wall.waitForFunction((text) => ![...document.querySelectorAll("p")].some((p) => p.textContent === text), before);
    await together.waitFor();
    await wall.close();
  });

  test("colours that change while a chart is being left break nothing", async ({ page, open, follow, complaints }) => {
    await open("/calls", "Calls");
    await page.evaluate(() => {
      const told: (() => void)[] = [];
      Object.assign(globalThis, { told });
      MediaQueryList.prototype.addEventListener = (_: string, listener: any) => void told.push(listener);
    });
    await follow("/overview", "Overview");
    await page.locator(".u-over").waitFor();
    const asked = await page.evaluate(async () => {
      document.querySelector<HTMLElement>("nav a[href$='/calls']")!.click();
      // The chart leaves the page with the next microtasks, and listens until the next frame.
      for (let turns = 0; turns < 100 && document.querySelector("figure"); turns++) await Promise.resolve();
      const { told } = globalThis as any;
      for (const tell of told) tell();
      return [document.querySelector("figure"), told.length];
    });
    expect(asked).toEqual([null, 1]);
    await settled(page);
    expect(complaints()).toEqual([]);
  });

  test("an error of the server can be found in its log, and what is no answer of it is called that", async ({ page, open }) => {
    const error = { type: "server_error", message: "Something went wrong.", request_id: "req_5150" };
    await page.route(/v1\/schemas/, (route) => route.fulfill({ status: 502, json: { error } }));
    await open("/schemas", "Schemas");
    await page.getByText("req_5150").waitFor();
    await page.unrouteAll();
    // A proxy answers like that while the server starts again: the page comes back by itself.
    await page.getByRole("link", { name: "Incident" }).waitFor();
    await page.route(/v1\/schemas/, (route) => route.fulfill({ status: 200, body: "<h1>Sign in to the hotel</h1>" }));
    await open("/schemas", "Schemas");
    await page.getByText("What came back is not Signalbox's").waitFor();
    await page.unrouteAll();
  });

  test("two answers stand side by side on a laptop", async ({ page, open }) => {
    await open("/playground?compare=gpt-4o-mini", "Playground");
    await page.getByLabel("Your message").fill("Which planet is the largest?");
    await page.getByRole("button", { name: "Ask both" }).click();
    await page.getByRole("button", { name: "Continue from here" }).nth(1).waitFor();
    const tops = await page
      .locator(".answers > .card")
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top));
    expect(tops.length).toBe(2);
    expect(tops[0]).toBe(tops[1]!);
  });

  test("an address that names what is not there says so", async ({ page, open }) => {
    await open("/policies/pol_gone", "Policies");
    await page.getByText("is not, or no longer, one of this project").waitFor();
    await open("/overview?chart=constructor", "Overview");
    await page.getByRole("slider", { name: "Calls by day" }).waitFor();
    await page.goto(`${DEMO_HOME}/constructor`);
    await page.getByText("There is no such page").waitFor();
    await page.goto("/dashboard/p/nowhere/test/calls");
    await page.getByText("There is no project “nowhere” here.").waitFor();
    await page.goto("/dashboard/p/order/sideways/policies");
    await page.waitForURL("**/p/order/*/policies");
    await page.goto("/dashboard");
  });
});
