/** A video is created once, at the first upstream that can have it. */

import { beforeEach, describe, expect, test } from "bun:test";
import { startGateway } from "../support/gateway.ts";
import { type MediaHandler, says } from "../support/media-stub.ts";
import { videoJobs } from "./video-jobs.ts";

const PATH = "/v1/video/generations";
const { stub, environment, gateway, live, start, startLive } = await videoJobs();

// Breakers of one test must not meet the next.
beforeEach(() => {
  for (const provider of ["runway", "replicate"]) gateway.platform.providers.health.forgive(provider);
});

describe("creation", () => {
  test("goes to another upstream where the first certainly has none", async () => {
    stub.answer({
      "POST /v1/text_to_video": says({ error: "no credits" }, 402),
      "POST /v1/models/runwayml/gen-4.5/predictions": says({ id: "p1", status: "starting" }, 201),
      "GET /v1/predictions/p1": says({ status: "starting" }),
    });
    await startLive();
    expect(stub.asks.filter(({ method }) => method === "POST")).toHaveLength(2);
  });

  test("goes to another upstream where the first shows a certificate that does not hold: it was sent nothing", async () => {
    const { key, cert } = await import("../fixtures/self-signed.json");
    const impostor = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: { key, cert }, fetch: () => new Response() });
    const other = await startGateway({
      environment: { ...environment, RUNWAYML_BASE_URL: `https://localhost:${impostor.port}` },
    });
    stub.answer({ "POST /v1/models/runwayml/gen-4.5/predictions": says({ id: "p1", status: "starting" }, 201) });
    const started = await start({ prompt: "once" }, await other.key({ mode: "live" }), other);
    await other.stop();
    await impostor.stop(true);
    expect(started.status).toBe(202);
  });

  test("is never repeated where its outcome is not known", async () => {
    const unknown: MediaHandler[] = [
      () => new Promise<Response>(() => {}),
      () => new Response("half a", { status: 200, headers: { "content-type": "application/json" } }),
      says({}, 502),
      says({}, 504),
      says({ no: "id" }),
    ];
    for (const handler of unknown) {
      gateway.clock.advance(61_000);
      stub.answer({ "POST /v1/text_to_video": handler, "POST /v1/models/": says({ id: "p1" }, 201) });
      expect((await start({ prompt: "once" }, live)).status).toBe(503);
      expect(stub.asks.filter(({ method }) => method === "POST")).toHaveLength(1);
    }
    const list = await gateway.read(live, `${PATH}?limit=1`);
    expect(list.jobs[0]).toMatchObject({ prompt: "once", status: "failed" });
  });

  test("is not repeated where the connection ended after the order was sent", async () => {
    const closing = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => socket.terminate() } });
    const other = await startGateway({ environment: { ...environment, RUNWAYML_BASE_URL: `http://127.0.0.1:${closing.port}` } });
    stub.answer({ "POST /v1/models/": says({ id: "p1", status: "starting" }, 201) });
    expect((await start({ prompt: "once" }, await other.key({ mode: "live" }), other)).status).toBe(503);
    // An earlier test's video may still be asked after.
    expect(stub.asks.filter(({ method }) => method === "POST")).toEqual([]);
    await other.stop();
    closing.stop(true);
  });

  test("that no upstream takes on is none of the day's", async () => {
    gateway.clock.advance(61_000);
    const key = await gateway.key({ project: "unlucky", mode: "live", settings: { limits: { video: { perDay: 1 } } } });
    const refusing = { "POST /v1/text_to_video": says({}, 402), "POST /v1/models/": says({}, 402) };
    stub.answer(refusing);
    for (let tries = 0; tries < 2; tries++) expect((await start({ prompt: "refused" }, key)).status).toBe(503);
    gateway.clock.advance(10 * 60_000);
    stub.answer({ "POST /v1/text_to_video": says({ id: "t1" }), "GET /v1/tasks/t1": says({ status: "PENDING" }) });
    expect([(await start({ prompt: "made" }, key)).status, (await start({ prompt: "too many" }, key)).status]).toEqual([
      202, 429,
    ]);
  });

  test("goes on when the caller hangs up: what the upstream accepted is followed", async () => {
    gateway.clock.advance(61_000);
    let accept: (() => void) | undefined;
    stub.answer({
      "POST /v1/text_to_video": () =>
        new Promise<Response>((resolve) => {
          accept = () => resolve(Response.json({ id: "t1" }));
        }),
      "GET /v1/tasks/t1": says({ status: "PENDING" }),
    });
    const caller = new AbortController();
    const asked = fetch(`${gateway.url}${PATH}`, {
      method: "POST",
      signal: caller.signal,
      headers: { authorization: `Bearer ${live.text}`, "content-type": "application/json" },
      body: JSON.stringify({ prompt: "hung up" }),
    }).catch(() => {});
    while (accept === undefined) await Bun.sleep(1);
    caller.abort();
    await asked;
    accept();
    const found = async () => (await gateway.read(live, `${PATH}?limit=1`)).jobs[0];
    while ((await found()).prompt !== "hung up" || stub.asks.length < 2) await Bun.sleep(1);
    expect((await found()).status).toBe("pending");
  });
});

describe("an upstream is asked for the nearest that it offers", () => {
  const runwayAnswers = { "POST /v1/text_to_video": says({ id: "t1" }), "GET /v1/tasks/t1": says({ status: "PENDING" }) };
  const replicateAnswers = {
    "POST /v1/text_to_video": says({}, 402),
    "POST /v1/models/": says({ id: "p1", status: "starting" }, 201),
    "GET /v1/predictions/p1": says({ status: "starting" }),
  };
  const predicted = () => stub.asks.find(({ path }) => path.includes("/models/"))!.json.input;

  test("of lengths: one that is not shorter", async () => {
    stub.answer(replicateAnswers);
    gateway.clock.advance(61_000);
    await startLive({ prompt: "x", duration_seconds: 6 });
    expect(predicted().duration).toBe(10);
  });

  test("of resolutions and shapes, while the job shows what was asked for", async () => {
    stub.answer(runwayAnswers);
    gateway.clock.advance(61_000);
    const job = await startLive({ prompt: "x" });
    expect(stub.asks[0]!.json).toMatchObject({ model: "gen4.5", ratio: "1280:720" });
    expect(job).toMatchObject({ resolution: "1080p", aspect_ratio: "16:9" });
    stub.answer(replicateAnswers);
    await startLive({ prompt: "x", model: "video-d", aspect_ratio: "4:3" });
    expect(predicted()).toMatchObject({ resolution: "720p", aspect_ratio: "16:9" });
  });

  test("in an operator's own list too", async () => {
    const own = await startGateway({
      environment,
      settings: "media_models:\n  video-a-3:\n    - provider: runway\n      model: gen4.5\n",
    });
    stub.answer(runwayAnswers);
    const started = await start({ prompt: "x", model: "video-a-3", aspect_ratio: "9:16" }, await own.key({ mode: "live" }), own);
    await own.stop();
    expect([started.status, stub.asks[0]!.json.ratio]).toEqual([202, "720:1280"]);
  });
});
