import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filmSeconds } from "../../src/lib/duration/mp4.ts";
import { makeVideo } from "../../src/providers/sandbox/media/make-video.ts";
import { countUnderWay } from "../../src/video/store.ts";
import { sweepVideos } from "../../src/video/sweep-videos.ts";
import { type Gateway, startGateway, type TestKey } from "../support/gateway.ts";
import { endless, inTurn, type MediaHandler, says, startMediaStub } from "../support/media-stub.ts";

const PATH = "/v1/video/generations";
const stub = startMediaStub();
const environment = {
  RUNWAYML_API_SECRET: "rw-secret",
  RUNWAYML_BASE_URL: stub.url,
  REPLICATE_API_TOKEN: "r8-secret",
  REPLICATE_BASE_URL: stub.url,
  SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "1500",
};
let gateway: Gateway;
let key: TestKey;
let live: TestKey;
let mp4: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  gateway = await startGateway({ environment });
  // Jobs fall due when a test says so, and not while it fetches something large.
  gateway.clock.stop();
  key = await gateway.key();
  live = await gateway.key({ mode: "live" });
  mp4 = new Uint8Array(await makeVideo({ durationSeconds: 4, resolution: "720p", aspectRatio: "16:9" }));
});
afterAll(async () => {
  await gateway.stop();
  stub.stop();
});

const start = (body: unknown, as: TestKey = key, at: Gateway = gateway) => at.send(as, "POST", PATH, body);
const look = async (id: string, as: TestKey = key, at: Gateway = gateway): Promise<any> =>
  (await at.send(as, "GET", `${PATH}/${id}`)).json();
/** Lets the time pass and the followers look. */
const pass = async (ms: number, at: Gateway = gateway) => {
  at.clock.advance(ms);
  at.platform.background.wake();
  await at.platform.background.idle();
};
const startLive = async (body: unknown = { prompt: "a train" }): Promise<any> => {
  const response = await start(body, live);
  expect(response.status).toBe(202);
  const job = await response.json();
  await gateway.platform.background.idle();
  return job;
};
const runway = (...states: unknown[]): Record<string, MediaHandler> => ({
  "POST /v1/text_to_video": says({ id: "t1" }),
  "GET /v1/tasks/t1": inTurn(...states.map((state) => (typeof state === "function" ? (state as MediaHandler) : says(state)))),
});
const video: MediaHandler = () => new Response(mp4, { headers: { "content-type": "video/mp4" } });

