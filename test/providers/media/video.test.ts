import { describe, expect, test } from "bun:test";
import { fal } from "../../../src/providers/media/fal.ts";
import { geminiVideos } from "../../../src/providers/media/gemini-videos.ts";
import { luma } from "../../../src/providers/media/luma.ts";
import { replicate } from "../../../src/providers/media/replicate.ts";
import { runway } from "../../../src/providers/media/runway.ts";
import { stability } from "../../../src/providers/media/stability.ts";
import type { VideoRequest } from "../../../src/providers/media-calls.ts";
import { contextFor, endpointAt, failureOf, inTurn, mediaStubOfFile, says, sends, TINY_PNG } from "../../support/media-stub.ts";

const stub = mediaStubOfFile();
const endpoint = endpointAt(stub.url);
const ask = (changes: Partial<VideoRequest> = {}): VideoRequest => ({
  prompt: "a train",
  durationSeconds: 4,
  resolution: "1080p",
  aspectRatio: "16:9",
  ...changes,
});

describe("Runway", () => {
  const video = runway(endpoint);
  const status = (body: unknown) => {
    stub.answer({ "GET /v1/tasks/t1": says(body) });
    return video.videoStatus("gen4.5", "t1", contextFor());
  };

  test("creates a task with its dated version and a ratio in pixels", async () => {
    stub.answer({ "POST /v1/text_to_video": says({ id: "t1" }) });
    expect(await video.startVideo("gen4.5", ask({ aspectRatio: "9:16", durationSeconds: 2.4 }), contextFor())).toBe("t1");
    expect(stub.asks[0]!.json).toEqual({ model: "gen4.5", promptText: "a train", ratio: "1080:1920", duration: 3 });
    expect(stub.asks[0]!.headers.get("x-runway-version")).toBe("2024-11-06");
  });

  test("each of its states is one of ours", async () => {
    expect(await status({ status: "THROTTLED" })).toEqual({ state: "pending" });
    expect(await status({ status: "RUNNING", progress: 0.42 })).toEqual({ state: "processing", progressPercent: 42 });
    expect(await status({ status: "SUCCEEDED", output: ["https://r.example.com/v.mp4"] })).toEqual({
      state: "complete",
      url: "https://r.example.com/v.mp4",
    });
    expect(await status({ status: "CANCELLED" })).toMatchObject({ state: "failed" });
    expect(await status({ status: "FAILED", failure: "x", failureCode: "SAFETY.INPUT.TEXT" })).toEqual({
      state: "failed",
      message: "The prompt was rejected by the upstream's safety system.",
    });
  });

  test("a job that it no longer knows is an error the follower can tell apart", async () => {
    stub.answer({ "GET /v1/tasks/t1": says({ error: "not found" }, 404) });
    expect((await failureOf(video.videoStatus("gen4.5", "t1", contextFor()))).kind).toBe("model_gone");
  });
});

describe("Luma", () => {
  const video = luma(endpoint);

  test("asks for a length it offers and reads its states, whichever base URL is given", async () => {
    stub.answer({ "POST /dream-machine/v1/generations/video": says({ id: "g1", state: "queued" }, 201) });
    expect(await video.startVideo("ray-2", ask({ durationSeconds: 6 }), contextFor())).toBe("g1");
    expect(stub.asks[0]!.json).toMatchObject({ duration: "9s", aspect_ratio: "16:9", resolution: "1080p" });
    for (const path of ["/dream-machine/v1", "/dream-machine"]) {
      await luma({ ...endpoint, baseUrl: stub.url + path }).startVideo("ray-2", ask(), contextFor());
      expect(stub.asks.at(-1)!.path).toBe("/dream-machine/v1/generations/video");
    }
    const states = [
      { state: "queued" },
      { state: "dreaming" },
      { state: "completed", assets: { video: "https://l.example.com/v.mp4" } },
      { state: "failed", failure_reason: "prompt not allowed by moderation" },
    ];
    stub.answer({ "GET /dream-machine/v1/generations/g1": inTurn(...states.map((state) => says(state))) });
    const seen = [];
    for (const _ of states) seen.push(await video.videoStatus("ray-2", "g1", contextFor()));
    expect(seen.map(({ state }) => state)).toEqual(["pending", "processing", "complete", "failed"]);
    expect(seen[3]).toMatchObject({ message: expect.stringContaining("safety") });
  });
});

