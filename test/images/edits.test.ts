/** `POST /v1/images/edits`: pictures changed as a prompt says, with the answers, limits and prices of generations. */

import { describe, expect, test } from "bun:test";
import OpenAI, { toFile } from "openai";
import { drawImage } from "../../src/providers/sandbox/media/draw-image.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { mediaStubOfFile, says, sends, TINY_PNG } from "../support/media-stub.ts";

const PATH = "/v1/images/edits";
const stub = mediaStubOfFile();
const gateway = await gatewayOfFile({
  environment: {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: `${stub.url}/v1`,
    FAL_KEY: "fal-secret",
    FAL_BASE_URL: stub.url,
    STABILITY_API_KEY: "st-secret",
    STABILITY_BASE_URL: stub.url,
  },
});
const key = await gateway.key();
const live = await gateway.key({ mode: "live" });

const png = (await drawImage("a fox", 320, 180, "")) as Uint8Array<ArrayBuffer>;
const square = (await drawImage("a fox", 64, 64, "")) as Uint8Array<ArrayBuffer>;
const jpeg = new Uint8Array(await new Bun.Image(png).jpeg().bytes());
/** The same, taken with the camera held upright: its head says so (Exif), its pixels lie on their side. */
const turned = new Uint8Array(
  Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from("ffe100224578696600004d4d002a00000008000101120003000000010006000000000000", "hex"),
    jpeg.subarray(2),
  ]),
);
const fileOf = (bytes: Uint8Array<ArrayBuffer> | string, name = "fox.png") => new File([bytes], name);

/** The smallest PNGs of one pixel, with transparency and without. */
const CLEAR = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

type Fields = Record<string, string | File | File[] | undefined>;
const formOf = (fields: Fields): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const each of [value ?? []].flat()) form.append(name, each);
  return form;
};
const edit = (fields: Fields = {}, as: TestKey = key) =>
  gateway.send(as, "POST", PATH, formOf({ image: fileOf(square), prompt: "Put a hat on it.", ...fields }));
const edited = async (fields: Fields = {}, as: TestKey = key): Promise<any> => (await edit(fields, as)).json();
const logOf = (as: TestKey, response: Response): Promise<any> =>
  gateway.read(as, `/v1/logs/${response.headers.get("x-svc-request-id")}`);
const drawn = says({ data: [{ b64_json: TINY_PNG.toString("base64") }] });