describe("the request", () => {
  test("answers 202 with spec.md's fields and defaults", async () => {
    const response = await start({ prompt: "a train" });
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^vid_/),
      status: "pending",
      model: "video-b-gen3",
      prompt: "a train",
      duration_seconds: 4,
      resolution: "1080p",
      aspect_ratio: "16:9",
      estimated_cost_usd: 0.4,
      svc: { request_id: response.headers.get("x-svc-request-id"), model_used: "video-b-gen3", latency_ms: expect.any(Number) },
    });
  });

  test("is refused where a field is wrong", async () => {
    const cases = [
      [{}, "prompt"],
      [{ prompt: "" }, "prompt"],
      [{ prompt: " \n" }, "prompt"],
      [{ prompt: "x", model: "sora" }, "model"],
      [{ prompt: "x", duration_seconds: 17 }, "duration_seconds"],
      [{ prompt: "x", model: "video-d", duration_seconds: 4.5 }, "duration_seconds"],
      [{ prompt: "x", duration_seconds: 0 }, "duration_seconds"],
      [{ prompt: "x", duration_seconds: "4" }, "duration_seconds"],
      [{ prompt: "x", resolution: "4k" }, "resolution"],
      [{ prompt: "x", aspect_ratio: "21:9" }, "aspect_ratio"],
    ] as const;
    for (const [body, param] of cases) {
      const response = await start(body);
      expect([response.status, ((await response.json()) as any).error]).toMatchObject([400, { type: "invalid_request", param }]);
    }
  });

  test("takes each model to its longest and prices the second", async () => {
    for (const [model, seconds, cost] of [
      ["video-a-3", 60, 21],
      ["video-b-gen3", 16, 1.6],
      ["video-c", 10, 0.6],
      ["video-d", 4, 0.268],
    ] as const)
      expect(
        ((await (await start({ prompt: "x", model, duration_seconds: seconds })).json()) as any).estimated_cost_usd,
      ).toBeCloseTo(cost, 9);
  });

  test("a job on its way into the database counts once", async () => {
    const owner = await gateway.key({ project: "once" });
    const { db, limits } = gateway.platform;
    const counts: number[] = [];
    // Between the commit and the answer of the disk other requests look.
    db.onCommit(() =>
      queueMicrotask(() =>
        counts.push(
          limits.occupied({ project: owner.project, mode: "test" }, "video") + countUnderWay(db, owner.project.id, "test"),
        ),
      ),
    );
    expect((await start({ prompt: "a train" }, owner)).status).toBe(202);
    expect(Math.max(...counts)).toBe(1);
  });

  test("counts jobs at once and a day", async () => {
    const free = await gateway.key({ project: "free-video", tier: "free" });
    const answers = await Promise.all([1, 2, 3].map(() => start({ prompt: "x [[sandbox:slow=60000]]" }, free)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
    const daily = await gateway.key({ project: "daily-video", tier: "free" });
    const statuses = [];
    for (let day = 0; day < 6; day++) {
      statuses.push((await start({ prompt: "x" }, daily)).status);
      for (let round = 0; round < 3; round++) await pass(2_000);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});

describe("a job in the sandbox", () => {
  test("is pending, then processing, then complete with a film that plays", async () => {
    const { id } = (await (
      await start({ prompt: "a train", duration_seconds: 3, aspect_ratio: "9:16", resolution: "720p" })
    ).json()) as any;
    await pass(1_100);
    expect(await look(id)).toEqual({
      id,
      status: "processing",
      model: "video-b-gen3",
      prompt: "a train",
      progress_percent: expect.any(Number),
      estimated_remaining_seconds: expect.any(Number),
    });
    await pass(1_500);
    const done = await look(id);
    expect(done).toEqual({
      id,
      status: "complete",
      model: "video-b-gen3",
      prompt: "a train",
      video_url: expect.stringContaining("/v1/files/file_"),
      duration_seconds: 3,
      resolution: "720p",
      aspect_ratio: "9:16",
      svc: {
        request_id: expect.stringMatching(/^call_/),
        model_used: "video-b-gen3",
        generation_time_ms: expect.any(Number),
        cost_usd: 0.3,
      },
    });
    const film = await fetch(done.video_url);
    expect(film.headers.get("content-type")).toBe("video/mp4");
    expect(filmSeconds(await film.bytes())).toBe(3);
    expect((await fetch(done.video_url, { headers: { range: "bytes=4-7" } })).status).toBe(206);
    gateway.clock.advance(24 * 3_600_000 + 1_000);
    expect((await fetch(done.video_url)).status).toBe(404);
  });

  test("that fails says why and costs nothing, in the ledger and the budget", async () => {
    const thrifty = await gateway.key({ project: "thrifty", budgetUsd: 0.5 });
    const { id, svc } = (await (await start({ prompt: "x [[sandbox:fail]]" }, thrifty)).json()) as any;
    for (let round = 0; round < 3; round++) await pass(1_500);
    expect(await look(id, thrifty)).toEqual({
      id,
      status: "failed",
      model: "video-b-gen3",
      prompt: "x [[sandbox:fail]]",
      error_message: expect.any(String),
      svc: { request_id: svc.request_id, model_used: "video-b-gen3" },
    });
    const row = (await (await gateway.send(thrifty, "GET", `/v1/logs/${svc.request_id}`)).json()) as any;
    expect(row.execution.cost_usd).toBe(0);
    expect((await start({ prompt: "x" }, thrifty)).status).toBe(202);
    expect((await start({ prompt: "x" }, thrifty)).status).toBe(429);
  });

  test("is found by its own project alone", async () => {
    const { id } = (await (await start({ prompt: "x" })).json()) as any;
    const stranger = await gateway.key({ project: "stranger" });
    for (const [who, name] of [
      [stranger, id],
      [key, "vid_unknown"],
    ] as const) {
      const response = await gateway.send(who, "GET", `${PATH}/${name}`);
      expect([response.status, ((await response.json()) as any).error.type]).toEqual([404, "not_found"]);
    }
    const list = (await (await gateway.send(stranger, "GET", PATH)).json()) as any;
    expect(list).toEqual({ jobs: [], total: 0 });
    await start({ prompt: "second" }, stranger);
    await start({ prompt: "third" }, stranger);
    const two = (await (await gateway.send(stranger, "GET", `${PATH}?limit=1`)).json()) as any;
    expect([two.total, two.jobs.map(({ prompt }: any) => prompt)]).toEqual([2, ["third"]]);
    const strangerLive = await gateway.key({ project: "stranger", mode: "live" });
    expect(await (await gateway.send(strangerLive, "GET", PATH)).json()).toEqual({ jobs: [], total: 0 });
  });

  test("whose prompt is refused is never a job", async () => {
    const response = await start({ prompt: "x [[sandbox:refuse]]" });
    expect([response.status, ((await response.json()) as any).error.type]).toEqual([400, "content_policy_violation"]);
  });
});

describe("a job at a real upstream", () => {
  test("is followed with its progress, fetched and served", async () => {
    stub.answer({
      ...runway(
        { status: "PENDING" },
        { status: "RUNNING", progress: 0.5 },
        { status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] },
      ),
      "GET /v.mp4": video,
    });
    const { id } = await startLive();
    expect((await look(id, live)).status).toBe("pending");
    await pass(5_000);
    expect(await look(id, live)).toMatchObject({ status: "processing", progress_percent: 50, estimated_remaining_seconds: 5 });
    await pass(5_000);
    const done = await look(id, live);
    expect(done).toMatchObject({ status: "complete", svc: { cost_usd: 0.4 } });
    expect(await (await fetch(done.video_url)).bytes()).toEqual(mp4);
    expect(stub.asks.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("that delivers less than was asked is paid as what it is", async () => {
    stub.answer({ ...runway({ status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }), "GET /v.mp4": video });
    const { id, svc } = await startLive({ prompt: "x", duration_seconds: 10 });
    expect(await look(id, live)).toMatchObject({ status: "complete", duration_seconds: 4, svc: { cost_usd: 0.4 } });
    const row = (await (await gateway.send(live, "GET", `/v1/logs/${svc.request_id}`)).json()) as any;
    expect(row.execution.cost_usd).toBe(0.4);
  });

  test("that the upstream forgot ends failed, after a moment of grace", async () => {
    stub.answer(runway(says({ error: "not found" }, 404)));
    const { id } = await startLive();
    expect((await look(id, live)).status).toBe("pending");
    await pass(61_000);
    expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("no longer knows") });
  });

  test("whose link has expired is asked for a new one", async () => {
    stub.answer({
      ...runway(
        { status: "SUCCEEDED", output: [`${stub.url}/old.mp4`] },
        { status: "SUCCEEDED", output: [`${stub.url}/new.mp4`] },
      ),
      "GET /old.mp4": () => new Response("expired", { status: 403 }),
      "GET /new.mp4": video,
    });
    const { id } = await startLive();
    expect((await look(id, live)).status).toBe("pending");
    await pass(2_000);
    expect((await look(id, live)).status).toBe("complete");
  });

  test("whose result is no film fails", async () => {
    stub.answer({
      ...runway({ status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }),
      "GET /v.mp4": () => new Response("<html>", { headers: { "content-type": "video/mp4" } }),
    });
    const { id } = await startLive();
    expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("no video") });
  });

  test("that takes longer than an hour is given up", async () => {
    stub.answer(runway({ status: "RUNNING", progress: 0.1 }));
    const { id } = await startLive();
    await pass(3_601_000);
    expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("hour") });
  });
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
      says({}, 504),
      says({ no: "id" }),
    ];
    for (const handler of unknown) {
      gateway.clock.advance(61_000);
      stub.answer({ "POST /v1/text_to_video": handler, "POST /v1/models/": says({ id: "p1" }, 201) });
      expect((await start({ prompt: "once" }, live)).status).toBe(503);
      expect(stub.asks.filter(({ method }) => method === "POST")).toHaveLength(1);
    }
    const list = (await (await gateway.send(live, "GET", `${PATH}?limit=1`)).json()) as any;
    expect(list.jobs[0]).toMatchObject({ prompt: "once", status: "failed" });
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
    const found = async () => ((await (await gateway.send(live, "GET", `${PATH}?limit=1`)).json()) as any).jobs[0];
    while ((await found()).prompt !== "hung up" || stub.asks.length < 2) await Bun.sleep(1);
    expect((await found()).status).toBe("pending");
  });
});

