/** A video as it is asked for, made by the sandbox, and forgotten. */

import { describe, expect, test } from "bun:test";
import { readFilmDuration } from "../../src/lib/duration/read-duration.ts";
import { listUnderWay } from "../../src/video/store.ts";
import { sweepVideos } from "../../src/video/sweep-videos.ts";
import { startGateway } from "../support/gateway.ts";
import { videoJobs } from "./video-jobs.ts";

const PATH = "/v1/video/generations";
const { gateway, key, start, look, pass } = await videoJobs();

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
    db.onCommit(() => {
      queueMicrotask(() => counts.push(limits.occupiedByAll("video") + listUnderWay(db, owner.project.id, "test").length));
    });
    expect((await start({ prompt: "a train" }, owner)).status).toBe(202);
    expect(Math.max(...counts)).toBe(1);
  });

  test("is refused while all slots are taken, until such jobs usually end", async () => {
    const stopped = await startGateway();
    try {
      stopped.clock.stop();
      const free = await stopped.key({ tier: "free" });
      const ask = () => stopped.send(free, "POST", "/v1/video/generations", { prompt: "x" });
      const [accepted, refused] = [await ask(), await ask()];
      expect([accepted.status, refused.status, refused.headers.get("retry-after")]).toEqual([202, 429, "2"]);
    } finally {
      await stopped.stop();
    }
  });

  test("counts jobs at once and a day", async () => {
    const free = await gateway.key({ project: "free-video", tier: "free" });
    const answers = await Promise.all([1, 2, 3].map(() => start({ prompt: "x [[sandbox:slow=60000]]" }, free)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
    const two = await gateway.key({ project: "two-videos", settings: { limits: { video: { concurrent: 2 } } } });
    for (const used of [1, 2]) {
      expect((await start({ prompt: "x [[sandbox:slow=60000]]" }, two)).status).toBe(202);
      const { limits } = await gateway.read(two, "/v1/usage");
      expect(limits.video).toEqual({ limit: 2, used, remaining: 2 - used, resets_at: null });
    }
    const daily = await gateway.key({ project: "daily-video", tier: "free" });
    const told = [];
    for (let day = 0; day < 6; day++) {
      const { status, headers } = await start({ prompt: "x" }, daily);
      told.push(`${status} ${headers.get("x-ratelimit-remaining")}`);
      for (let round = 0; round < 3; round++) await pass(2_000);
    }
    expect(told).toEqual(["202 4", "202 3", "202 2", "202 1", "202 0", "429 0"]);
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
    expect(readFilmDuration(await film.bytes())).toBe(3);
    expect((await fetch(done.video_url, { headers: { range: "bytes=4-7" } })).status).toBe(206);
    gateway.clock.advance(24 * 3_600_000 + 1_000);
    expect((await fetch(done.video_url)).status).toBe(404);
  });

  test("is completed although the clock was set back", async () => {
    const { id } = (await (await start({ prompt: "a train" })).json()) as any;
    gateway.clock.advance(-3 * 86_400_000);
    for (let round = 0; round < 3; round++) await pass(1_500);
    const { status, svc } = await look(id);
    expect([status, svc.generation_time_ms]).toEqual(["complete", 0]);
    gateway.clock.advance(3 * 86_400_000);
  });

  test("has the resolution and the shape that were asked for, whatever upstream it stands for", async () => {
    const { id } = (await (await start({ prompt: "a train", aspect_ratio: "4:3" })).json()) as any;
    for (let round = 0; round < 3; round++) await pass(1_500);
    const film = Buffer.from(await (await fetch((await look(id)).video_url)).bytes());
    const track = film.indexOf("tkhd") - 4;
    const sides = track + film.readUInt32BE(track) - 8;
    expect([film.readUInt16BE(sides), film.readUInt16BE(sides + 4)]).toEqual([1440, 1080]);
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
    const row = await gateway.read(thrifty, `/v1/logs/${svc.request_id}`);
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
    const list = await gateway.read(stranger, PATH);
    expect(list).toEqual({ jobs: [], total: 0 });
    await start({ prompt: "second" }, stranger);
    await start({ prompt: "third" }, stranger);
    const two = await gateway.read(stranger, `${PATH}?limit=1`);
    expect([two.total, two.jobs.map(({ prompt }: any) => prompt)]).toEqual([2, ["third"]]);
    const strangerLive = await gateway.key({ project: "stranger", mode: "live" });
    expect(await gateway.read(strangerLive, PATH)).toEqual({ jobs: [], total: 0 });
  });

  test("whose prompt is refused is never a job", async () => {
    const response = await start({ prompt: "x [[sandbox:refuse]]" });
    expect([response.status, ((await response.json()) as any).error.type]).toEqual([400, "content_policy_violation"]);
  });
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
