/** `POST /v1/video/generations`, the list of a project's jobs, and one of them. */

import { Elysia } from "elysia";
import { notFound } from "../api-error.ts";
import { describe } from "../http/describe.ts";
import { guarded, showRate } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { readQuery } from "../http/read-query.ts";
import type { Platform } from "../platform.ts";
import { startVideo, VIDEO_PATH } from "./start-video.ts";
import { findVideoJob, listVideoJobs } from "./store.ts";
import { toVideoOrder, toWireVideo, VideoGeneration, VideoJobBody, VideoJobs, VideoJobsQuery } from "./wire.ts";

export const videoRoutes = (platform: Platform) => {
  const setting = (origin: string) => ({ db: platform.db, origin, now: platform.clock.now() });
  return new Elysia()
    .use(guarded(platform))
    .post(
      VIDEO_PATH,
      async ({ caller, request, set }) => {
        const order = toVideoOrder(await readJson(request, VideoGeneration), platform.config.file.media_aliases);
        const job = await startVideo(platform, caller, order).finally(() =>
          showRate(platform, caller, "video", set.headers as Record<string, string>),
        );
        const body = toWireVideo({ ...job, state: "pending" }, setting(caller.origin));
        set.status = 202;
        return { ...body, svc: { ...body.svc, latency_ms: job.latencyMs } };
      },
      {
        guard: { scope: "media", group: "video", countsItself: true },
        detail: describe({
          summary: "Start a video",
          tags: ["media"],
          body: VideoGeneration,
          response: VideoJobBody,
          status: 202,
        }),
      },
    )
    .get(
      VIDEO_PATH,
      async ({ caller, request }) => {
        const page = readQuery(request, VideoJobsQuery);
        const { jobs, total } = await listVideoJobs(platform.db, caller.project.id, caller.mode, page);
        return { jobs: jobs.map((job) => toWireVideo(job, setting(caller.origin))), total };
      },
      {
        guard: { scope: "media", group: "video", countsItself: true },
        detail: describe({
          summary: "The project's video jobs, newest first",
          tags: ["media"],
          query: VideoJobsQuery,
          response: VideoJobs,
        }),
      },
    )
    .get(
      `${VIDEO_PATH}/:id`,
      async ({ caller, params }) => {
        const job = await findVideoJob(platform.db, caller.project.id, params.id);
        if (job === undefined) throw notFound("The video job");
        return toWireVideo(job, setting(caller.origin));
      },
      {
        guard: { scope: "media", group: "video", countsItself: true },
        detail: describe({ summary: "One video job", tags: ["media"], response: VideoJobBody }),
      },
    );
};
