/** Video jobs of one test file: a gateway whose clock goes when it is told, upstreams that say what they are told, and ways to start and look. */

import { expect } from "bun:test";
import { makeVideo } from "../../src/providers/sandbox/media/make-video.ts";
import type { Gateway, TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { inTurn, type MediaHandler, mediaStubOfFile, says, sends } from "../support/media-stub.ts";

const PATH = "/v1/video/generations";

/** What an upstream says of a job each time it is asked. */
export const runway = (...states: unknown[]): Record<string, MediaHandler> => ({
  "POST /v1/text_to_video": says({ id: "t1" }),
  "GET /v1/tasks/t1": inTurn(...states.map((state) => (typeof state === "function" ? (state as MediaHandler) : says(state)))),
});

export const videoJobs = async () => {
  const stub = mediaStubOfFile();
  const environment = {
    RUNWAYML_API_SECRET: "rw-secret",
    RUNWAYML_BASE_URL: stub.url,
    REPLICATE_API_TOKEN: "r8-secret",
    REPLICATE_BASE_URL: stub.url,
    SIGNALBOX_TIMEOUT_FIRST_BYTE_MS: "1500",
  };
  const gateway = await gatewayOfFile({ environment });
  // Jobs fall due when a test says so, and not while it fetches something large.
  gateway.clock.stop();
  const key = await gateway.key();
  const live = await gateway.key({ mode: "live" });
  const mp4 = new Uint8Array(await makeVideo({ durationSeconds: 4, resolution: "720p", aspectRatio: "16:9" }));

  const start = (body: unknown, as: TestKey = key, at: Gateway = gateway) => at.send(as, "POST", PATH, body);
  return {
    stub,
    environment,
    gateway,
    key,
    live,
    mp4,
    video: sends(mp4, "video/mp4"),
    start,
    startLive: async (body: unknown = { prompt: "a train" }): Promise<any> => {
      const response = await start(body, live);
      expect(response.status).toBe(202);
      const job = await response.json();
      await gateway.platform.background.idle();
      return job;
    },
    look: async (id: string, as: TestKey = key, at: Gateway = gateway): Promise<any> => at.read(as, `${PATH}/${id}`),
    /** Lets the time pass and the followers look. */
    pass: async (ms: number, at: Gateway = gateway) => {
      at.clock.advance(ms);
      at.platform.background.wake();
      await at.platform.background.idle();
    },
  };
};