describe("the answer", () => {
  test("is that of a generation, with a signed link to a picture that opens", async () => {
    const response = await edit();
    expect(response.status).toBe(200);
    const body = (await response.json()) as any;
    expect(Object.keys(body.svc).sort()).toEqual(["cost_usd", "latency_ms", "model_used", "quality", "request_id", "size"]);
    expect(body.svc).toMatchObject({ model_used: "image-a-3", size: "1024x1024", quality: "standard", cost_usd: 0.04 });
    const [{ url, revised_prompt }] = body.data;
    expect({ url, revised_prompt }).toEqual({
      url: expect.stringMatching(/\/v1\/files\/file_/),
      revised_prompt: "Put a hat on it.",
    });
    const file = await fetch(url);
    expect(await new Bun.Image(await file.bytes()).metadata()).toMatchObject({ width: 1024, height: 1024, format: "png" });
    const row = await logOf(key, response);
    expect(row).toMatchObject({
      prompt: { text: "Put a hat on it." },
      metadata: { kind: "image", endpoint: PATH },
      execution: { cost_usd: 0.04, attempts: [{ success: true }] },
    });
  });

  test("has the picture as a link and in base64, unless one of them is asked for", async () => {
    const formsOf = async (response_format?: string) =>
      Object.keys((await edited({ size: "256x256", model: "image-a-2", response_format })).data[0]).sort();
    expect(await formsOf()).toEqual(["b64_json", "revised_prompt", "url"]);
    expect(await formsOf("url")).toEqual(["revised_prompt", "url"]);
    expect(await formsOf("b64_json")).toEqual(["b64_json", "revised_prompt"]);
    const [{ url, b64_json }] = (await edited({ size: "256x256", model: "image-a-2" })).data;
    expect(Buffer.from(b64_json, "base64").equals(await (await fetch(url)).bytes())).toBe(true);
  });

  test("without a size has the shape of the first picture, as it is to be seen", async () => {
    const [flat, upright] = [fileOf(jpeg, "fox.jpg"), fileOf(turned, "fox.jpg")];
    const sizes = [{}, { size: "auto" }, { size: "" }, { image: flat }, { image: upright }, { size: "1792x1024" }];
    const made = [];
    for (const fields of sizes) made.push((await edited({ image: fileOf(png), ...fields })).svc.size);
    expect(made).toEqual(["1360x768", "1360x768", "1360x768", "1360x768", "768x1360", "1792x1024"]);
  });

  test("takes the sizes and the words for quality that OpenAI's models have", async () => {
    const svcOf = async (fields: Fields) => {
      const { model_used, size, quality, cost_usd } = (await edited({ image: fileOf(png), ...fields })).svc;
      return [model_used, size, quality, cost_usd];
    };
    expect(await svcOf({ size: "1536x1024", quality: "high" })).toEqual(["image-a-3", "1536x1024", "hd", 0.08]);
    expect(await svcOf({ size: "1024x1536", quality: "medium" })).toEqual(["image-a-3", "1024x1536", "standard", 0.04]);
    expect((await svcOf({ quality: "low" }))[2]).toBe("standard");
    expect((await svcOf({ model: "image-a-2", size: "256x256", quality: "high" }))[2]).toBe("standard");
  });

  test("is the same each time for the same pictures, and another for others", async () => {
    const b64 = async (fields: Fields) =>
      (await edited({ model: "image-a-2", size: "256x256", response_format: "b64_json", ...fields })).data[0].b64_json;
    const other = [fileOf(square), fileOf(png)];
    expect(await b64({})).toBe(await b64({}));
    expect(await b64({})).not.toBe(await b64({ image: undefined, "image[]": other }));
  });

  test("names what had no effect, and so does that of a generation", async () => {
    const fields = { background: "transparent", output_format: "webp", moderation: "auto", partial_images: "2" };
    expect((await edited(fields)).svc.ignored_parameters).toEqual(["background", "output_format", "partial_images"]);
    expect((await edited({ moderation: "low" })).svc.ignored_parameters).toEqual(["moderation"]);
    const body = { prompt: "x", background: "opaque", output_compression: 50, moderation: null };
    const made = await (await gateway.send(key, "POST", "/v1/images/generations", body)).json();
    expect((made as any).svc.ignored_parameters).toEqual(["background", "output_compression"]);
  });

  test("costs and counts as a generation does, and gives back what failed", async () => {
    const free = await gateway.key({ project: "free-edits", tier: "free" });
    const first = await edit({ model: "image-a-2", n: "4", size: "256x256" }, free);
    expect([((await first.json()) as any).svc.cost_usd, first.headers.get("x-ratelimit-remaining")]).toEqual([0.064, "1"]);
    expect((await edit({ prompt: "x [[sandbox:error-500:always]]" }, free)).status).toBe(503);
    expect((await edit({ model: "image-a-2", n: "2" }, free)).status).toBe(429);
    expect((await gateway.read(free, "/v1/usage")).limits.images.used).toBe(4);
  });
});

test("OpenAI's SDK edits one picture, several, within a mask, and hears events", async () => {
  const { images } = new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const image = await toFile(CLEAR, "dot.png", { type: "image/png" });
  const prompt = "Make it red.";
  const one = await images.edit({ image, prompt, mask: image, response_format: "b64_json", size: "1024x1024" });
  expect(one.data![0]!.b64_json).toStartWith("iVBOR");
  const several = await images.edit({
    image: [image, await toFile(jpeg, "fox.jpg")],
    prompt,
    model: "image-a-2",
    n: 2,
    user: "ann",
  });
  expect(several.data).toHaveLength(2);
  const stream = await images.edit({ image, prompt, stream: true, partial_images: 0 });
  const events: any[] = await Array.fromAsync(stream);
  expect(events).toMatchObject([{ type: "image_edit.completed", output_format: "png", svc: { cost_usd: 0.04 } }]);
  expect(Buffer.from(events[0].b64_json, "base64").subarray(1, 4).toString()).toBe("PNG");
});

