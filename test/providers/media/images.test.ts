import { describe, expect, test } from "bun:test";
import { bfl, pollUrl } from "../../../src/providers/media/bfl.ts";
import { fal } from "../../../src/providers/media/fal.ts";
import { geminiImages } from "../../../src/providers/media/gemini-images.ts";
import { ideogram } from "../../../src/providers/media/ideogram.ts";
import { openAiImages } from "../../../src/providers/media/openai-images.ts";
import { replicate } from "../../../src/providers/media/replicate.ts";
import { isSamePlace } from "../../../src/providers/media/send-media-request.ts";
import { stability } from "../../../src/providers/media/stability.ts";
import type { ImageRequest } from "../../../src/providers/media-calls.ts";
import { contextFor, endless, endpointAt, failureOf, inTurn, mediaStubOfFile, says, TINY_PNG } from "../../support/media-stub.ts";

const stub = mediaStubOfFile();
const endpoint = endpointAt(stub.url);
const png = TINY_PNG.toString("base64");
const ask = (changes: Partial<ImageRequest> = {}): ImageRequest => ({
  prompt: "a red fox",
  n: 1,
  width: 1024,
  height: 1024,
  quality: "standard",
  style: "vivid",
  ...changes,
});

describe("OpenAI", () => {
  const images = openAiImages({ ...endpoint, baseUrl: `${stub.url}/v1` });

  test("GPT image models get today's parameters and no response_format", async () => {
    stub.answer({ "POST /v1/images/generations": says({ data: [{ b64_json: png, revised_prompt: "a fox, red" }] }) });
    const [image] = await images.image("gpt-image-2", ask({ quality: "hd", width: 1792 }), contextFor());
    expect(stub.asks[0]!.json).toEqual({ model: "gpt-image-2", prompt: "a red fox", n: 1, size: "1792x1024", quality: "high" });
    expect(stub.asks[0]!.headers.get("authorization")).toBe("Bearer secret");
    expect(image).toEqual({ bytes: new Uint8Array(TINY_PNG), revisedPrompt: "a fox, red" });
  });

  test("standard is medium, a natural style is said in words, and the first generation gets a size it knows", async () => {
    stub.answer({ "POST /v1/images/generations": says({ data: [{ b64_json: png }] }) });
    await images.image("gpt-image-1", ask({ style: "natural", height: 1792 }), contextFor());
    expect(stub.asks[0]!.json).toMatchObject({ quality: "medium", size: "1024x1536" });
    expect(stub.asks[0]!.json.prompt).toContain("natural");
    expect(stub.asks[0]!.json).not.toHaveProperty("style");
    await images.image("openai/gpt-image-1.5", ask({ height: 1792 }), contextFor());
    expect(stub.asks[1]!.json).toMatchObject({ quality: "medium", size: "1024x1536" });
  });

  test("older models get the quality and the style that were asked for by name", async () => {
    stub.answer({ "POST /v1/images/generations": says({ data: [{ b64_json: png }] }) });
    await images.image("dall-e-3", ask({ quality: "hd", style: "natural" }), contextFor());
    await images.image("dall-e-3", ask(), contextFor());
    const plain = { model: "dall-e-3", prompt: "a red fox", n: 1, size: "1024x1024", response_format: "b64_json" };
    expect(stub.asks.map(({ json }) => json)).toEqual([{ ...plain, quality: "hd", style: "natural" }, plain]);
  });

  test("a server without response_format is asked without it, and from then on at once", async () => {
    const server = openAiImages({ ...endpoint, baseUrl: `${stub.url}/v1` });
    const refusal = says({ error: { message: "Unknown parameter: 'response_format'.", param: "response_format" } }, 400);
    stub.answer({
      "POST /v1/images/generations": (request) =>
        "response_format" in request.json ? refusal(request) : Response.json({ data: [{ url: "https://i.example.com/a" }] }),
    });
    const made = () => server.image("our-deployment", ask(), contextFor());
    expect([await made(), await made()].flat()).toEqual([{ url: "https://i.example.com/a" }, { url: "https://i.example.com/a" }]);
    expect(stub.asks.map(({ json }) => "response_format" in json)).toEqual([true, false, false]);
  });

  test("a server without sizes is asked for the nearest shape, and from then on at once (xAI)", async () => {
    const server = openAiImages({ ...endpoint, baseUrl: `${stub.url}/v1` });
    stub.answer({
      "POST /v1/images/generations": (request) =>
        "size" in request.json
          ? Response.json({ code: "400", error: "Argument not supported: size" }, { status: 400 })
          : Response.json({ data: [{ b64_json: png, respect_moderation: true }] }),
    });
    for (const width of [1792, 1024]) await server.image("grok-imagine", ask({ width }), contextFor());
    const plain = { model: "grok-imagine", prompt: "a red fox", n: 1, response_format: "b64_json" };
    expect(stub.asks.map(({ json }) => json)).toEqual([
      { ...plain, size: "1792x1024" },
      { ...plain, aspect_ratio: "16:9" },
      { ...plain, aspect_ratio: "1:1" },
    ]);
  });

  test("a picture that the vendor's guard holds back is none (xAI)", async () => {
    const blocked = { url: "https://x.example.com/blocked.png", respect_moderation: false };
    stub.answer({ "POST /v1/images/generations": says({ data: [blocked, { b64_json: png }] }) });
    expect(await images.image("grok-imagine", ask({ n: 2 }), contextFor())).toEqual([{ bytes: new Uint8Array(TINY_PNG) }]);
    stub.answer({ "POST /v1/images/generations": says({ data: [blocked] }) });
    expect((await failureOf(images.image("grok-imagine", ask(), contextFor()))).kind).toBe("content_filter");
  });

  test("later GPT image models get sides they take, in the same shape and large enough", async () => {
    const sizes: string[] = [];
    stub.answer({ "POST /v1/images/generations": says({ data: [{ b64_json: png }] }) });
    for (const [width, height] of [
      [256, 256],
      [512, 1024],
      [1000, 1000],
    ] as const) {
      await images.image("gpt-image-2", ask({ width, height }), contextFor());
      sizes.push(stub.asks.at(-1)!.json.size);
    }
    expect(sizes).toEqual(["816x816", "576x1152", "1008x1008"]);
  });

  test("a GPT image model of a reseller gets the shape, the quality and the style that it takes", async () => {
    stub.answer({
      "POST /v1/models/openai/gpt-image-2/predictions": says({
        id: "p1",
        status: "succeeded",
        output: ["https://r.example.com/a"],
      }),
      "POST /openai/gpt-image-2": says({ request_id: "r1" }),
      "GET /openai/gpt-image-2/requests/r1/status": says({ status: "COMPLETED" }),
      "GET /openai/gpt-image-2/requests/r1": says({ images: [{ url: "https://f.example.com/a" }] }),
    });
    const wide = ask({ width: 1792, quality: "hd", style: "natural" });
    await replicate(endpoint).image("openai/gpt-image-2", wide, contextFor());
    expect(stub.asks[0]!.json.input).toMatchObject({ aspect_ratio: "3:2", quality: "high" });
    expect(stub.asks[0]!.json.input.prompt).toContain("natural");
    await fal(endpoint).image("openai/gpt-image-2", wide, contextFor());
    expect(stub.asks[1]!.json).toMatchObject({ image_size: { width: 1792, height: 1024 }, quality: "high" });
    const asked = stub.asks.length;
    await fal(endpoint).image("openai/gpt-image-2", ask({ width: 256, height: 256 }), contextFor());
    expect(stub.asks[asked]!.json.image_size).toEqual({ width: 816, height: 816 });
  });

  test("servers that imitate the older models are asked for base64, and may answer with a URL all the same", async () => {
    stub.answer({ "POST /v1/images/generations": says({ data: [{ url: "https://files.example.com/1.png" }] }) });
    expect(await images.image("stable-diffusion", ask(), contextFor())).toEqual([{ url: "https://files.example.com/1.png" }]);
    expect(stub.asks[0]!.json).toMatchObject({ response_format: "b64_json", size: "1024x1024" });
    stub.answer({ "POST /v1/images/generations": says({ data: [{ b64_json: `data:image/png;base64,${png}`, url: null }] }) });
    expect(await images.image("grok-imagine", ask(), contextFor())).toEqual([{ bytes: new Uint8Array(TINY_PNG) }]);
  });

  test("a moderated prompt is a content_filter, an empty answer the server's failure", async () => {
    stub.answer({
      "POST /v1/images/generations": says(
        { error: { code: "moderation_blocked", message: "Your request was rejected by the safety system." } },
        400,
      ),
    });
    expect((await failureOf(images.image("gpt-image-2", ask(), contextFor()))).kind).toBe("content_filter");
    stub.answer({ "POST /v1/images/generations": says({ data: [] }) });
    expect((await failureOf(images.image("gpt-image-2", ask(), contextFor()))).kind).toBe("server");
  });

  test("a body that never ends is cut", async () => {
    stub.answer({ "POST /v1/images/generations": endless("application/json") });
    const failure = await failureOf(images.image("gpt-image-2", ask(), contextFor({ remainingMs: 20_000 })));
    expect(failure.kind).toBe("server");
    expect(failure.message).not.toContain(stub.url);
  });
});

