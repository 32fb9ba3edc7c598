/** Calls a provider with several keys: each call uses the key whose turn it is, and the next one if the key is the problem. */

import { UpstreamError } from "../upstream-error.ts";
import { createKeyRing, type KeyRingOptions, type ProviderKey } from "./key-ring.ts";
import { failureMessage } from "./upstream-failure.ts";

/** `model`: the upstream's id, or "" for requests that concern no model. */
type WithKey = <T>(model: string, attempt: (key: ProviderKey) => Promise<T>) => Promise<T>;

/** `provider` is the display name. Throws UpstreamError `rate_limit` while every key is limited, with the time until the first is free. */
export const rotateKeys = (provider: string, keys: readonly ProviderKey[], options: KeyRingOptions): WithKey => {
  const ring = createKeyRing(keys, options);
  const noKeyError = (availableAt: number): UpstreamError =>
    new UpstreamError("rate_limit", failureMessage(provider, "rate_limit"), {
      retryAfterMs: Math.max(0, availableAt - options.clock.now()),
    });
  return async (model, attempt) => {
    for (let left = keys.length; ; left--) {
      const key = ring.next(model);
      if (!key) throw noKeyError(ring.availableAt(model));
      try {
        return await attempt(key);
      } catch (error) {
        const concernsKey =
          error instanceof UpstreamError && !error.details.isDoubtful && ring.reportFailure(key.id, model, error);
        if (!concernsKey || left <= 1 || ring.availableAt(model) !== 0) throw error;
      }
    }
  };
};
