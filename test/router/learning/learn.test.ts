/** The arithmetic of learning: how far outcomes move a prediction, how they fade, what checks are worth. */

import { expect, test } from "bun:test";
import {
  addOutcome,
  addTiming,
  type Evidence,
  goodnessOf,
  noEvidence,
  shiftFrom,
  sumOf,
} from "../../../src/router/learning/learn.ts";
import { findNearest, MOST_PLACES, type Place, packCentre, settle, unpackCentre } from "../../../src/router/learning/places.ts";
import { logOdds, predictQuality, shareOf } from "../../../src/router/predict-quality.ts";

const PRIOR = 20;
const DAY_MS = 86_400_000;
const after = (outcomes: number, good: number, expected: number): Evidence => {
  const evidence = noEvidence(0);
  for (let i = 0; i < outcomes; i++) addOutcome(evidence, good, expected, 1, 0);
  return evidence;
};
const learned = (evidence: Evidence, now = 0) => shareOf(logOdds(0.7) + shiftFrom(evidence, 0, now, PRIOR));

test("without outcomes the catalog's word stands; with many it is theirs", () => {
  expect(shiftFrom(noEvidence(0), 0, 0, PRIOR)).toBe(0);
  expect(learned(after(PRIOR, 1, 0.7))).toBeCloseTo(0.85, 5);
  expect(learned(after(5_000, 0.4, 0.7))).toBeCloseTo(0.4, 2);
});

test("outcomes as predicted move nothing, better ones raise, worse ones lower", () => {
  expect(shiftFrom(after(200, 0.7, 0.7), 0, 0, PRIOR)).toBeCloseTo(0, 9);
  expect(shiftFrom(after(20, 1, 0.7), 0, 0, PRIOR)).toBeGreaterThan(0);
  expect(shiftFrom(after(20, 0, 0.7), 0, 0, PRIOR)).toBeLessThan(0);
});

test("finer evidence starts from what the coarser says", () => {
  expect(shiftFrom(noEvidence(0), -0.8, 0, PRIOR)).toBe(-0.8);
  const few = shiftFrom(after(4, 0.7, 0.7), -0.8, 0, PRIOR);
  const many = shiftFrom(after(400, 0.7, 0.7), -0.8, 0, PRIOR);
  expect(few).toBeLessThan(many);
  expect(many).toBeCloseTo(0, 1);
});

test("evidence fades by half in a month and is nothing in the end", () => {
  const evidence = after(40, 0, 0.7);
  const now = learned(evidence, 0);
  const later = learned(evidence, 30 * DAY_MS);
  expect(later).toBeGreaterThan(now);
  expect(learned(evidence, 400 * DAY_MS)).toBeCloseTo(0.7, 6);
  addOutcome(evidence, 0, 0.7, 1, 30 * DAY_MS);
  expect(evidence.trials).toBeCloseTo(21, 6);
});

test("evidence of several models adds up, each as faded as it is old", () => {
  const sum = sumOf([after(10, 0.6, 0.7), { ...after(8, 1, 0.5), atMs: 30 * DAY_MS }], 30 * DAY_MS);
  expect([sum.trials, sum.good, sum.expected]).toEqual([13, 11, 7.5].map((figure) => expect.closeTo(figure, 9)));
});

test("an outcome can be taken back", () => {
  const evidence = after(10, 0.6, 0.7);
  addOutcome(evidence, 1, 0.7, 3, 0);
  addOutcome(evidence, 1, 0.7, -3, 0);
  expect(evidence.trials).toBeCloseTo(10, 9);
  expect(evidence.good).toBeCloseTo(6, 9);
  addOutcome(evidence, 1, 0.7, -50, 0);
  expect(evidence).toMatchObject({ trials: 0, good: 0, expected: 0 });
});

test("a passed check says little, a failed one much, and a model that fails as often as it should learns nothing", () => {
  expect(goodnessOf(0.75, true)).toBeGreaterThan(0.75);
  expect(goodnessOf(0.75, true)).toBeLessThan(0.8);
  expect(goodnessOf(0.75, false)).toBeLessThan(0.25);
  const failing = 0.75 * 0.01 + 0.25 * 0.15;
  expect(failing * goodnessOf(0.75, false) + (1 - failing) * goodnessOf(0.75, true)).toBeCloseTo(0.75, 9);
});

test("paces settle on what is measured, and one slow call among many changes little", () => {
  const pace = { factor: 1, calls: 0 };
  for (let i = 0; i < 50; i++) addTiming(pace, 3_000, 1_000);
  expect(pace.factor).toBeCloseTo(3, 1);
  addTiming(pace, 600_000, 1_000);
  expect(pace.factor).toBeLessThan(3.6);
});

test("quality falls with complexity, rises with strength, and stays a probability at the ends", () => {
  for (const strength of [0, 0.2, 0.5, 0.8, 1]) {
    expect(predictQuality(strength, 0)).toBeLessThan(1);
    expect(predictQuality(strength, 1)).toBeGreaterThan(0);
    expect(predictQuality(strength, 0.2)).toBeGreaterThan(predictQuality(strength, 0.7));
  }
  expect(predictQuality(0.8, 0.4)).toBeCloseTo(0.8, 6);
});

const vector = (...parts: number[]): Float32Array => {
  const made = new Float32Array(256);
  made.set(parts);
  return made;
};

test("like prompts share a place, unlike ones found their own, and there are never more than there may be", () => {
  const places: Place[] = [];
  expect(settle(places, vector(1))).toBe(0);
  expect(settle(places, vector(0.96, 0.28))).toBe(0);
  expect(settle(places, vector(0, 0, 1))).toBe(1);
  expect(findNearest(places, vector(0.9, 0.43))!.index).toBe(0);
  for (let i = 3; i < 256; i++) settle(places, vector(...new Array(i).fill(0), 1));
  expect(places.length).toBe(MOST_PLACES);
  expect(places.reduce((sum, { calls }) => sum + calls, 0)).toBe(256);
});

test("a place's centre survives its bytes", () => {
  const centre = Float64Array.from(vector(0.5, -0.25, 0.125));
  const back = unpackCentre(new Uint8Array(packCentre(centre).buffer));
  for (let d = 0; d < 4; d++) expect(Math.abs(back[d]! - centre[d]!)).toBeLessThan(0.005);
});