describe("Gemini", () => {
  const images = geminiImages(endpoint);

  test("one call an image, with the nearest aspect ratio and the key in its header", async () => {
    stub.answer({
      "POST /v1beta/models/": says({
        candidates: [{ content: { parts: [{ text: "here" }, { inlineData: { mimeType: "image/png", data: png } }] } }],
      }),
    });
    expect(await images.image("gemini-nano-banana-2.1", ask({ n: 2, width: 1792 }), contextFor())).toHaveLength(2);
    expect(stub.asks.map(({ path }) => path)).toEqual(Array(2).fill("/v1beta/models/gemini-nano-banana-2.1:generateContent"));
    expect(stub.asks[0]!.json.generationConfig).toEqual({ responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "16:9" } });
    expect(stub.asks[0]!.headers.get("x-goog-api-key")).toBe("secret");
    expect(stub.asks[0]!.query.size).toBe(0);
  });

  test("a sketch made on the way is not the picture", async () => {
    const inlineData = (data: string) => ({ mimeType: "image/png", data });
    const parts = [{ thought: true, inlineData: inlineData("AAAA") }, { inlineData: inlineData(png) }];
    stub.answer({ "POST /v1beta/models/": says({ candidates: [{ content: { parts } }] }) });
    expect(await images.image("m", ask(), contextFor())).toEqual([{ bytes: new Uint8Array(TINY_PNG) }]);
  });

  test("a blocked prompt and a picture held back for safety are content_filter", async () => {
    stub.answer({ "POST /v1beta/models/": says({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }) });
    expect((await failureOf(images.image("m", ask(), contextFor()))).kind).toBe("content_filter");
    stub.answer({ "POST /v1beta/models/": says({ candidates: [{ finishReason: "IMAGE_SAFETY" }] }) });
    expect((await failureOf(images.image("m", ask(), contextFor()))).kind).toBe("content_filter");
    stub.answer({ "POST /v1beta/models/": says({ candidates: [{ finishReason: "NO_IMAGE" }] }) });
    expect((await failureOf(images.image("m", ask(), contextFor()))).kind).toBe("server");
  });
});