describe("what is refused", () => {
  const refusal = async (fields: Fields, as: TestKey = key) => {
    const response = await edit(fields, as);
    const { error } = (await response.json()) as any;
    return [response.status, error.type, error.param];
  };

  test("wrong fields, by their names", async () => {
    const cases: [Fields, string][] = [
      [{ prompt: undefined }, "prompt"],
      [{ prompt: " \n" }, "prompt"],
      [{ prompt: "x".repeat(4001) }, "prompt"],
      [{ model: "dall-e-2" }, "model"],
      [{ n: "2" }, "n"],
      [{ n: "many" }, "n"],
      [{ model: "image-a-2", n: "11" }, "n"],
      [{ size: "512x512" }, "size"],
      [{ size: "big" }, "size"],
      [{ size: "constructor" }, "size"],
      [{ quality: "best" }, "quality"],
      [{ model: "image-a-2", quality: "hd" }, "quality"],
      [{ response_format: "png" }, "response_format"],
      [{ stream: "perhaps" }, "stream"],
      [{ user: "u".repeat(513) }, "user"],
    ];
    for (const [fields, param] of cases) expect([param, await refusal(fields)]).toEqual([param, [400, "invalid_request", param]]);
    expect((await gateway.send(key, "POST", PATH, { prompt: "x" })).status).toBe(415);
  });

  test("files that are no pictures, too many or too large", async () => {
    const clear = fileOf(CLEAR);
    const cases: [Fields, string][] = [
      [{ image: undefined }, "image"],
      [{ image: "https://example.com/fox.png" }, "image"],
      [{ image: fileOf("") }, "image"],
      [{ image: fileOf("no picture at all") }, "image"],
      [{ image: fileOf("GIF89a\u0001\u0000\u0001\u0000", "fox.gif") }, "image"],
      [{ image: fileOf(png.slice(0, 20)) }, "image"],
      [{ image: fileOf(claiming(png, 60_000, 60_000)) }, "image"],
      [{ image: fileOf(claiming(png, 4_097, 4_097)) }, "image"],
      [{ image: Array.from({ length: 2 }, () => clear) }, "image"],
      [{ image: undefined, "image[]": Array.from({ length: 17 }, () => clear) }, "image"],
      [{ image: fileOf(Buffer.concat([png, new Uint8Array(20 * 1_048_576)])) }, "image"],
      [{ image: fileOf(Buffer.concat([png, new Uint8Array(22 * 1_048_576)])) }, "image"],
      [{ image: clear, mask: fileOf("nothing") }, "mask"],
      [{ image: clear, mask: fileOf(jpeg) }, "mask"],
      [{ image: clear, mask: fileOf(TINY_PNG) }, "mask"],
      [{ image: fileOf(png), mask: fileOf(Buffer.concat([jpeg, Buffer.from("tRNS")])) }, "mask"],
      [{ image: fileOf(square), mask: clear }, "mask"],
      [{ image: clear, mask: fileOf(claiming(CLEAR, 1, 2)) }, "mask"],
      [{ image: clear, mask: fileOf(claiming(CLEAR, 2, 1)) }, "mask"],
    ];
    for (const [index, [fields, param]] of cases.entries())
      expect([index, await refusal(fields)]).toEqual([index, [400, "invalid_request", param]]);
  });

  test("a model whose upstreams do not edit, or take fewer pictures or no mask, whatever the key", async () => {
    stub.answer({});
    for (const as of [key, live])
      for (const [fields, param] of [
        [{ model: "image-b-3" }, "model"],
        [{ model: "image-d-2" }, "model"],
        [{ model: "image-c-dev", image: [], "image[]": [fileOf(square), fileOf(png)] }, "image"],
        [{ model: "image-c-pro", image: fileOf(CLEAR), mask: fileOf(CLEAR) }, "mask"],
      ] as [Fields, string][])
        expect(await refusal(fields, as)).toEqual([400, "invalid_request", param]);
    expect(stub.asks).toEqual([]);
    expect((await edited({ model: "image-b-3" })).error.message).toContain("image-a-2");
  });

  test("a prompt that the model's guard or a policy refuses", async () => {
    expect(await refusal({ prompt: "x [[sandbox:refuse]]" })).toEqual([400, "content_policy_violation", "prompt"]);
    const guarded = await gateway.key({ project: "guarded-edits" });
    const terms = { enabled: true, terms: ["hat"], action: "block" };
    await gateway.policy(guarded, "content", { evaluate_input: true, blocked_terms: terms });
    const blocked = await edit({}, guarded);
    expect([blocked.status, ((await blocked.json()) as any).error.code]).toEqual([403, "CONTENT_BLOCKED"]);
    const routed = await gateway.key({ project: "routed-edits" });
    await gateway.policy(routed, "routing", { model_block_list: ["image-a-3"], on_violation: "hard_block" });
    expect((await edit({}, routed)).status).toBe(403);
    const narrow = await gateway.key({ project: "narrow-edits", scopes: ["chat"] });
    expect((await edit({}, narrow)).status).toBe(403);
  });
});

