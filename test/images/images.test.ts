import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { startGateway, type TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { inTurn, type MediaHandler, mediaStubOfFile, says, TINY_PNG } from "../support/media-stub.ts";

const PATH = "/v1/images/generations";
const stub = mediaStubOfFile();

const gateway = await gatewayOfFile({
  environment: {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: `${stub.url}/v1`,
    BFL_API_KEY: "bfl-secret",
    BFL_BASE_URL: stub.url,
    REPLICATE_API_TOKEN: "r8-secret",
    REPLICATE_BASE_URL: stub.url,
    SIGNALBOX_COOLDOWN_MS: "5000",
  },
});
const key = await gateway.key();
const live = await gateway.key({ mode: "live" });

const generate = (body: unknown, as: TestKey = key) => gateway.send(as, "POST", PATH, body);
const made = async (body: unknown, as: TestKey = key): Promise<any> => (await generate(body, as)).json();
const refusal = async (body: unknown, as: TestKey = key) => {
  const response = await generate(body, as);
  const { error } = (await response.json()) as any;
  return { status: response.status, type: error.type, param: error.param };
};
const openAiAnswer = says({ data: [{ b64_json: TINY_PNG.toString("base64"), revised_prompt: "a fox, painted" }] });

describe("the answer", () => {
  test("by default is a signed link to a picture that opens", async () => {
    const response = await generate({ prompt: "a red fox" });
    expect(response.status).toBe(200);
    const body = (await response.json()) as any;
    expect(Object.keys(body.svc).sort()).toEqual(["cost_usd", "latency_ms", "model_used", "quality", "request_id", "size"]);
    expect(body.svc).toMatchObject({
      request_id: response.headers.get("x-svc-request-id"),
      model_used: "image-a-3",
      size: "1024x1024",
      quality: "standard",
      cost_usd: 0.04,
    });
    expect(Math.abs(body.created - gateway.clock.now() / 1000)).toBeLessThan(10);
    expect(body.data).toEqual([
      { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/files\/file_/), revised_prompt: "a red fox" },
    ]);
    const file = await fetch(body.data[0].url);
    expect(file.headers.get("content-type")).toBe("image/png");
    expect(await new Bun.Image(await file.bytes()).metadata()).toMatchObject({ width: 1024, height: 1024 });
  });

  test("as b64_json is the picture itself and no link", async () => {
    const body = await made({ prompt: "x", model: "image-a-2", n: 3, size: "256x256", response_format: "b64_json" });
    expect(body.data).toHaveLength(3);
    expect(body.svc.cost_usd).toBe(0.048);
    for (const { b64_json, url } of body.data) {
      expect(url).toBeUndefined();
      expect(await new Bun.Image(Buffer.from(b64_json, "base64")).metadata()).toMatchObject({ width: 256, height: 256 });
    }
  });

  test("costs what the table says", async () => {
    const prices = [
      [{ quality: "hd" }, 0.08],
      [{ model: "image-a-2" }, 0.02],
      [{ model: "image-a-2", size: "512x512" }, 0.018],
      [{ model: "image-b-3", size: "264x2048" }, 0.035],
      [{ model: "image-c-pro", n: 4, size: "256x256" }, 0.22],
      [{ model: "image-c-dev" }, 0.025],
      [{ model: "image-d-2" }, 0.04],
      [{ model: "image-e-3" }, 0.04],
    ] as const;
    for (const [changes, cost] of prices) expect((await made({ prompt: "x", ...changes })).svc.cost_usd).toBeCloseTo(cost, 9);
  });
});