describe("Stability", () => {
  const images = stability(endpoint);

  test("sends a form with the model to sd3 and reads base64", async () => {
    stub.answer({ "POST /v2beta/stable-image/generate/sd3": says({ image: png, finish_reason: "SUCCESS", seed: 1 }) });
    const [image] = await images.image("sd3.5-large", ask({ width: 2048, height: 1152 }), contextFor());
    expect(image).toEqual({ bytes: new Uint8Array(TINY_PNG) });
    const { form, headers } = stub.asks[0]!;
    expect([form!.get("prompt"), form!.get("model"), form!.get("aspect_ratio")]).toEqual(["a red fox", "sd3.5-large", "16:9"]);
    expect(headers.get("accept")).toBe("application/json");
  });

  test("a filtered picture and a moderated prompt are content_filter", async () => {
    stub.answer({ "POST /v2beta/stable-image/generate/ultra": says({ finish_reason: "CONTENT_FILTERED" }) });
    expect((await failureOf(images.image("ultra", ask(), contextFor()))).kind).toBe("content_filter");
    stub.answer({
      "POST /v2beta/stable-image/generate/ultra": says({ id: "1", name: "content_moderation", errors: ["flagged"] }, 403),
    });
    expect((await failureOf(images.image("ultra", ask(), contextFor()))).kind).toBe("content_filter");
    stub.answer({ "POST /v2beta/stable-image/generate/ultra": says({ id: "1", name: "unauthorized", errors: [] }, 401) });
    expect((await failureOf(images.image("ultra", ask(), contextFor()))).kind).toBe("auth");
  });
});

