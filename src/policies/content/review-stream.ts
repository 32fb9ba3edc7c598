/**
 * Reviews a text while it arrives in pieces: returns what no finding can affect any more and holds back the rest. However the text is cut,
 * the output equals the review of the whole text.
 */

import type { ContentEvaluation } from "../evaluation-schemas.ts";
import type { ContentRules } from "./content-rules.ts";
import { continueLayout, startLayout } from "./detectors/layout.ts";
import { LOOK_BEHIND } from "./detectors/reader.ts";
import { readEscapes } from "./read-escapes.ts";
import { decide, evaluationOf, type Finding } from "./review-content.ts";
import { contextBefore } from "./visible-text.ts";

export type StreamReview = {
  /** Takes the next piece and returns what may be sent now; nothing once blocked. */
  push(delta: string): string;
  /** Call it at the end; returns the rest. */
  end(): string;
  blocked(): boolean;
  evaluation(): ContentEvaluation;
};

export function createStreamReview(rules: ContentRules): StreamReview {
  /** The end of what was sent, as context, then what is held back. */
  let buffer = "";
  let decided = 0;
  let layout = startLayout();
  let blocked = false;
  let latencyMs = 0;
  /** Findings to count; their offsets refer to the buffer at that time. */
  const findings: Finding[] = [];
  const release = (ended: boolean): string => {
    if (blocked) return "";
    const startedAt = performance.now();
    const verdict = decide(rules, buffer, decided, ended, layout);
    findings.push(...verdict.findings);
    blocked = verdict.findings.some(({ action }) => action === "block");
    if (rules.wantedTypes.size > 0) layout = continueLayout(layout, buffer.slice(decided, verdict.until));
    const read = readEscapes(buffer, ended);
    const surplus =
      read === undefined
        ? contextBefore(buffer, verdict.until, LOOK_BEHIND)
        : read.outward(contextBefore(read.text, read.inward(verdict.until), LOOK_BEHIND));
    buffer = buffer.slice(surplus);
    decided = verdict.until - surplus;
    latencyMs += performance.now() - startedAt;
    return blocked ? "" : verdict.text;
  };
  return {
    push(delta) {
      buffer += delta;
      return release(false);
    },
    end: () => release(true),
    blocked: () => blocked,
    evaluation: () => evaluationOf(rules, findings, latencyMs),
  };
}
