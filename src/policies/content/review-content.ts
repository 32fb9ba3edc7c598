/**
 * Reviews a whole text by content rules: finds, counts, redacts (rule 9 of the chat endpoint). Fails closed: a blocked text is returned
 * empty.
 */

import type { ContentEvaluation } from "../evaluation-schemas.ts";
import { nothingFound, resultOf } from "./content-evaluation.ts";
import { type ContentRules, isStricter, strictestOf, type Treatment, type TreatmentAction } from "./content-rules.ts";
import type { Layout } from "./detectors/layout.ts";
import { mayHoldPersonalData, scanPersonalData } from "./find-personal-data.ts";
import { scanTerms } from "./find-terms.ts";
import { cutOutside, type Merged, mergeOverlaps } from "./merge-overlaps.ts";
import { PERSONAL_DATA_TYPES, type PersonalDataType } from "./personal-data-type.ts";
import { readEscapes } from "./read-escapes.ts";
import { endsInHalfCharacter } from "./visible-text.ts";

/** A finding before overlaps are resolved. */
type RawFinding = { start: number; end: number; type: PersonalDataType | "blocked_term"; treatment: Treatment };

export type Finding = { type: RawFinding["type"]; action: TreatmentAction };

export type Review = {
  /** Redacted where the rules ask for it; empty if it is blocked. */
  text: string;
  /** In text order. */
  findings: readonly Finding[];
  evaluation: ContentEvaluation;
};

export const isBlocked = ({ evaluation }: Review): boolean => evaluation.result === "block";

/** The verdict on a piece of text. */
type Verdict = {
  /** The text from `from` to `until` as it may be sent. */
  text: string;
  findings: Finding[];
  /** Where they stand in the text as it was before redaction, with what they swallowed, in text order. */
  merged: Merged<RawFinding>[];
  /** Everything before this offset is final, whatever follows. */
  until: number;
};

const strictest = ({ winner, swallowed }: Merged<RawFinding>): Treatment =>
  swallowed.reduce(
    (strict, { treatment }) => (isStricter(treatment.action, strict.action) ? treatment : strict),
    winner.treatment,
  );

/** The replacement text: `{type}` in a policy's `redaction_format` becomes the type of the finding. */
const replacementFor = (treatment: Treatment, type: string): string => treatment.replacement.replaceAll("{type}", type);

/** The text from `from` to `until`; `merged` are the findings in it. */
export function redact(text: string, from: number, until: number, merged: readonly Merged<RawFinding>[]): string {
  let out = "";
  let at = from;
  for (const each of merged) {
    const treatment = strictest(each);
    if (treatment.action !== "redact") continue;
    out += text.slice(at, Math.max(at, each.start)) + replacementFor(treatment, each.winner.type);
    at = Math.max(at, each.end);
  }
  return out + text.slice(at, until);
}

type Scan = {
  found: RawFinding[];
  /** Everything before this offset is final, whatever follows. */
  openFrom: number;
};

function scan(rules: ContentRules, text: string, from: number, layout?: Layout | null): Scan {
  const personal = rules.personalData.size === 0 ? undefined : scanPersonalData(text, from, rules.personalData, layout);
  const found: RawFinding[] = [];
  for (const { type, start, end } of personal?.found ?? [])
    found.push({ type, start, end, treatment: rules.personalData.get(type)! });
  // Splitting a surrogate pair would send half a character.
  let openFrom = Math.min(personal?.openFrom ?? text.length, text.length - (endsInHalfCharacter(text) ? 1 : 0));
  for (const { automaton, treatments } of rules.terms) {
    const terms = scanTerms(text, from, automaton);
    for (const { start, end, term } of terms.found)
      found.push({ type: "blocked_term", start, end, treatment: treatments[term]! });
    openFrom = Math.min(openFrom, terms.openFrom);
  }
  return { found, openFrom };
}

/** False for a text in which `scan` finds nothing. */
export const mayFind = ({ terms }: ContentRules, text: string): boolean => terms.length > 0 || mayHoldPersonalData(text);