test("a picture that nobody waits for any more is called off", async () => {
  for (const [vendor, cancelled, answers] of [
    [
      replicate(endpoint),
      "POST /v1/predictions/p1/cancel",
      { "POST /v1/models/": says({ id: "p1", status: "starting" }), "GET /v1/predictions/p1": says({ status: "processing" }) },
    ],
    [
      fal(endpoint),
      "PUT /a/b/requests/r1/cancel",
      { "POST /a/b": says({ request_id: "r1" }), "GET /a/b/requests/r1/status": says({ status: "IN_QUEUE" }) },
    ],
  ] as const) {
    const called = Promise.withResolvers<void>();
    const caller = new AbortController();
    stub.answer({
      ...answers,
      [cancelled]: () => {
        called.resolve();
        return Response.json({});
      },
    });
    const made = vendor.image("a/b", ask(), contextFor({ signal: caller.signal })).catch((error) => error);
    while (!stub.asks.some(({ method }) => method === "GET")) await Bun.sleep(1);
    caller.abort(new Error("gone"));
    expect(await made).toBeInstanceOf(Error);
    await called.promise;
  }
});

test("a picture that cannot be asked after is called off: another is made in its place", async () => {
  const called = Promise.withResolvers<void>();
  stub.answer({
    "POST /v1/models/": says({ id: "p1", status: "starting" }),
    "GET /v1/predictions/p1": says({}, 500),
    "POST /v1/predictions/p1/cancel": () => {
      called.resolve();
      return Response.json({});
    },
  });
  expect((await failureOf(replicate(endpoint).image("a/b", ask(), contextFor()))).kind).toBe("server");
  await called.promise;
});

test("what one picture's failure leaves of several is handed on, and nothing is made again", async () => {
  const flash = (parts: unknown[]) => says({ candidates: [{ content: { parts }, finishReason: "IMAGE_SAFETY" }] });
  const picture = flash([{ inlineData: { data: png } }]);
  stub.answer({ "POST /v1beta/models/flash:generateContent": inTurn(flash([]), picture, says({}, 429), picture) });
  const four = ask({ n: 4 });
  expect(await geminiImages(endpoint).image("flash", four, contextFor())).toHaveLength(2);
  expect(stub.asks).toHaveLength(4);
  stub.answer({ "POST /v1beta/models/flash:generateContent": flash([]) });
  expect((await failureOf(geminiImages(endpoint).image("flash", four, contextFor()))).kind).toBe("content_filter");
});

describe("Black Forest Labs", () => {
  const images = bfl(endpoint);

  test("polls its own polling URL until the sample is ready", async () => {
    stub.answer({
      "POST /v1/flux-pro-1.1": says({ id: "t1", polling_url: `${stub.url}/v1/get_result?id=t1&region=eu` }),
      "GET /v1/get_result": inTurn(
        says({ status: "Pending" }),
        says({ status: "Pending" }),
        says({ status: "Ready", result: { sample: "https://cdn.example.com/a.png" } }),
      ),
    });
    expect(await images.image("flux-pro-1.1", ask({ width: 1000 }), contextFor())).toEqual([
      { url: "https://cdn.example.com/a.png" },
    ]);
    expect(stub.asks[0]!.json).toMatchObject({ prompt: "a red fox", width: 992, height: 1024 });
    expect(stub.asks.filter(({ method }) => method === "GET")).toHaveLength(3);
    expect(stub.asks.at(-1)!.query.get("region")).toBe("eu");
    expect(stub.asks.at(-1)!.headers.get("x-key")).toBe("secret");
  });

  test("a polling URL elsewhere never gets the key", () => {
    const api = { ...endpoint, baseUrl: "https://api.bfl.ai/v1" };
    expect(pollUrl(api, { id: "t1", polling_url: "https://evil.example.com/poll" })).toBe("/get_result?id=t1");
    const regional = "https://api.eu1.bfl.ai/v1/get_result?id=t1";
    expect(pollUrl(api, { id: "t1", polling_url: regional })).toBe(regional);
  });

  test.each([
    ["https://api.eu1.bfl.ai/t", "https://api.bfl.ai", true],
    ["https://evilbfl.ai/t", "https://api.bfl.ai", false],
    ["http://api.bfl.ai/t", "https://api.bfl.ai", false],
    ["https://api.bfl.ai:8443/t", "https://api.bfl.ai", false],
    ["https://somebody@api.bfl.ai/t", "https://api.bfl.ai", false],
    ["https://20.1.0.1/t", "https://10.1.0.1", false],
    ["https://other.gateway/t", "https://gateway", false],
    ["https://[::2]/t", "https://[::1]", false],
    ["nowhere", "https://api.bfl.ai", false],
  ])("whether %s is a place of %s: %p", (url, base, is) => {
    expect(isSamePlace(url, base)).toBe(is);
  });

  test("both kinds of moderation are content_filter, a lost task the server's failure, an endless one a time-out", async () => {
    const created = says({ id: "t1" });
    for (const [status, kind] of [
      ["Request Moderated", "content_filter"],
      ["Content Moderated", "content_filter"],
      ["Task not found", "server"],
      ["Pending", "timeout"],
    ] as const) {
      stub.answer({ "POST /v1/flux-dev": created, "GET /v1/get_result": says({ status }) });
      const context = contextFor({ remainingMs: kind === "timeout" ? 60 : 20_000 });
      expect((await failureOf(images.image("flux-dev", ask(), context))).kind).toBe(kind);
    }
  });
});

