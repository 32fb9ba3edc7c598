/** The listening server: opens the platform, answers through the app, reloads settings, drains and closes (decisions §1). */

import { serviceUnavailable } from "./api-error.ts";
import { createApp } from "./app.ts";
import { startChores } from "./chores.ts";
import { createBurstWatch, startCollecting } from "./collect-garbage.ts";
import type { Config } from "./config/config.ts";
import { ownAddress } from "./config/own-address.ts";
import { closePlatform, createPlatform, type PlatformOptions } from "./create-platform.ts";
import { startDocuments } from "./documents/start-documents.ts";
import { basePathOf, takeBasePathAway } from "./http/base-path.ts";
import { createClientAddress } from "./http/client-address.ts";
import { errorResponse, refusalOf } from "./http/error-envelope.ts";
import { pathOf } from "./http/exchange.ts";
import { newId } from "./lib/ids.ts";
import { BOUNDS } from "./limits/bounds.ts";
import { type Answering, type Listener, listen } from "./listen.ts";
import type { Platform } from "./platform.ts";
import { describeError } from "./process-log.ts";
import { resumeVideos } from "./video/resume-videos.ts";
import { watchSettings } from "./watch-settings.ts";

/** `url`: the server's address on this machine. */
export type RunningServer = { platform: Platform; url: string; stop(): Promise<void> };
type ServerOptions = PlatformOptions & {
  /** May still refuse the start with a SettingError. */
  beforeListening?: (platform: Platform) => Promise<void>;
};

/** Longer than most clients and proxies keep a connection that they do not use. The runtime takes at most 255. */
const IDLE_CONNECTION_S = 240;
const DRAIN_POLL_MS = 10;
/** Time for error events and log rows of requests that the drain cuts off. */
const LAST_WORDS_MS = 2_000;

export const startServer = async (config: Config, options: ServerOptions = {}): Promise<RunningServer> => {
  /** What ends the parts that were begun, the last of them first: at a stop, or where the next cannot begin. */
  await using begun = new AsyncDisposableStack();
  const platform = await createPlatform(config, options);
  const tellOfStray = onStray(platform);
  process.on("unhandledRejection", tellOfStray);
  begun.defer(() => void process.off("unhandledRejection", tellOfStray));
  begun.defer(() => closePlatform(platform));
  await options.beforeListening?.(platform);
  await resumeVideos(platform);
  const listener = listen(platform, answering(platform, createApp(platform).handle));
  begun.defer(listener.stop);
  // Port 0 picks a free port, which links then contain.
  config.port = listener.port;
  begun.defer(watchSettings(platform));
  await startWork(platform);
  begun.defer(startCollecting(listener.pending));
  const running = begun.move();
  return {
    platform,
    url: ownAddress(config),
    stop: async () => {
      await drain(platform, listener);
      await running.disposeAsync();
    },
  };
};

const startWork = async (platform: Platform): Promise<void> => {
  startChores(platform);
  await startDocuments(platform);
  await platform.background.start();
};

/** Answered while the server drains, so that load balancers see why it takes no requests. */
const HEALTH_PATHS = ["/healthz", "/readyz"];

/** Refused at once, so that further requests do not delay the end. */
const refuseWhileDraining = (platform: Platform, request: Request): Response =>
  errorResponse(serviceUnavailable("The server is stopping."), platform.exchanges.of(request));

const answering = (platform: Platform, handle: (request: Request) => Promise<Response>): Answering => {
  const { trustedProxies } = platform.config;
  const clientAddress = createClientAddress(trustedProxies);
  const basePath = basePathOf(platform.config);
  const watchBursts = createBurstWatch();
  return {
    // Until the answer begins, because models may be silent for longer than any idle limit; every request has its own deadline.
    idleTimeout: 0,
    maxRequestBodySize: BOUNDS.serverBodyBytes,
    fetch: async (request, server) => {
      watchBursts(server.pendingRequests);
      if (basePath !== "") takeBasePathAway(request, basePath);
      const peer = server.requestIP(request)?.address ?? null;
      platform.exchanges.of(request).ip = peer === null || trustedProxies.length === 0 ? peer : clientAddress(peer, request);
      const isRefused = platform.draining && !HEALTH_PATHS.includes(pathOf(request.url));
      const response = isRefused ? refuseWhileDraining(platform, request) : await handle(request);
      // From here until the connection's next request; whatever is sent begins it anew.
      server.timeout(request, IDLE_CONNECTION_S);
      return response;
    },
    error: (error) => {
      const requestId = newId("call");
      platform.log.error("The server failed outside the app", { request_id: requestId, ...describeError(error) });
      return errorResponse(refusalOf(error), { path: "/", requestId });
    },
  };
};

/**
 * Refuses new requests, lets those in flight finish within the drain time, then ends the rest with an error and records them.
 * To stop listening would refuse connections, and thereby the response that says so.
 */
const drain = async (platform: Platform, { pending }: Listener): Promise<void> => {
  platform.draining = true;
  platform.log.info("Draining", { pending: pending() });
  const deadline = performance.now() + platform.config.drainMs;
  const untilIdle = async (endsAt: number) => {
    while (pending() > 0 && performance.now() < endsAt) await Bun.sleep(DRAIN_POLL_MS);
  };
  await untilIdle(deadline);
  platform.cutOff.abort(serviceUnavailable("The server is stopping; the answer is incomplete.", 1));
  await untilIdle(performance.now() + LAST_WORDS_MS);
};

/** An unhandled rejection must not end the process with all its streams. */
const onStray = (platform: Platform) => (reason: unknown) =>
  platform.log.error("A promise was rejected and nobody listened", describeError(reason));
