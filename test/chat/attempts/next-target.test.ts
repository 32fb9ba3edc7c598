/** Which model is asked next after what the last one came to (rule 3). */

import { expect, test } from "bun:test";
import { newSearch, nextTarget } from "../../../src/chat/attempts/next-target.ts";
import { UpstreamError, type UpstreamErrorKind } from "../../../src/providers/upstream-error.ts";
import type { Candidate } from "../../../src/router/score-candidates.ts";

const candidate = (id: string, provider: string, contextWindow = 100_000): Candidate =>
  ({ model: { id, provider, contextWindow, upstreamModel: id } }) as unknown as Candidate;
const RANKED = [
  candidate("a1", "a"),
  candidate("a2", "a"),
  candidate("b1", "b"),
  candidate("b2", "b"),
  candidate("c1", "c"),
  candidate("c2", "c"),
];

/** Every model is open, and fits; those of provider "b" are filled by little. */
const through = (ranked: readonly Candidate[]) =>
  newSearch({
    ranked,
    isOpen: () => true,
    mayRetry: () => true,
    fits: () => true,
    isAmple: ({ model }) => model.provider === "b",
  });

/** The models asked, in order, where each call ends as `fates` say; the last fate repeats. */
const asked = (...fates: (UpstreamErrorKind | UpstreamError | "check")[]): string[] => {
  const search = through(RANKED);
  const models: string[] = [];
  let last: Parameters<typeof nextTarget>[1];
  for (;;) {
    const target = nextTarget(search, last);
    if (target === undefined) return models;
    models.push(target.candidate.model.id);
    const fate = fates[Math.min(models.length, fates.length) - 1]!;
    if (fate === "check") last = { candidate: target.candidate, failure: undefined };
    else last = { candidate: target.candidate, failure: fate instanceof UpstreamError ? fate : new UpstreamError(fate, fate) };
  }
};

test("answers that do not pass: once more, then one other model", () => {
  expect(asked("check")).toEqual(["a1", "a1", "a2"]);
});

test("after an answer that does not pass, a fallback that only fails is no fallback; one that is waited for in vain is", () => {
  expect(asked("check", "check", "server", "overloaded", "check")).toEqual(["a1", "a1", "a2", "b1", "c1"]);
  expect(asked("check", "check", "auth")).toEqual(["a1", "a1", "a2", "b1", "c1", "b2"]);
  expect(asked("check", "check", "timeout")).toEqual(["a1", "a1", "a2"]);
  expect(asked("check", "timeout", "check")).toEqual(["a1", "a1", "b1"]);
});

test("a model under another id is no other model; of the same name at another provider it is", () => {
  const alias = { ...RANKED[0]!, model: { ...RANKED[0]!.model, id: "fast" } };
  const search = { ...through([RANKED[0]!, alias, RANKED[2]!]), tried: [RANKED[0]!], hasRetried: true };
  expect(nextTarget(search, { candidate: RANKED[0]!, failure: undefined })).toMatchObject({ candidate: { model: { id: "b1" } } });
  const elsewhere = { ...alias, model: { ...alias.model, provider: "b" } };
  const other = { ...through([RANKED[0]!, elsewhere]), tried: [RANKED[0]!], hasRetried: true };
  expect(nextTarget(other, { candidate: RANKED[0]!, failure: undefined })?.candidate).toBe(elsewhere);
});

test("where the first choice rests, whoever is asked in its place is a fallback", () => {
  const search = { ...through(RANKED), isOpen: ({ model }: Candidate) => model.provider !== "a" };
  expect(nextTarget(search, undefined)).toMatchObject({ candidate: { model: { id: "b1" } }, purpose: "fallback" });
  expect(nextTarget(through(RANKED), undefined)).toMatchObject({ candidate: { model: { id: "a1" } }, purpose: "first" });
});