describe("what is refused", () => {
  const invalid = (param: string) => ({ status: 400, type: "invalid_request", param });

  test("prompts that are missing, empty, too long or no text", async () => {
    expect(await refusal({})).toEqual(invalid("prompt"));
    for (const prompt of ["", " \n", 5, null, "x".repeat(4001)]) expect(await refusal({ prompt })).toEqual(invalid("prompt"));
    expect((await generate({ prompt: "x".repeat(4000) })).status).toBe(200);
  });

  test("models that are not known, and counts and sizes that the model does not have", async () => {
    expect(await refusal({ prompt: "x", model: "dall-e-3" })).toEqual(invalid("model"));
    for (const [model, n] of [
      ["image-a-3", 2],
      ["image-b-3", 5],
      ["image-a-2", 11],
      ["image-a-2", 0],
      ["image-a-2", 1.5],
    ])
      expect(await refusal({ prompt: "x", model, n })).toEqual(invalid("n"));
    for (const [model, size] of [
      ["image-a-3", "512x512"],
      ["image-a-2", "1792x1024"],
      ["image-e-3", "512x512"],
      ["image-b-3", "250x256"],
      ["image-b-3", "2056x256"],
      ["image-b-3", "248x256"],
      ["image-b-3", "big"],
      ["image-b-3", "0512x512"],
    ])
      expect(await refusal({ prompt: "x", model, size })).toEqual(invalid("size"));
  });

  test("quality and style that would be lost in silence, while their defaults pass", async () => {
    expect(await refusal({ prompt: "x", model: "image-b-3", quality: "hd" })).toEqual(invalid("quality"));
    expect(await refusal({ prompt: "x", model: "image-b-3", style: "natural" })).toEqual(invalid("style"));
    expect(await refusal({ prompt: "x", quality: "best" })).toEqual(invalid("quality"));
    expect(await refusal({ prompt: "x", response_format: "png" })).toEqual(invalid("response_format"));
    expect((await generate({ prompt: "x", model: "image-b-3", quality: "standard", style: "vivid" })).status).toBe(200);
  });

  test("a request for n images counts n, and one that does not fit counts nothing", async () => {
    const free = await gateway.key({ project: "free-images", tier: "free" });
    const first = await generate({ prompt: "x", model: "image-a-2", size: "256x256", n: 4 }, free);
    expect([first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual(["5", "1"]);
    const second = await generate({ prompt: "x", model: "image-a-2", size: "256x256", n: 2 }, free);
    expect(second.status).toBe(429);
    expect(((await second.json()) as any).error).toMatchObject({ type: "rate_limit_exceeded", retry_after: expect.any(Number) });
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await generate({ prompt: "x", model: "image-a-2", size: "256x256" }, free)).status).toBe(200);
  });

  test("a body that is refused counts nothing, and the headers say what is left all the same", async () => {
    const free = await gateway.key({ project: "free-refused", tier: "free" });
    for (let round = 0; round < 3; round++) {
      const response = await generate({ model: "image-a-2" }, free);
      expect([response.status, response.headers.get("x-ratelimit-limit"), response.headers.get("x-ratelimit-remaining")]).toEqual(
        [400, "5", "5"],
      );
    }
  });

  test("an order that failed has counted in the minute, and the headers say so", async () => {
    const free = await gateway.key({ project: "free-failed", tier: "free" });
    const response = await generate({ prompt: "x [[sandbox:refuse]]", model: "image-a-2", n: 2 }, free);
    expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([400, "3"]);
  });

  test("what a policy refuses counts in the minute, not in the day: refusals cannot fill the log", async () => {
    const bounded = await gateway.key({
      project: "bounded-refusals",
      settings: { limits: { images: { perMinute: 2, perDay: 9 } } },
    });
    await gateway.policy(bounded, "routing", { model_block_list: ["image-a-3"], on_violation: "hard_block" });
    const statuses = [];
    for (let round = 0; round < 4; round++) statuses.push((await generate({ prompt: "x" }, bounded)).status);
    expect(statuses).toEqual([403, 403, 429, 429]);
    const { total } = await gateway.read(bounded, "/v1/logs");
    expect(total).toBe(2);
    expect(gateway.platform.limits.usage({ project: bounded.project, mode: "test" }, "images").used).toBe(0);
  });

  test("a call that the key's budget does not hold", async () => {
    const poor = await gateway.key({ project: "poor", budgetUsd: 0.05 });
    expect((await generate({ prompt: "x" }, poor)).status).toBe(200);
    expect(await refusal({ prompt: "x" }, poor)).toMatchObject({ status: 429, type: "budget_exceeded" });
  });

  test("a key without the scope", async () => {
    const chatOnly = await gateway.key({ project: "chat-only", scopes: ["chat"] });
    expect(await refusal({ prompt: "x" }, chatOnly)).toMatchObject({ status: 403, type: "permission_denied" });
  });
});