/**
 * As `scan`, plus findings in the decoded text. Lines and columns are only meaningful in the written text, so layout is not used there. No
 * finding begins or ends within an escape.
 */
function scanWithEscapes(rules: ContentRules, text: string, from: number, ended: boolean, layout?: Layout): Scan {
  const plain = scan(rules, text, from, layout);
  const read = readEscapes(text, ended);
  if (read === undefined) return plain;
  const hidden = scan(rules, read.text, read.inward(from), null);
  // The letter of an escape belongs to no address: in `\nann@example.com` and `\n@app.post` only the decoded text tells which one is there.
  const found = plain.found
    .filter(({ type, start }) => type === "blocked_term" || read.before(start) === start)
    .map((each) => ({ ...each, start: read.before(each.start), end: read.after(each.end) }));
  for (const { start, end, ...finding } of hidden.found) {
    const before = Math.max(0, start - 1);
    const touchesEscape = read.outward(end + 1) - read.outward(before) > end + 1 - before;
    if (touchesEscape) found.push({ ...finding, start: read.outward(start), end: read.outward(end) });
  }
  return { found, openFrom: Math.min(read.before(plain.openFrom), read.outward(hidden.openFrom)) };
}

/**
 * Reviews `text` from `from` on; the text before is context that has already been sent. If not `ended`, the verdict stops where more text
 * could still complete or change a finding. `layout` is that of everything before `from` that `text` does not hold.
 */
export function decide(rules: ContentRules, text: string, from: number, ended: boolean, layout?: Layout): Verdict {
  const { found, openFrom } = scanWithEscapes(rules, text, from, ended, layout);
  const until = ended ? text.length : cutOutside(found, Math.max(from, openFrom));
  const merged = mergeOverlaps(found.filter(({ start }) => start < until));
  const findings = merged.map((each): Finding => ({ type: each.winner.type, action: strictest(each).action }));
  return { text: redact(text, from, until, merged), findings, merged, until };
}

/** Counts findings into an evaluation. */
export function evaluationOf(rules: ContentRules, findings: readonly Finding[], latencyMs: number): ContentEvaluation {
  const piiCount = findings.filter(({ type }) => type !== "blocked_term").length;
  const action = strictestOf(findings);
  return {
    ...nothingFound(rules.phase),
    result: resultOf(action),
    pii_detected: piiCount > 0,
    pii_count: piiCount,
    redacted: action !== "block" && findings.some((finding) => finding.action === "redact"),
    latency_ms: Math.round(latencyMs),
  };
}

/** The review of a text that was `redacted` as its findings ask. */
export function reviewOf(rules: ContentRules, redacted: string, findings: readonly Finding[], latencyMs: number): Review {
  const evaluation = evaluationOf(rules, findings, latencyMs);
  return { text: evaluation.result === "block" ? "" : redacted, findings, evaluation };
}

export function reviewText(rules: ContentRules, text: string): Review {
  const startedAt = performance.now();
  const { text: redacted, findings } = decide(rules, text, 0, true);
  return reviewOf(rules, redacted, findings, performance.now() - startedAt);
}

const ONLY_FOUND: Treatment = { action: "info", replacement: "" };

/** Offsets are UTF-16 code units, `end` exclusive. */
type PersonalData = { type: PersonalDataType; start: number; end: number; value: string };

/** The personal data that a policy would find in a whole text, in order; where findings overlap, the longest wins. */
export function findPersonalData(text: string, wanted: readonly PersonalDataType[] = PERSONAL_DATA_TYPES): PersonalData[] {
  const personalData = new Map(wanted.map((type) => [type, ONLY_FOUND]));
  const rules: ContentRules = { phase: "post_response", personalData, terms: [], criteria: [] };
  return decide(rules, text, 0, true).merged.map(({ winner: { type, start, end } }) => ({
    type: type as PersonalDataType,
    start,
    end,
    value: text.slice(start, end),
  }));
}
