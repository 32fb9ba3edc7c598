/** Which model is asked next after what the last one came to (rule 3). */

import { expect, test } from "bun:test";
import { newProgress, nextTarget } from "../../../src/chat/attempts/next-target.ts";
import { UpstreamError, type UpstreamErrorKind } from "../../../src/providers/provider.ts";
import type { Candidate } from "../../../src/router/score-candidates.ts";

const candidate = (id: string, provider: string, contextWindow = 100_000): Candidate =>
  ({ model: { id, provider, contextWindow } }) as unknown as Candidate;
const RANKED = [candidate("a1", "a"), candidate("a2", "a"), candidate("b1", "b"), candidate("b2", "b"), candidate("c1", "c")];

/** The models asked, in order, where each call ends as `fates` say; the last fate repeats. */
const asked = (...fates: (UpstreamErrorKind | UpstreamError | "check")[]): string[] => {
  const progress = newProgress();
  const models: string[] = [];
  let last: Parameters<typeof nextTarget>[2];
  for (;;) {
    const open = () => true;
    const target = nextTarget(RANKED, progress, last, open, open);
    if (target === undefined) return models;
    models.push(target.candidate.model.id);
    const fate = fates[Math.min(models.length, fates.length) - 1]!;
    if (fate === "check") progress.answers++;
    const failure = fate === "check" || fate instanceof UpstreamError ? fate : new UpstreamError(fate, fate);
    last = { candidate: target.candidate, failure };
  }
};

test("answers that do not pass: once more, then one other model", () => {
  expect(asked("check")).toEqual(["a1", "a1", "a2"]);
});

test("a failing provider: once more, then others before its own further models, six calls at most", () => {
  expect(asked("server")).toEqual(["a1", "a1", "b1", "c1", "a2", "b2"]);
  expect(asked("auth")).toEqual(["a1", "b1", "c1", "a2", "b2"]);
});

test("a provider that asks for a wait of more than a moment is not asked again", () => {
  const askingFor = (retryAfterMs: number) => new UpstreamError("rate_limit", "busy", { retryAfterMs });
  expect(asked(askingFor(250), "bad_request")).toEqual(["a1", "a1"]);
  expect(asked(askingFor(251), "bad_request")).toEqual(["a1", "b1"]);
});

test("a rejected prompt is shown to one other provider, a malformed one to none", () => {
  expect(asked("content_filter")).toEqual(["a1", "b1"]);
  expect(asked("server", "content_filter")).toEqual(["a1", "a1", "b1"]);
  expect(asked("bad_request")).toEqual(["a1"]);
});

test("where no other provider could answer, a rate limit that ends soon is waited for, once", () => {
  const own = RANKED.filter(({ model }) => model.provider === "a");
  const progress = newProgress();
  const after = (retryAfterMs: number, ranked = own) => {
    const failure = new UpstreamError("rate_limit", "busy", { retryAfterMs });
    const yes = () => true;
    return nextTarget(ranked, progress, { candidate: own[0]!, failure }, yes, yes);
  };
  nextTarget(
    own,
    progress,
    undefined,
    () => true,
    () => true,
  );
  const waiting = after(2_000)!;
  expect([waiting.candidate.model.id, waiting.purpose]).toEqual(["a1", "retry"]);
  expect(waiting.waitMs).toBeGreaterThanOrEqual(2_000);
  expect(after(2_000)).toMatchObject({ purpose: "fallback", waitMs: 0, candidate: { model: { id: "a2" } } });
  expect(after(2_000)).toBeUndefined();
  const other = newProgress();
  const failure = new UpstreamError("rate_limit", "busy", { retryAfterMs: 60_000 });
  nextTarget(
    own,
    other,
    undefined,
    () => true,
    () => true,
  );
  expect(
    nextTarget(
      own,
      other,
      { candidate: own[0]!, failure },
      () => true,
      () => true,
    ),
  ).toMatchObject({ waitMs: 0 });
});