describe("Gemini Omni", () => {
  const video = geminiVideos(endpoint);
  const status = (body: unknown) => {
    stub.answer({ "GET /v1beta/interactions/v1_a%2Fb": says(body) });
    return video.videoStatus("gemini-omni-1.1-flash", "v1_a/b", contextFor());
  };
  const output = (content: unknown) => [
    { type: "user_input", content: [{ type: "text", text: "a train" }] },
    { type: "thought", summary: [] },
    { type: "model_output", content: [{ type: "text", text: "Here it is." }, content] },
  ];

  test("starts an interaction in the background, with a shape and a length that it offers", async () => {
    stub.answer({ "POST /v1beta/interactions": says({ id: "v1_a/b", status: "queued" }) });
    const asked = ask({ durationSeconds: 60, aspectRatio: "4:3" });
    expect(await video.startVideo("gemini-omni-1.1-flash", asked, contextFor())).toBe("v1_a/b");
    expect(stub.asks[0]!.json).toEqual({
      model: "gemini-omni-1.1-flash",
      input: "a train",
      background: true,
      response_format: { type: "video", delivery: "uri", aspect_ratio: "16:9", resolution: "1080p", duration: "10s" },
    });
    expect(stub.asks[0]!.headers.get("x-goog-api-key")).toBe("secret");
  });

  test("each of its states is one of ours", async () => {
    expect(await status({ status: "queued" })).toEqual({ state: "pending" });
    for (const state of ["in_progress", "new"]) expect(await status({ status: state })).toEqual({ state: "processing" });
    for (const state of ["failed", "cancelled", "incomplete", "budget_exceeded", "requires_action"])
      expect(await status({ status: state, steps: [] })).toEqual({
        state: "failed",
        message: "The upstream could not make the video.",
      });
  });

  test("the video comes by address, which at Google wants the key, or as it is", async () => {
    const done = (content: unknown) => status({ status: "completed", steps: output(content) });
    const uri = `${stub.url}/v1beta/files/f1:download?alt=media`;
    expect(await done({ type: "video", uri })).toEqual({ state: "complete", url: uri, headers: { "x-goog-api-key": "secret" } });
    const elsewhere = "https://elsewhere.example.com/v.mp4";
    expect(await done({ type: "video", uri: elsewhere })).toEqual({ state: "complete", url: elsewhere });
    expect(await status({ status: "completed", output_video: { uri } })).toMatchObject({ state: "complete", url: uri });
    const data = Buffer.from("film").toString("base64");
    expect(await done({ type: "video", data })).toEqual({ state: "complete", bytes: new Uint8Array(Buffer.from("film")) });
  });

  test("a refusal comes as an error or in words", async () => {
    const message = "The prompt was rejected by the upstream's safety system.";
    const words = { type: "text", text: "I cannot make this: it goes against our usage guidelines." };
    expect(await status({ status: "completed", steps: output(words) })).toEqual({ state: "failed", message });
    const error = { code: "invalid_request", message: "Blocked by the safety system." };
    expect(await status({ status: "failed", error })).toEqual({ state: "failed", message });
  });
});

describe("Veo", () => {
  const video = geminiVideos(endpoint);
  const name = "models/veo-3.1/operations/op1";

  test("starts an operation with parameters it takes", async () => {
    stub.answer({ "POST /v1beta/models/veo-3.1:predictLongRunning": says({ name }) });
    expect(
      await video.startVideo("veo-3.1", ask({ resolution: "720p", durationSeconds: 5, aspectRatio: "1:1" }), contextFor()),
    ).toBe(name);
    expect(stub.asks[0]!.json.parameters).toEqual({
      aspectRatio: "16:9",
      durationSeconds: 6,
      resolution: "720p",
      sampleCount: 1,
    });
  });

  test("the result at Google is fetched with the key, one elsewhere without", async () => {
    for (const [uri, headers] of [
      [`${stub.url}/v1beta/files/f1:download`, { "x-goog-api-key": "secret" }],
      ["https://elsewhere.example.com/f", undefined],
    ] as const) {
      stub.answer({
        [`GET /v1beta/${name}`]: says({
          name,
          done: true,
          response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
        }),
      });
      expect(await video.videoStatus("veo-3.1", name, contextFor())).toEqual({
        state: "complete",
        url: uri,
        ...(headers && { headers }),
      });
    }
  });

  test("filtered results, errors and running operations are told apart", async () => {
    const status = (body: unknown) => {
      stub.answer({ [`GET /v1beta/${name}`]: says(body) });
      return video.videoStatus("veo-3.1", name, contextFor());
    };
    expect(await status({ name })).toEqual({ state: "processing" });
    expect(await status({ name, done: false, error: null })).toEqual({ state: "processing" });
    expect(
      await status({ done: true, response: { generateVideoResponse: { raiMediaFilteredReasons: ["violence"] } } }),
    ).toMatchObject({ state: "failed", message: expect.stringContaining("safety") });
    expect(await status({ done: true, error: { code: 13, message: "internal" } })).toMatchObject({ state: "failed" });
  });

  test("an operation name that would leave the path is refused before it is asked", async () => {
    stub.answer({});
    for (const bad of ["../../admin", "https://evil.example.com", "a?b", "//x"])
      expect((await failureOf(video.videoStatus("veo-3.1", bad, contextFor()))).kind).toBe("bad_request");
    expect(stub.asks).toHaveLength(0);
  });
});

