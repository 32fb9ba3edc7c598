/** Video jobs. The id contains all of the job, so that nothing is stored and a restart changes nothing. */

import type { VideoRequest, VideoStatus } from "../../media-calls.ts";
import { makeVideo } from "./make-video.ts";

const QUEUED_MS = 400;
const WORKING_MS = 1_400;

type SandboxVideoJob = Omit<VideoRequest, "prompt"> & {
  startedAtMs: number;
  /** Added to each of the two steps. */
  slowMs: number;
  fails: boolean;
};

export const toJobId = (job: SandboxVideoJob): string => `sandbox-${Buffer.from(JSON.stringify(job)).toString("base64url")}`;

export const readJob = (id: string): SandboxVideoJob =>
  JSON.parse(Buffer.from(id.slice("sandbox-".length), "base64url").toString("utf8"));

export const statusOf = async (job: SandboxVideoJob, now: number): Promise<VideoStatus> => {
  // A job that lies ahead, since the clock was set back, would wait for its time to come again.
  const elapsed = Math.abs(now - job.startedAtMs) - (QUEUED_MS + job.slowMs);
  if (elapsed < 0) return { state: "pending" };
  const share = elapsed / (WORKING_MS + job.slowMs);
  if (share < 1) return { state: "processing", progressPercent: Math.floor(share * 100) };
  if (job.fails) return { state: "failed", message: "The sandbox failed, as the prompt asked for." };
  return { state: "complete", bytes: await makeVideo(job) };
};