test("a failing provider: once more, then others before its own further models, six calls at most", () => {
  expect(asked("server")).toEqual(["a1", "a1", "b1", "c1", "a2", "b2"]);
  for (const kind of ["auth", "billing"] as const) expect(asked(kind)).toEqual(["a1", "b1", "c1", "a2", "b2", "c2"]);
});

test("a retry that the ceiling no longer holds is not made", () => {
  let left = 1;
  const search = { ...through(RANKED), fits: ({ model }: Candidate) => model.id !== "a1" || left-- > 0 };
  const { candidate } = nextTarget(search, undefined)!;
  for (const failure of [undefined, new UpstreamError("server", "down")])
    expect(nextTarget({ ...search, tried: [RANKED[0]!] }, { candidate, failure })).toMatchObject({ purpose: "fallback" });
});

test("a provider that asks for a wait of more than a moment is not asked again", () => {
  const askingFor = (retryAfterMs: number) => new UpstreamError("rate_limit", "busy", { retryAfterMs });
  expect(asked(askingFor(250), "bad_request")).toEqual(["a1", "a1"]);
  expect(asked(askingFor(251), "bad_request")).toEqual(["a1", "b1"]);
});

test("a provider that asks for a moment is given it", () => {
  const search = through(RANKED);
  const { candidate } = nextTarget(search, undefined)!;
  const failure = new UpstreamError("rate_limit", "busy", { retryAfterMs: 200 });
  expect(nextTarget(search, { candidate, failure })!.waitMs).toBeGreaterThanOrEqual(200);
});

test("a rejected prompt is shown to one other provider, a malformed one to none", () => {
  expect(asked("content_filter")).toEqual(["a1", "b1"]);
  expect(asked("server", "content_filter")).toEqual(["a1", "a1", "b1"]);
  for (const kind of ["bad_request", "unsupported_param"] as const) expect(asked(kind)).toEqual(["a1"]);
});

test("where no other provider could answer, a rate limit that ends soon is waited for, once", () => {
  const own = RANKED.filter(({ model }) => model.provider === "a");
  const search = through(own);
  const askedForWait = (retryAfterMs: number) => ({
    candidate: own[0]!,
    failure: new UpstreamError("rate_limit", "busy", { retryAfterMs }),
  });
  nextTarget(search, undefined);
  const waiting = nextTarget(search, askedForWait(2_000))!;
  expect([waiting.candidate.model.id, waiting.purpose]).toEqual(["a1", "retry"]);
  expect(waiting.waitMs).toBeGreaterThanOrEqual(2_000);
  const fallback = nextTarget(search, askedForWait(2_000));
  expect(fallback).toMatchObject({ purpose: "fallback", waitMs: 0, candidate: { model: { id: "a2" } } });
  expect(nextTarget(search, askedForWait(2_000))).toBeUndefined();
});

test("a rate limit that lasts is not waited for", () => {
  const search = through(RANKED.filter(({ model }) => model.provider === "a"));
  const { candidate } = nextTarget(search, undefined)!;
  const failure = new UpstreamError("rate_limit", "busy", { retryAfterMs: 60_000 });
  expect(nextTarget(search, { candidate, failure })).toMatchObject({ purpose: "fallback", waitMs: 0 });
});

test("a prompt too long for one model is shown to those with a larger window, and to other providers' that it fills by little", () => {
  const ranked = [
    candidate("a1", "a"),
    candidate("a2", "a"),
    candidate("b1", "b"),
    candidate("c1", "c"),
    candidate("c2", "c", 200_000),
  ];
  const search = through(ranked);
  const failure = new UpstreamError("context_length", "too long");
  nextTarget(search, undefined);
  expect(nextTarget(search, { candidate: ranked[0]!, failure })?.candidate.model.id).toBe("b1");
  expect(nextTarget(search, { candidate: ranked[2]!, failure })?.candidate.model.id).toBe("c2");
  expect(nextTarget(search, { candidate: ranked[4]!, failure })).toBeUndefined();
});