describe("Stability", () => {
  const video = stability(endpoint);

  test("makes a still first, then sets it in motion", async () => {
    stub.answer({
      "POST /v2beta/stable-image/generate/core": says({ image: TINY_PNG.toString("base64"), finish_reason: "SUCCESS" }),
      "POST /v2beta/image-to-video": says({ id: "v1" }),
    });
    expect(await video.startVideo("svd", ask({ aspectRatio: "1:1" }), contextFor())).toBe("v1");
    const still = stub.asks[1]!.form!.get("image") as unknown as File;
    expect(await new Bun.Image(await still.bytes()).metadata()).toMatchObject({ width: 768, height: 768 });
  });

  test("202 is still working, 200 names where the bytes are, filtered is failed", async () => {
    stub.answer({
      "GET /v2beta/image-to-video/result/v1": inTurn(
        says({ id: "v1", status: "in-progress" }, 202),
        () => new Response("mp4", { headers: { "content-type": "video/mp4", "finish-reason": "CONTENT_FILTERED" } }),
        () => new Response("mp4", { headers: { "content-type": "video/mp4", "finish-reason": "SUCCESS" } }),
        sends("hm", "application/json"),
      ),
    });
    expect(await video.videoStatus("svd", "v1", contextFor())).toEqual({ state: "processing" });
    expect(await video.videoStatus("svd", "v1", contextFor())).toMatchObject({ state: "failed" });
    expect(await video.videoStatus("svd", "v1", contextFor())).toMatchObject({
      state: "complete",
      url: `${stub.url}/v2beta/image-to-video/result/v1`,
    });
    expect((await failureOf(video.videoStatus("svd", "v1", contextFor()))).kind).toBe("server");
  });
});

describe("Replicate and fal", () => {
  test("a prediction is followed by its id", async () => {
    const video = replicate(endpoint);
    stub.answer({
      "POST /v1/models/luma/ray-2/predictions": says({ id: "p1", status: "starting" }, 201),
      "GET /v1/predictions/p1": inTurn(
        says({ status: "starting" }),
        says({ status: "processing" }),
        says({ status: "succeeded", output: "https://r.example.com/v.mp4" }),
        says({ status: "canceled" }),
      ),
    });
    const id = await video.startVideo("luma/ray-2", ask(), contextFor());
    const states = [];
    for (let look = 0; look < 4; look++) states.push((await video.videoStatus("luma/ray-2", id, contextFor())).state);
    expect(states).toEqual(["pending", "processing", "complete", "failed"]);
  });

  test("a queued request carries its own places, so that it can be followed after a restart", async () => {
    const video = fal(endpoint);
    stub.answer({
      "POST /fal-ai/veo3.1": says({
        request_id: "r1",
        status_url: `${stub.url}/own/status`,
        response_url: `${stub.url}/own/response`,
      }),
      "GET /own/status": inTurn(says({ status: "IN_QUEUE" }), says({ status: "COMPLETED" })),
      "GET /own/response": says({ video: { url: "https://fal.example.com/v.mp4" } }),
    });
    const id = await video.startVideo("fal-ai/veo3.1", ask(), contextFor());
    const restarted = fal(endpoint);
    expect(await restarted.videoStatus("fal-ai/veo3.1", id, contextFor())).toEqual({ state: "pending" });
    expect(await restarted.videoStatus("fal-ai/veo3.1", id, contextFor())).toEqual({
      state: "complete",
      url: "https://fal.example.com/v.mp4",
    });
  });
});

test.each([
  ["Runway", runway, "/v1/text_to_video"],
  ["Luma", luma, "/dream-machine/v1/generations/video"],
  ["Gemini", geminiVideos, "/v1beta/interactions"],
  ["Replicate", replicate, "/v1/models/"],
])("a job of %s without a name is none: nobody could ask for it", async (_, vendor, path) => {
  stub.answer({ [`POST ${path}`]: says({ id: "", name: "" }) });
  const failure = await failureOf(vendor(endpoint).startVideo("a/b", ask(), contextFor()));
  expect([failure.kind, failure.details.accepted]).toEqual(["server", true]);
  expect(failure.message).toContain("contains no");
});
