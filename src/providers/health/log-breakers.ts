/** Logs when a model's breaker opens and when the model answers again, so that operators know before their users tell them. */

import type { ProcessLog } from "../../process-log.ts";
import type { Health } from "./health.ts";

export const logBreakers = (health: Health, log: Pick<ProcessLog, "info" | "warn">): Health => {
  const down = new Set<string>();
  return {
    ...health,
    record(provider, model, outcome) {
      health.record(provider, model, outcome);
      if (outcome.ok === "aborted" || (outcome.ok && down.size === 0)) return;
      const key = `${provider} ${model}`;
      if (outcome.ok) {
        if (down.delete(key)) log.info("A model answers again", { provider, model });
      } else if (!down.has(key) && health.state(provider, model) === "down") {
        down.add(key);
        log.warn("A model fails and rests for a while", { provider, model, reason: outcome.kind });
      }
    },
  };
};