describe("the sandbox's faults", () => {
  test("a refused prompt is a content_policy_violation", async () => {
    expect(await refusal({ prompt: "x [[sandbox:refuse]]" })).toEqual({
      status: 400,
      type: "content_policy_violation",
      param: "prompt",
    });
  });

  test("a passing fault is mended by a retry, a lasting one ends 503", async () => {
    expect((await generate({ prompt: "x [[sandbox:error-500]]" })).status).toBe(200);
    expect((await generate({ prompt: "x [[sandbox:rate-limit]]" })).status).toBe(200);
    const failing = await gateway.key({ project: "failing", tier: "free" });
    const lasting = await generate({ prompt: "x [[sandbox:rate-limit:always]]" }, failing);
    expect(lasting.status).toBe(503);
    const row = await gateway.send(failing, "GET", `/v1/logs/${lasting.headers.get("x-svc-request-id")}`);
    expect((await row.json()) as any).toMatchObject({ routing: { provider: "fal" }, execution: { cost_usd: 0 } });
    // Of the day, what failed is given back.
    expect(gateway.platform.limits.usage({ project: failing.project, mode: "test" }, "images").used).toBe(0);
    expect([lasting.headers.get("x-should-retry"), Number(lasting.headers.get("retry-after"))]).toEqual([
      "false",
      expect.any(Number),
    ]);
  });
});