describe("upstreams", () => {
  test("OpenAI gets the form that its own clients send", async () => {
    stub.answer({ "POST /v1/images/edits": drawn });
    const response = await edit({ image: fileOf(CLEAR), mask: fileOf(CLEAR), quality: "hd", user: "ann" }, live);
    expect([response.status, ((await response.json()) as any).svc.cost_usd]).toEqual([200, 0.08]);
    const { form } = stub.asks[0]!;
    expect([...form!.keys()].sort()).toEqual(["image", "mask", "model", "n", "prompt", "quality", "size"]);
    expect(["model", "n", "prompt", "quality", "size"].map((name) => form!.get(name))).toEqual([
      "gpt-image-2",
      "1",
      "Put a hat on it.",
      "high",
      "1024x1024",
    ]);
    expect(await (form!.get("image") as unknown as File).bytes()).toEqual(new Uint8Array(CLEAR));
    expect((await logOf(live, response)).metadata.user_id).toBe("ann");
  });

  test("the next that edits is asked where one fails, and none that cannot", async () => {
    stub.answer({
      "POST /v1/images/edits": says({ error: { message: "down" } }, 500),
      "POST /openai/gpt-image-2/edit": says({ request_id: "r1" }),
      "GET /openai/gpt-image-2/requests/r1/status": says({ status: "COMPLETED" }),
      "GET /openai/gpt-image-2/requests/r1": says({ images: [{ url: `${stub.url}/made.png` }] }),
      "GET /made.png": sends(TINY_PNG, "image/png"),
    });
    const response = await edit({ image: undefined, "image[]": [fileOf(square), fileOf(jpeg, "fox.jpg")] }, live);
    expect(response.status).toBe(200);
    const asked = stub.asks.find(({ path }) => path === "/openai/gpt-image-2/edit")!.json;
    expect(asked.image_urls.map((url: string) => url.slice(0, 23))).toEqual([
      "data:image/png;base64,i",
      "data:image/jpeg;base64,",
    ]);
    const { execution } = await logOf(live, response);
    expect(execution.attempts.map(({ provider, success }: any) => [provider, success])).toEqual([
      ["openai", false],
      ["openai", false],
      ["fal", true],
    ]);
  });

  test("a server of the owner's own edits with the model that the settings name", async () => {
    const settings = `providers:
  own:
    base_url: ${stub.url}/own/v1
media_models:
  image-b-3:
    - { provider: own, model: sd-3.5, editor: { model: qwen-image-edit, pictures: 2 } }
`;
    const other = await gatewayOfFile({ settings });
    stub.answer({ "POST /own/v1/images/edits": drawn });
    const form = formOf({ "image[]": [fileOf(square), fileOf(png)], prompt: "x", model: "image-b-3" });
    const response = await other.send(await other.key({ mode: "live" }), "POST", PATH, form);
    expect(response.status).toBe(200);
    expect(stub.asks[0]!.form!.get("model")).toBe("qwen-image-edit");
    expect(stub.asks[0]!.form!.getAll("image[]")).toHaveLength(2);
  });

  test("what comes back is checked to be a picture", async () => {
    const text = Buffer.from("<html>").toString("base64");
    stub.answer({ "POST /v1/images/edits": says({ data: [{ b64_json: text }] }) });
    expect((await edit({ model: "image-a-2" }, live)).status).toBe(503);
  });
});

/** A PNG whose head says that it has so many pixels. */
function claiming(picture: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(picture.slice());
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return new Uint8Array(bytes);
}
