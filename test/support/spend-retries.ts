/** Uses up a provider's budget of retries; the next failure finds it empty, however slow the machine is. */

import { UpstreamError } from "../../src/providers/upstream-error.ts";
import type { Gateway } from "./gateway.ts";

/** In an hour to come, so that the time from here to the failure earns nothing. */
export const spendRetries = ({ platform, clock }: Gateway, provider: string): void => {
  clock.advance(3_600_000);
  while (platform.providers.health.tryRetry(provider, new UpstreamError("server", "It failed.")));
  clock.advance(-3_600_000);
};
