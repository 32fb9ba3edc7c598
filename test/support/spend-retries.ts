/** Uses up a provider's budget of retries; the next failure finds it empty, however slow the machine is. */

import { UpstreamError } from "../../src/providers/upstream-error.ts";
import type { Gateway } from "./gateway.ts";

/** Time stands still from here on but for `clock.advance`, because each second earns a retry. */
export const spendRetries = ({ platform, clock }: Gateway, provider: string): void => {
  clock.stop();
  while (platform.providers.health.tryRetry(provider, new UpstreamError("server", "It failed.")));
};
