/** Jobs at an upstream: followed, fetched, paid as what they are, and given up. */

import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job, JobContext } from "../../src/background/background.ts";
import { videoJobHandler } from "../../src/video/follow-video.ts";
import { startGateway } from "../support/gateway.ts";
import { endless, says, sends } from "../support/media-stub.ts";
import { runway, videoJobs } from "./video-jobs.ts";

const { stub, environment, gateway, live, mp4, video, start, startLive, look, pass } = await videoJobs();

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
    const row = await gateway.read(live, `/v1/logs/${svc.request_id}`);
    expect(row.execution.cost_usd).toBe(0.4);
  });

  test("that the upstream forgot ends failed, after a moment of grace", async () => {
    stub.answer(runway(says({ error: "not found" }, 404)));
    const { id } = await startLive();
    expect((await look(id, live)).status).toBe("pending");
    await pass(61_000);
    expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("no longer knows") });
  });

  test("that the upstream refuses only when it is looked at ends at once", async () => {
    for (const [body, why] of [
      [{ detail: [{ type: "value_error", msg: "bad" }] }, "could not make"],
      [{ detail: [{ type: "content_policy_violation", msg: "flagged" }] }, "safety"],
    ] as const) {
      stub.answer(runway(says(body, 422)));
      const { id, svc } = await startLive();
      expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining(why) });
      const row = await gateway.read(live, `/v1/logs/${svc.request_id}`);
      expect(row.execution).toMatchObject({ status: 202, cost_usd: 0 });
    }
  });

  test("is no longer queued while its film is fetched", async () => {
    const seen: unknown[] = [];
    let id = "";
    stub.answer({
      ...runway({ status: "PENDING" }, { status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }),
      "GET /v.mp4": async () => {
        seen.push(await look(id, live));
        return video();
      },
    });
    id = (await startLive()).id;
    await pass(5_000);
    expect(seen).toMatchObject([{ status: "processing", progress_percent: 99 }]);
    expect((await look(id, live)).status).toBe("complete");
  });

  test("whose user is forgotten while the film is fetched leaves none behind", async () => {
    let deliver: (() => void) | undefined;
    stub.answer({
      ...runway({ status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }),
      "GET /v.mp4": async () => {
        await new Promise<void>((resolve) => {
          deliver = resolve;
        });
        return video();
      },
    });
    expect((await start({ prompt: "a train", user: "gone" }, live)).status).toBe(202);
    while (deliver === undefined) await Bun.sleep(1);
    await gateway.send(live, "DELETE", "/v1/logs/user/gone");
    deliver();
    await gateway.platform.background.idle();
    const { held } = gateway.platform.db.get<{ held: number }>("SELECT count(*) AS held FROM files WHERE user_id = 'gone'")!;
    expect(held).toBe(0);
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
    expect(await look(id, live)).toMatchObject({ status: "processing", progress_percent: 99 });
    await pass(2_000);
    expect((await look(id, live)).status).toBe("complete");
  });

  test("whose result is no film fails", async () => {
    stub.answer({
      ...runway({ status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }),
      "GET /v.mp4": sends("<html>", "video/mp4"),
    });
    const { id } = await startLive();
    expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("not a video") });
  });

  test("outlives an upstream that is out of order for a quarter of an hour", async () => {
    stub.answer({ ...runway(says({}, 500)), "GET /v.mp4": video });
    const { id } = await startLive();
    for (let minute = 0; minute < 15; minute++) await pass(61_000);
    expect((await look(id, live)).status).toBe("pending");
    stub.answer({ ...runway({ status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }), "GET /v.mp4": video });
    await pass(61_000);
    expect((await look(id, live)).status).toBe("complete");
  });

  test.each(["RUNNING", "PENDING"])("that takes longer than an hour is given up: %s", async (state) => {
    stub.answer(runway({ status: state }));
    const { id } = await startLive();
    await pass(3_601_000);
    expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("hour") });
  });

  test("whose upstream stays out of order ends failed and costs nothing; one that is gone is not looked for", async () => {
    stub.answer(runway(says({}, 500)));
    const { id, svc } = await startLive();
    const { exhausted, run } = videoJobHandler(gateway.platform);
    const jobOf = (videoId: string) => ({ payload: { projectId: live.project.id, videoId }, attempts: 36 }) as unknown as Job;
    await exhausted(jobOf(id));
    expect(await look(id, live)).toMatchObject({ status: "failed", error_message: expect.stringContaining("too long") });
    const row = await gateway.send(live, "GET", `/v1/logs/${svc.request_id}`);
    expect(((await row.json()) as any).execution.cost_usd).toBe(0);
    expect(await run(jobOf("vid_gone"), { signal: AbortSignal.timeout(60_000) } as JobContext)).toBeUndefined();
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
        `INSERT INTO video_jobs (id, project_id, mode, call_id, model, prompt, duration_seconds, resolution, aspect_ratio, state, cost_nano_usd, created_at)
         VALUES ('vid_cut', ?, 'live', 'call_cut', 'video-c', 'cut off', 4, '720p', '1:1', 'creating', 1, ?)`,
        owner.project.id,
        before.clock.now(),
      ),
    );
    await before.stop();

    stub.answer({ "GET /v1/tasks/t1": says({ status: "SUCCEEDED", output: [`${stub.url}/v.mp4`] }), "GET /v.mp4": video });
    const after = await startGateway({ environment, folder });
    try {
      // What was finished meanwhile is fetched, however long the server was down.
      await pass(2 * 3_600_000, after);
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
