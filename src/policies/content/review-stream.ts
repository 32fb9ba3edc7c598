/**
 * Reviews a text while it arrives in pieces: returns what no finding can affect any more and holds back the rest. However the text is cut,
 * the output equals the review of the whole text.
 */

import type { ContentEvaluation } from "../evaluation-schemas.ts";
import type { ContentRules } from "./content-rules.ts";
import { continueLayout, startLayout } from "./detectors/layout.ts";
import { LOOK_BEHIND } from "./detectors/reader.ts";
import { readEscapes } from "./read-escapes.ts";
import { decide, evaluationOf, type Finding, type Review } from "./review-content.ts";
import { contextBefore } from "./visible-text.ts";

export type StreamReview = {
  /** Takes the next piece and returns what may be sent now; nothing once blocked. */
  push(delta: string): string;
  /** Call it at the end; returns the rest. */
  end(): string;
  blocked(): boolean;
  evaluation(): ContentEvaluation;
};

/** `context` stands before the text and is not reviewed. */
export function createStreamReview(rules: ContentRules, context = ""): StreamReview & { findings: readonly Finding[] } {
  /** The end of what was sent, as context, then what is held back. */
  let buffer = context;
  let decided = context.length;
  let layout = continueLayout(startLayout(), context);
  let blocked = false;
  let latencyMs = 0;
  const findings: Finding[] = [];
  const release = (ended: boolean): string => {
    if (blocked) return "";
    const startedAt = performance.now();
    const verdict = decide(rules, buffer, decided, ended, layout);
    for (const finding of verdict.findings) findings.push(finding);
    blocked = verdict.findings.some(({ action }) => action === "block");
    if (rules.personalData.size > 0) layout = continueLayout(layout, buffer.slice(decided, verdict.until));
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
    findings,
  };
}

/** More than a prompt usually has. Each step takes about five milliseconds. */
export const STEP_CHARACTERS = 32_768;

/** A review in steps: after each `yield` others may be served. */
export type ReviewSteps = Generator<undefined, Review>;

/** The review of a long text that follows `context`. It ends at the first step in which something is blocked. */
export function* stepsOfText(rules: ContentRules, text: string, context = ""): ReviewSteps {
  const review = createStreamReview(rules, context);
  let reviewed = "";
  for (let at = 0; at < text.length && !review.blocked(); at += STEP_CHARACTERS) {
    reviewed += review.push(text.slice(at, at + STEP_CHARACTERS));
    yield;
  }
  reviewed += review.end();
  return { text: review.blocked() ? "" : reviewed, findings: review.findings, evaluation: review.evaluation() };
}
