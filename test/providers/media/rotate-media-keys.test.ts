import { beforeEach, expect, test } from "bun:test";
import { openAiImages } from "../../../src/providers/media/openai-images.ts";
import { rotateMediaKeys } from "../../../src/providers/media/rotate-media-keys.ts";
import { runway } from "../../../src/providers/media/runway.ts";
import { tavily } from "../../../src/providers/search/tavily.ts";
import { contextFor, endpointAt, failureOf, inTurn, mediaStubOfFile, says, TINY_PNG } from "../../support/media-stub.ts";

const stub = mediaStubOfFile();
const endpoint = endpointAt(stub.url);
const keys = ["one", "two"].map((key) => ({ id: key, key, weight: 1 }));
let refused: string[];
let services: ReturnType<typeof rotateMediaKeys>;
beforeEach(() => {
  refused = [];
  services = rotateMediaKeys(
    "Test",
    keys,
    (key) => ({ ...openAiImages({ ...endpoint, key }), ...runway({ ...endpoint, key }), ...tavily({ ...endpoint, key }) }),
    { clock: { now: () => 1_000 }, onRefused: (id) => void refused.push(id) },
  );
});
const draw = () =>
  services.image!(
    "gpt-image-2",
    { prompt: "a fox", n: 1, width: 1024, height: 1024, quality: "standard", style: "vivid" },
    contextFor(),
  );
const usedKeys = () => stub.asks.map(({ headers }) => headers.get("authorization"));
const drawn = says({ data: [{ b64_json: TINY_PNG.toString("base64") }] });

test("pictures and searches are made with each key in its turn", async () => {
  stub.answer({ "POST /images/generations": drawn, "POST /search": says({ results: [] }) });
  await draw();
  await draw();
  await services.search!({ query: "foxes", maxResults: 5, depth: "basic", includeDomains: [], excludeDomains: [] }, contextFor());
  await services.search!({ query: "foxes", maxResults: 5, depth: "basic", includeDomains: [], excludeDomains: [] }, contextFor());
  expect(usedKeys()).toEqual(["Bearer one", "Bearer two", "Bearer one", "Bearer two"]);
});

test("whatever else a vendor does, it does with each key in its turn", async () => {
  const does = ["image", "edit", "speech", "transcribe", "translate", "startVideo", "moderate", "rerank"] as const;
  const used: string[] = [];
  const connect = (key: string) =>
    Object.fromEntries(does.map((service) => [service, async () => used.push(`${service} ${key}`)]));
  const rotating = rotateMediaKeys("Test", keys, connect, { clock: { now: () => 1_000 }, onRefused: () => undefined });
  for (const service of does)
    for (let times = 0; times < 2; times++) await (rotating[service] as any)("a-model", {}, contextFor());
  expect(used).toEqual(does.flatMap((service) => [`${service} one`, `${service} two`]));
});

test("a refused key is told of and left, and the call goes on with the next", async () => {
  const refusal = says({ error: { message: "bad key" } }, 401);
  stub.answer({ "POST /images/generations": inTurn(refusal, drawn) });
  expect(await draw()).toHaveLength(1);
  await draw();
  expect([usedKeys(), refused]).toEqual([["Bearer one", "Bearer two", "Bearer two"], ["one"]]);
});

test("a video that one key may not create is created with the next, and asked after with the key that knows it", async () => {
  const knowing = "Bearer two";
  stub.answer({
    "POST /v1/text_to_video": ({ headers }) =>
      headers.get("authorization") === knowing
        ? Response.json({ id: "t1" })
        : Response.json({ error: "no credits" }, { status: 402 }),
    "GET /v1/tasks/t1": ({ headers }) =>
      headers.get("authorization") === knowing
        ? Response.json({ status: "RUNNING", progress: 0.5 })
        : Response.json({ error: "not found" }, { status: 404 }),
  });
  const film = { prompt: "a train", durationSeconds: 5, resolution: "720p", aspectRatio: "16:9" } as const;
  expect(await services.startVideo!("gen4.5", film, contextFor())).toBe("t1");
  expect(await services.videoStatus!("gen4.5", "t1", contextFor())).toEqual({ state: "processing", progressPercent: 50 });
  for (const status of [400, 401, 429]) {
    stub.answer({ "GET /v1/tasks/t1": inTurn(says({}, status), says({ status: "RUNNING", progress: 0.5 })) });
    expect(await services.videoStatus!("gen4.5", "t1", contextFor())).toEqual({ state: "processing", progressPercent: 50 });
  }
  for (const [answers, kind] of [
    [[404, 404], "model_gone"],
    [[401, 404], "auth"],
    [[429, 404], "rate_limit"],
    [[404, 422], "bad_request"],
  ] as const) {
    stub.answer({ "GET /v1/tasks/t1": inTurn(...answers.map((status) => says({}, status))) });
    expect((await failureOf(services.videoStatus!("gen4.5", "t1", contextFor()))).kind).toBe(kind);
  }
});