describe("Ideogram", () => {
  const images = ideogram(endpoint);

  test("sends a form and gives the URLs", async () => {
    stub.answer({
      "POST /v1/ideogram-v3/generate": says({
        data: [
          { url: "https://i.example.com/1.png", is_image_safe: true, prompt: "fox" },
          { url: "https://i.example.com/2.png", is_image_safe: true },
        ],
      }),
    });
    expect(await images.image("v3", ask({ n: 2 }), contextFor())).toEqual([
      { url: "https://i.example.com/1.png", revisedPrompt: "fox" },
      { url: "https://i.example.com/2.png" },
    ]);
    expect(stub.asks[0]!.form!.get("num_images")).toBe("2");
    expect(stub.asks[0]!.headers.get("api-key")).toBe("secret");
  });

  test("an unsafe picture without a URL is content_filter", async () => {
    stub.answer({ "POST /v1/ideogram-v4/generate": says({ data: [{ url: null, is_image_safe: false }] }) });
    expect((await failureOf(images.image("v4", ask(), contextFor()))).kind).toBe("content_filter");
    expect(stub.asks[0]!.form!.get("text_prompt")).toBe("a red fox");
  });
});

describe("Replicate", () => {
  const images = replicate(endpoint);

  test("creates a prediction and looks at it by id until it has succeeded", async () => {
    stub.answer({
      "POST /v1/models/black-forest-labs/flux-dev/predictions": says(
        { id: "p1", status: "starting", urls: { get: "https://evil.example.com/" } },
        201,
      ),
      "GET /v1/predictions/p1": inTurn(
        says({ id: "p1", status: "processing" }),
        says({ id: "p1", status: "succeeded", output: ["https://r.example.com/a.png"] }),
      ),
    });
    expect(await images.image("black-forest-labs/flux-dev", ask(), contextFor())).toEqual([
      { url: "https://r.example.com/a.png" },
    ]);
    expect(stub.asks[0]!.json.input).toMatchObject({ prompt: "a red fox", aspect_ratio: "1:1" });
  });

  test("a vendor that cannot be asked for a moment is asked again, for the picture is made and paid for meanwhile", async () => {
    const done = says({ id: "p1", status: "succeeded", output: ["https://r.example.com/a.png"] });
    const busy = [says("<html>", 502), says({ detail: "Slow down." }, 429), says({}, 503)];
    stub.answer({
      "POST /v1/models/": says({ id: "p1", status: "starting" }, 201),
      "GET /v1/predictions/p1": inTurn(...busy, says({ id: "p1", status: "processing" }), ...busy, done),
    });
    expect(await images.image("a/b", ask(), contextFor())).toEqual([{ url: "https://r.example.com/a.png" }]);
    expect(stub.asks.filter(({ method }) => method === "POST")).toHaveLength(1);
    stub.answer({
      "POST /v1/models/": says({ id: "p1", status: "starting" }, 201),
      "GET /v1/predictions/p1": says({}, 503),
      "POST /v1/predictions/p1/cancel": says({}),
    });
    expect((await failureOf(images.image("a/b", ask(), contextFor()))).kind).toBe("overloaded");
    // It is called off meanwhile, which the next test must not see.
    while (!stub.asks.some(({ path }) => path.endsWith("/cancel"))) await Bun.sleep(1);
    expect(stub.asks.filter(({ method }) => method === "GET")).toHaveLength(4);
  });

  test("a model of the community is run by its version", async () => {
    const output = ["https://r.example.com/a.png"];
    stub.answer({ "POST /v1/predictions": says({ id: "p1", status: "succeeded", output }, 201) });
    expect(await images.image("ann/foxes:8f2e", ask(), contextFor())).toEqual([{ url: output[0]! }]);
    expect(stub.asks[0]!.json).toMatchObject({ version: "8f2e", input: { prompt: "a red fox" } });
  });

  test("a prediction that fails for its content is content_filter, otherwise the server's failure", async () => {
    for (const [error, kind] of [
      ["NSFW content detected", "content_filter"],
      ["CUDA out of memory", "server"],
    ] as const) {
      stub.answer({
        "POST /v1/models/": says({ id: "p1", status: "starting" }, 201),
        "GET /v1/predictions/p1": says({ id: "p1", status: "failed", error }),
      });
      expect((await failureOf(images.image("a/b", ask(), contextFor()))).kind).toBe(kind);
    }
  });
});