test("jobs survive a restart: accepted ones are followed on, interrupted creations are failed and not made again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-video-"));
  try {
    stub.answer({ ...runway({ status: "PENDING" }), "POST /v1/models/": says({}, 500) });
    const before = await startGateway({ environment, folder });
    const owner = await before.key({ mode: "live" });
    const { id } = (await (await start({ prompt: "long" }, owner, before)).json()) as any;
    await before.platform.db.write((sql) =>
      sql.run(
        `INSERT INTO video_jobs (id, project_id, mode, call_id, key_id, model, prompt, duration_seconds, resolution, aspect_ratio, state, cost_nano_usd, created_at)
         VALUES ('vid_cut', ?, 'live', 'call_cut', 'k', 'video-c', 'cut off', 4, '720p', '1:1', 'creating', 1, ?)`,
        owner.project.id,
        before.clock.now(),
      ),
    );
    await before.stop();

    stub.answer({ "GET /v1/tasks/t1": says({ status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }), "GET /v.mp4": video });
    const after = await startGateway({ environment, folder });
    try {
      await pass(30_000, after);
      expect((await look(id, owner, after)).status).toBe("complete");
      expect(await look("vid_cut", owner, after)).toMatchObject({
        status: "failed",
        error_message: expect.stringContaining("not created again"),
      });
      expect(stub.asks.every(({ method }) => method === "GET")).toBe(true);
    } finally {
      await after.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a video beyond the bound ends the job at once: it is not fetched again", async () => {
  stub.answer({
    ...runway({ status: "SUCCEEDED", output: [`${stub.url}/large.mp4`] }),
    "GET /large.mp4": endless("video/mp4"),
  });
  const { id } = await startLive();
  expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("200000000 bytes") });
  expect(stub.asks.filter(({ path }) => path === "/large.mp4")).toHaveLength(1);
});