describe("real upstreams", () => {
  test("the upstream's picture and words come through, and the ledger knows the attempt", async () => {
    stub.answer({ "POST /v1/images/generations": openAiAnswer });
    const response = await generate({ prompt: "a fox", quality: "hd", user: "ada" }, live);
    const body = (await response.json()) as any;
    expect(body.data[0].revised_prompt).toBe("a fox, painted");
    expect(await (await fetch(body.data[0].url)).bytes()).toEqual(new Uint8Array(TINY_PNG));
    const row = await gateway.read(live, `/v1/logs/${body.svc.request_id}`);
    expect(row.prompt.text).toBe("a fox");
    expect(row.execution).toMatchObject({ status: 200, cost_usd: 0.08 });
    expect(row.metadata.user_id).toBe("ada");
    expect(row.routing).toMatchObject({ model_selected: "image-a-3", provider: "openai" });
    expect(row.execution.attempts).toHaveLength(1);
  });

  test("as many pictures as were asked for are handed on at most, and those that came are paid", async () => {
    const asked = { prompt: "a fox", model: "image-a-2", size: "256x256", n: 2 };
    for (const [came, delivered] of [
      [1, 1],
      [3, 2],
    ] as const) {
      stub.answer({ "POST /v1/images/generations": says({ data: Array(came).fill({ b64_json: TINY_PNG.toString("base64") }) }) });
      const { data, svc } = await made(asked, live);
      expect([data.length, svc.cost_usd]).toEqual([delivered, delivered * 0.016]);
    }
  });

  test("of several results those that are pictures are handed on and paid, and no further upstream is asked", async () => {
    stub.answer({
      "POST /v1/flux-dev": says({ id: "t1" }),
      "GET /v1/get_result": says({ status: "Ready", result: { sample: `${stub.url}/sample.png` } }),
      "GET /sample.png": inTurn(
        () => new Response(TINY_PNG),
        () => new Response("expired", { status: 403 }),
        () => new Response(TINY_PNG),
      ),
    });
    const { data, svc } = await made({ prompt: "x", model: "image-c-dev", n: 3 }, live);
    expect([data.length, svc.cost_usd]).toEqual([2, 0.05]);
    expect(stub.asks.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  test("a picture that comes larger than asked for, in its shape, gets its size; another one stays as it came", async () => {
    const drawn = async (width: number, height: number) =>
      Buffer.from(await new Bun.Image(TINY_PNG).resize(width, height).png().bytes()).toString("base64");
    const asked = { prompt: "a fox", model: "image-a-2", size: "256x256", response_format: "b64_json" };
    for (const [came, size] of [
      [await drawn(816, 816), { width: 256, height: 256 }],
      [await drawn(816, 612), { width: 816, height: 612 }],
      [await drawn(128, 128), { width: 128, height: 128 }],
    ] as const) {
      stub.answer({ "POST /v1/images/generations": says({ data: [{ b64_json: came }] }) });
      const { data } = await made(asked, live);
      expect(await new Bun.Image(Buffer.from(data[0].b64_json, "base64")).metadata()).toMatchObject(size);
    }
  });

  test("a revised prompt passes the project's content policies, like any text of a model", async () => {
    const screened = await gateway.key({ project: "screened", mode: "live" });
    const block = (action: string) =>
      gateway.policy(screened, "content", { blocked_terms: { enabled: true, terms: ["painted"], action } });
    stub.answer({ "POST /v1/images/generations": openAiAnswer });
    const revised = async () => (await made({ prompt: "a fox" }, screened)).data[0].revised_prompt;
    await block("redact");
    expect(await revised()).toBe("a fox, [REDACTED]");
    await block("block");
    expect(await revised()).toBe("a fox");
  });

  test("a result by URL is fetched from where the operator pointed the vendor, and nowhere else inside", async () => {
    const created = says({ id: "t1" });
    const ready = (sample: string) => says({ status: "Ready", result: { sample } });
    stub.answer({
      "POST /v1/flux-dev": created,
      "GET /v1/get_result": ready(`${stub.url}/sample.png`),
      "GET /sample.png": () => new Response(TINY_PNG),
    });
    expect((await generate({ prompt: "x", model: "image-c-dev" }, live)).status).toBe(200);
    stub.answer({
      "POST /v1/flux-dev": created,
      "GET /v1/get_result": ready("http://169.254.169.254/latest/meta-data"),
      "POST /v1/models/": says({}, 402),
    });
    expect((await generate({ prompt: "x", model: "image-c-dev" }, live)).status).toBe(503);
  });

  test("an expired link, a page in place of a picture and a failing vendor fall back to the next upstream", async () => {
    const replicate: Record<string, MediaHandler> = {
      "POST /v1/models/black-forest-labs/": says({ id: "p1", status: "succeeded", output: `${stub.url}/other.png` }, 201),
      "GET /other.png": () => new Response(TINY_PNG),
    };
    const flux = {
      "POST /v1/flux-pro-1.1": says({ id: "t1" }),
      "GET /v1/get_result": says({ status: "Ready", result: { sample: `${stub.url}/sample.png` } }),
    };
    const faults: Record<string, MediaHandler>[] = [
      { ...flux, "GET /sample.png": () => new Response("expired", { status: 403 }) },
      { ...flux, "GET /sample.png": () => new Response("<html>", { headers: { "content-type": "image/png" } }) },
      { "POST /v1/flux-pro-1.1": says({}, 500) },
    ];
    for (const fault of faults) {
      stub.answer({ ...replicate, ...fault });
      const response = await generate({ prompt: "x", model: "image-c-pro" }, live);
      expect(response.status).toBe(200);
      const { svc } = (await response.json()) as any;
      expect(svc).toMatchObject({ model_used: "image-c-pro", cost_usd: 0.055 });
      // So that the breaker does not decide the next round.
      gateway.clock.advance(6_000);
    }
  });

  test("a moderated prompt ends at once, with no second upstream asked", async () => {
    stub.answer({
      "POST /v1/flux-pro-1.1": says({ id: "t1" }),
      "GET /v1/get_result": says({ status: "Request Moderated" }),
      "POST /v1/models/": says({}, 500),
    });
    expect(await refusal({ prompt: "x", model: "image-c-pro" }, live)).toEqual({
      status: 400,
      type: "content_policy_violation",
      param: "prompt",
    });
    expect(stub.asks.some(({ path }) => path.startsWith("/v1/models"))).toBe(false);
  });

  test("a caller hears nothing of keys, addresses or the upstream's own words; the log has these", async () => {
    stub.answer({
      "POST /v1/images/generations": says({ error: { message: `key sk-secret at ${stub.url} is broken` } }, 500),
      "POST /v1/models/": says({ detail: "r8-secret" }, 500),
    });
    const response = await generate({ prompt: "x" }, live);
    const text = await response.text();
    for (const secret of ["sk-secret", "r8-secret", stub.url, "is broken"]) expect(text).not.toContain(secret);
    const row = await gateway.read(live, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
    const told = row.execution.attempts.map(({ failure_message }: any) => failure_message).join();
    expect(told).toContain("is broken");
    for (const secret of ["sk-secret", "r8-secret", stub.url]) expect(told).not.toContain(secret);
  });

  test("a model of which no upstream is configured names the variable to set", async () => {
    const response = await generate({ prompt: "x", model: "image-d-2" }, await gateway.key({ project: "bare", mode: "live" }));
    // Ideogram has no key here; Replicate, which has, does not answer.
    expect(response.status).toBe(503);
    const bare = await startGateway();
    try {
      const none = await bare.send(await bare.key({ mode: "live" }), "POST", PATH, { prompt: "x" });
      expect([none.status, ((await none.json()) as any).error.message]).toEqual([503, expect.stringContaining("OPENAI_API_KEY")]);
    } finally {
      await bare.stop();
    }
  });

  test("after five failures in a row the vendor rests, and the next one is asked at once", async () => {
    const resting = await startGateway({ environment: { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: `${stub.url}/v1` } });
    try {
      const asker = await resting.key({ mode: "live" });
      stub.answer({ "POST /v1/images/generations": says({}, 500) });
      for (let call = 0; call < 3; call++) await resting.send(asker, "POST", PATH, { prompt: "x" });
      const asked = stub.asks.length;
      expect(asked).toBe(5);
      const rest = await resting.send(asker, "POST", PATH, { prompt: "x" });
      expect([rest.status, stub.asks.length]).toEqual([503, asked]);
      expect(Number(rest.headers.get("retry-after"))).toBeGreaterThan(1);
      stub.answer({ "POST /v1/images/generations": openAiAnswer });
      resting.clock.advance(31_000);
      expect((await resting.send(asker, "POST", PATH, { prompt: "x" })).status).toBe(200);
    } finally {
      await resting.stop();
    }
  });

  test("an operator's own list of upstreams replaces the catalog's", async () => {
    const own = await startGateway({
      environment: { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: `${stub.url}/v1` },
      settings: `providers:\n  mine:\n    base_url: ${stub.url}/mine/v1\nmedia_models:\n  image-a-3:\n    - provider: mine\n      model: stable-diffusion\n`,
    });
    try {
      stub.answer({ "POST /mine/v1/images/generations": openAiAnswer });
      const response = await own.send(await own.key({ mode: "live" }), "POST", PATH, { prompt: "x" });
      expect([response.status, ((await response.json()) as any).svc.model_used]).toEqual([200, "image-a-3"]);
      expect(stub.asks[0]!.json.model).toBe("stable-diffusion");
    } finally {
      await own.stop();
    }
  });

  test("an idempotency key buys one picture", async () => {
    stub.answer({ "POST /v1/images/generations": inTurn(openAiAnswer, says({}, 500)) });
    const send = () => gateway.send(live, "POST", PATH, { prompt: "once" }, { "idempotency-key": "pic-1" });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers.get("x-svc-idempotent-replay")]).toEqual([200, 200, "true"]);
    expect(await second.text()).toBe(await first.text());
    expect(stub.asks).toHaveLength(1);
  });
});

test("OpenAI's SDK generates images unchanged", async () => {
  const client = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const result = await client.images.generate({
    prompt: "a red fox",
    model: "image-b-3",
    n: 2,
    size: "1024x1024",
    response_format: "b64_json",
  });
  expect(result.data!.map(({ b64_json }) => b64_json!.slice(0, 8))).toEqual(["iVBORw0K", "iVBORw0K"]);
  const stream = await client.images.generate({ prompt: "a red fox", model: "image-a-2", stream: true, partial_images: 2 });
  const events: any[] = await Array.fromAsync(stream);
  expect(events).toMatchObject([
    {
      type: "image_generation.completed",
      output_format: "png",
      quality: "medium",
      usage: { total_tokens: 0 },
      svc: { cost_usd: 0.02 },
    },
  ]);
  expect(events[0].b64_json).toStartWith("iVBORw0K");
  const refused = await client.images.generate({ prompt: "x [[sandbox:refuse]]", stream: true }).catch((error) => error);
  expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
  expect(refused.type).toBe("content_policy_violation");
});
