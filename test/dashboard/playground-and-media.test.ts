/** The playground, from the question to the answer's code, and what is drawn, filmed and spoken. */

import { expect } from "bun:test";
import { describeDashboard } from "../support/demo-dashboard.ts";

describeDashboard("playground and media in the dashboard", (test) => {
  test("the playground shows the decision before, streams, compares two models and hands out the code", async ({
    page,
    open,
  }) => {
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

  test("an answer that breaks off is shown as far as it came, and as what it is", async ({ page, open }) => {
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

  test("a connection that is lost within an answer is told in words, not in the browser's", async ({ page, open }) => {
    await open("/playground", "Playground");
    await page.evaluate(
      (text) => {
        const real = globalThis.fetch;
        const lost = new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode(text)),
          // What Firefox says.
          pull: (stream) => stream.error(new TypeError("Error in input stream")),
        });
        globalThis.fetch = ((url: string, init: RequestInit) =>
          url.endsWith("/v1/chat/stream") ? Promise.resolve(new Response(lost)) : real(url, init)) as typeof fetch;
      },
      `data: ${JSON.stringify({ model: "gpt-4o", choices: [{ index: 0, delta: { content: "The beginning of" } }] })}\n\n`,
    );
    await page.getByLabel("Your message").fill("Tell me all.");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("failed", { exact: true }).waitFor();
    await page.getByText("The answer broke off: the connection ended before it was complete.").waitFor();
  });

  test("what the model thought stands over its answer, folded up, and is no part of it", async ({ page, open }) => {
    const deltas = [
      { role: "assistant", content: "" },
      { reasoning_content: "The largest planet " },
      { reasoning_content: "is a gas giant." },
      { content: "It is " },
      { content: "Jupiter." },
    ];
    const frames = deltas.map((delta) => `data: ${JSON.stringify({ model: "o4-mini", choices: [{ index: 0, delta }] })}\n\n`);
    await page.route("**/v1/chat/stream", (route) =>
      route.fulfill({ headers: { "content-type": "text/event-stream" }, body: `${frames.join("")}data: [DONE]\n\n` }),
    );
    await open("/playground", "Playground");
    await page.getByLabel("Your message").fill("Which planet is the largest?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const answer = page.locator(".text-block.answer");
    await answer.getByText("It is Jupiter.", { exact: true }).waitFor();
    const thought = page.getByText("The largest planet is a gas giant.", { exact: true });
    expect(await thought.isVisible()).toBe(false);
    await page.getByText("What it thought").click();
    await thought.waitFor();
    expect((await thought.boundingBox())!.y).toBeLessThan((await answer.boundingBox())!.y);
    await page.unroute("**/v1/chat/stream");
  });

  test("a conversation goes on with what was attached to its earlier turn", async ({ page, open }) => {
    const bodies: any[] = [];
    const listen = (request: { url(): string; postDataJSON(): any }) => {
      if (request.url().endsWith("/v1/chat/stream")) bodies.push(request.postDataJSON());
    };
    page.on("request", listen);
    await open("/playground?prompt=Anew", "Playground");
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

  test("a call is replayed in the playground with its own words", async ({ gateway, page, open }) => {
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

  test("what is set for the model goes with the call and its code", async ({ page, open }) => {
    await open("/playground", "Playground");
    await page.getByLabel("Your message").fill("Write a poem about signal boxes.");
    await page.getByLabel("Temperature").fill("0.2");
    await page.getByLabel("Max tokens").fill("5");
    const sent = page.waitForRequest(/v1\/chat\/stream$/);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    expect((await sent).postDataJSON()).toMatchObject({ temperature: 0.2, max_tokens: 5 });
    await page.getByText("5 out").waitFor();
    await page.getByRole("button", { name: "Copy as code" }).click();
    await page.getByRole("dialog").getByText('"max_tokens": 5').waitFor();
    await page.keyboard.press("Escape");
    await page.reload();
    expect(await page.getByLabel("Temperature").inputValue()).toBe("0.2");
    for (const label of ["Temperature", "Max tokens"]) await page.getByLabel(label).fill("");
  });

  test("a policy and a ceiling that had a say in an answer are named beside it", async ({ gateway, page, open }) => {
    // Now and then the router tries another model than the best.
    await gateway.key({ project: "demo", settings: { exploration: 0 } });
    await open("/playground", "Playground");
    await page.getByLabel("Your message").fill("Who is it? [[sandbox:reply=Write to ada.lovelace@example.com]]");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("policy: redacted").waitFor();
    await page.getByRole("button", { name: "Start over" }).click();
    // The page may still show what the message before would cost.
    const preview = page.waitForResponse((response) => response.request().postData()?.includes("Which planet") ?? false);
    await page.getByLabel("Your message").fill("Which planet is the largest?");
    const { estimated_cost_usd: usual } = await (await preview).json();
    await page.getByLabel("Cost ceiling (USD)").fill(String(usual * 0.9));
    await page.getByText("ceiling", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".note-box.amber", { hasText: "ceiling" }).waitFor();
  });

  test("that no provider can answer is said, and not asked again until something else is typed", async ({ page, open }) => {
    await page.clock.install();
    await open("/dashboard/p/demo/live/playground", "Playground");
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/route")) asked++;
    });
    await page.getByLabel("Your message").fill("Which planet is the largest?");
    await page.clock.runFor(1_000);
    await page.getByText("No AI provider is configured").first().waitFor();
    for (let beat = 0; beat < 4; beat++) await page.clock.runFor(3_000);
    expect(asked).toBe(1);
    await page.clock.resume();
  });

  test("a model calls tools, whose results are written by hand, and the whole is replayed", async ({ page, open }) => {
    await open("/playground", "Playground");
    await page.getByLabel("Tools", { exact: true }).fill("[{");
    await page.getByLabel("Your message").fill("What is the weather in Paris?");
    expect(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled()).toBe(true);
    await page.getByLabel("Tools", { exact: true }).fill("");
    await page.getByRole("button", { name: "An example" }).click();
    await page.getByRole("button", { name: "Copy as code" }).click();
    await page.getByRole("tab", { name: "OpenAI SDK (Node)" }).click();
    await page.getByRole("dialog").getByText("console.log(answer.choices[0].message);").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".tool-call", { hasText: 'get_weather({"city":"Paris"})' }).waitFor();
    await page.getByLabel("What get_weather returns").fill('{"weather": "drizzle"}');
    await page.getByRole("button", { name: "Send back" }).click();
    await page.locator(".text-block.answer", { hasText: "drizzle" }).waitFor();
    expect(await page.locator(".turn").allTextContents()).toEqual([
      "userWhat is the weather in Paris?",
      'assistantget_weather({"city":"Paris"})',
      'tool{"weather": "drizzle"}',
    ]);
    await page.getByRole("link", { name: "The call" }).click();
    await page.getByRole("button", { name: "Replay in the playground" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".text-block.answer", { hasText: "drizzle" }).waitFor();
  });

  test("an image is drawn and shown, a video followed to its end, speech played", async ({ page, open }) => {
    await open("/media", "Media");
    await page.getByLabel("Prompt").fill("A signal at night");
    await page.getByLabel("Quality").selectOption("hd");
    await page.getByRole("button", { name: "Draw" }).click();
    await page.waitForFunction(() => (document.querySelector("img.generated") as HTMLImageElement | null)?.naturalWidth === 1024);
    await page.getByText(/^image-a-3, 1024x1024, \$0\.08, /).waitFor();
    await page.getByLabel("Model").selectOption("image-b-3");
    await page.getByLabel("Size").fill("1000x500");
    await page.getByRole("button", { name: "Draw" }).click();
    await page.getByText("multiples of 8 from 256 to 2048 for image-b-3").waitFor();
    expect(await page.getByLabel("Quality").count()).toBe(0);
    // A size goes along where the next model accepts it.
    for (const [model, size] of [
      ["image-c-pro", "1000x500"],
      ["image-a-3", "1024x1024"],
    ] as const) {
      await page.getByLabel("Model").selectOption(model);
      expect(await page.getByLabel("Size").inputValue()).toBe(size);
    }
    await open("/media/video", "Media");
    await page.getByLabel("Prompt").fill("A train in the fog");
    await page.getByRole("button", { name: "Make it" }).click();
    const made = page.locator(".card", { hasText: "A train in the fog" }).last();
    await made.locator("video").waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), made.getByRole("link", { name: "Download" }).click()]);
    expect(file.suggestedFilename()).toMatch(/\.mp4$/);
    // A link whose time is over is no longer played.
    const video_url = "http://127.0.0.1/v1/files/file_1?expires=0&signature=x";
    const old = { id: "vid_1", status: "complete", model: "video-c", prompt: "Yesterday's train", video_url };
    await page.route("**/v1/video/generations", (route) => route.fulfill({ json: { jobs: [old], total: 1 } }));
    await open("/media/video", "Media");
    await page.getByText("videos are kept for a day.").waitFor();
    expect(await page.locator("video").count()).toBe(0);
    await page.unroute("**/v1/video/generations");
    await open("/media/speech", "Media");
    await page.getByLabel("Text").fill("The train is ready to leave.");
    await page.getByRole("button", { name: "Speak" }).click();
    await page.waitForFunction(() => ((document.querySelector("audio") as HTMLAudioElement | null)?.duration ?? 0) > 0.2);
  });

  test("a picture is edited, by the models that can", async ({ page, open }) => {
    await open("/media/edits", "Media");
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    await page
      .getByLabel("Picture")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") });
    await page.getByLabel("What changes").fill("The same at night");
    await page.getByText("The sandbox stands in for openai (gpt-image-2), then fal").waitFor();
    expect(await page.getByLabel("Model").locator("option").allTextContents()).not.toContain("image-b-3");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.waitForFunction(() => (document.querySelector("img.generated") as HTMLImageElement | null)?.naturalWidth === 1024);
    await page.getByText(/^image-a-3, 1024x1024, \$0\.04, /).waitFor();
    await page.getByLabel("Picture").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.getByRole("button", { name: "Edit" }).click();
    await page.locator("[aria-invalid=true]").waitFor();
    expect(await page.getByLabel("Picture").getAttribute("aria-invalid")).toBe("true");
  });

  test("what was said is written in English where that is asked for", async ({ gateway, page, open }) => {
    const key = await gateway.key({ project: "demo" });
    const spoken = await gateway.send(key, "POST", "/v1/audio/speech", { model: "tts-1", input: "Gute Fahrt!", voice: "nova" });
    const buffer = Buffer.from(await spoken.arrayBuffer());
    await open("/media/transcription", "Media");
    await page.getByLabel("Audio file").setInputFiles({ name: "wish.mp3", mimeType: "audio/mpeg", buffer });
    await page.getByText("then mistral (voxtral-mini-latest)").waitFor();
    await page.getByLabel("Written in").selectOption("translations");
    await page.getByText("then groq (whisper-large-v3), then fal (fal-ai/wizper).").waitFor();
    expect(await page.getByLabel("Language").count()).toBe(0);
    const asked = page.waitForRequest(/\/v1\/audio\/translations$/);
    await page.getByRole("button", { name: "Transcribe" }).click();
    await asked;
    await page.getByText("of audio").waitFor();
  });

  test("texts are ranked, and a text is judged", async ({ page, open, barriers }) => {
    await open("/media/ranking", "Media");
    await page.getByText("Free: it is a part of Signalbox.").waitFor();
    await page.getByLabel("Question").fill("When is money paid back?");
    await page.getByLabel("Texts").fill("A train may carry two cats.\n\nMoney is paid back after a delay of an hour.");
    await page.getByRole("button", { name: "Rank" }).click();
    await page.getByText(/^rerank-local, \$0\.00, /).waitFor();
    expect(await page.locator(".passages p").allTextContents()).toEqual([
      "Money is paid back after a delay of an hour.",
      "A train may carry two cats.",
    ]);
    await open("/media/moderation", "Media");
    await page.getByText("Free. The sandbox stands in for openai").waitFor();
    await page.getByLabel("Text").fill("I will kill you");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("flagged", { exact: true }).waitFor();
    expect(await page.locator(".facts > div").first().textContent()).toBe("violence99 %");
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Text").fill("Have a good journey");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("not flagged").waitFor();
  });

  test("a file that is no recording is refused beside its field", async ({ page, open }) => {
    await open("/media/transcription", "Media");
    const file = page.getByLabel("Audio file");
    await file.setInputFiles({ name: "note.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("no sound at all") });
    await page.getByRole("button", { name: "Transcribe" }).click();
    await page.getByText("could not be read as audio").waitFor();
    expect(await file.getAttribute("aria-invalid")).toBe("true");
  });
});