test("an upstream that offers certain lengths only is asked for the nearest that is not shorter", async () => {
  stub.answer({
    "POST /v1/text_to_video": says({}, 402),
    "POST /v1/models/": says({ id: "p1", status: "starting" }, 201),
    "GET /v1/predictions/p1": says({ status: "starting" }),
  });
  gateway.clock.advance(61_000);
  await startLive({ prompt: "x", duration_seconds: 6 });
  expect(stub.asks.find(({ path }) => path.includes("/models/"))!.json.input.duration).toBe(10);
});

test("ended jobs go when the project's log lets go of their calls, those under way stay", async () => {
  const free = await gateway.key({ project: "short-memory", tier: "free" });
  const { id: ended } = (await (await start({ prompt: "old" }, free)).json()) as any;
  for (let round = 0; round < 3; round++) await pass(2_000);
  const { id: running } = (await (await start({ prompt: "long [[sandbox:slow=600000]]" }, free)).json()) as any;
  // Followed by nobody, it does not come to an end.
  await gateway.platform.db.write((sql) => sql.run("DELETE FROM jobs"));
  gateway.clock.advance(6 * 86_400_000);
  await sweepVideos(gateway.platform);
  expect((await look(ended, free)).status).toBe("complete");
  gateway.clock.advance(2 * 86_400_000);
  await sweepVideos(gateway.platform);
  expect((await look(ended, free)).error.type).toBe("not_found");
  expect((await look(running, free)).id).toBe(running);
});
