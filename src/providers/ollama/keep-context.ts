/**
 * Ollama loads a model anew for each other size of its context, smaller ones included, which takes longer than most answers. So what a
 * model was asked to reserve counts for the smaller requests after it, too, for as long as Ollama keeps an idle model.
 */

import { numberAt, recordAt, textAt } from "../../lib/json-at.ts";
import type { KeptSizes, WireBody } from "../dialect/wire-dialect.ts";

const KEPT_MS = 5 * 60_000;

export const keepContext = (body: WireBody, kept: KeptSizes, nowMs: number): void => {
  const options = recordAt(body, "options");
  const model = textAt(body, "model");
  const needed = numberAt(options, "num_ctx") ?? 0;
  const last = kept.get(model);
  if (last !== undefined && last.size > needed && nowMs - last.atMs < KEPT_MS) options["num_ctx"] = last.size;
  else kept.set(model, { size: needed, atMs: nowMs });
};