describe("fal", () => {
  const images = fal(endpoint);

  test("queues, waits and fetches; nested apps are looked up under owner and app", async () => {
    stub.answer({
      "POST /fal-ai/flux-pro/v1.1": says({
        status: "IN_QUEUE",
        request_id: "r1",
        status_url: "https://evil.example.com/",
        response_url: "https://evil.example.com/",
      }),
      "GET /fal-ai/flux-pro/requests/r1/status": inTurn(
        says({ status: "IN_QUEUE", queue_position: 4 }),
        says({ status: "IN_PROGRESS" }),
        says({ status: "COMPLETED" }),
      ),
      "GET /fal-ai/flux-pro/requests/r1": says({
        images: [{ url: "https://fal.example.com/a.png" }],
        has_nsfw_concepts: [false],
      }),
    });
    expect(await images.image("fal-ai/flux-pro/v1.1", ask(), contextFor())).toEqual([{ url: "https://fal.example.com/a.png" }]);
    expect(stub.asks[0]!.headers.get("authorization")).toBe("Key secret");
    const { prompt } = ask();
    expect(stub.asks[0]!.json).toEqual({ prompt, image_size: { width: 1024, height: 1024 }, num_images: 1 });
  });

  test("a picture that its checker blacked out is content_filter, a lost request the server's failure", async () => {
    const queue = { "POST /a/b": says({ request_id: "r1" }), "GET /a/b/requests/r1/status": says({ status: "COMPLETED" }) };
    for (const flag of ["has_nsfw_concepts", "nsfw_content_detected"]) {
      const result = { images: [{ url: "https://x.example.com/black.png" }], [flag]: [true] };
      stub.answer({ ...queue, "GET /a/b/requests/r1": says(result) });
      expect((await failureOf(images.image("a/b", ask(), contextFor()))).kind).toBe("content_filter");
    }
    for (const [error_type, kind] of [
      ["content_policy_violation", "content_filter"],
      ["runner_disconnected", "server"],
    ] as const) {
      const ended = { status: "COMPLETED", error: "The request failed.", error_type };
      stub.answer({ ...queue, "GET /a/b/requests/r1/status": says(ended) });
      expect((await failureOf(images.image("a/b", ask(), contextFor()))).kind).toBe(kind);
    }
    stub.answer({ ...queue, "GET /a/b/requests/r1/status": says({ detail: "not found" }, 404) });
    expect((await failureOf(images.image("a/b", ask(), contextFor()))).kind).toBe("model_gone");
    // It is called off meanwhile, which the next test must not see.
    while (!stub.asks.some(({ method }) => method === "PUT")) await Bun.sleep(1);
  });
});
