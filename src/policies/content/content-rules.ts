/** Several content policies as one set of rules for one phase: every type and term with the strictest treatment that any of them asks for. */

import type { ContentPolicy, PartAction, ViolationAction } from "../policy.ts";
import { PERSONAL_DATA_TYPES, type PersonalDataType } from "./personal-data-type.ts";
import { compileTerms, type TermAutomaton } from "./term-automaton.ts";

/** How strict each action is. `info` logs only, which callers see as `allow`. */
const STRICTNESS = { allow: 0, info: 0, warn: 1, redact: 2, block: 3 };
export type TreatmentAction = Exclude<keyof typeof STRICTNESS, "allow">;

export type Treatment = { action: TreatmentAction; replacement: string };
export type Criterion = { text: string; action: TreatmentAction };

/** Prompts are reviewed before the call, answers after it. */
export type ReviewPhase = "pre_request" | "post_response";

/** Terms with the same action: a term never hides another with a stricter one. `treatments` are in the order of the automaton's terms. */
type TermRules = { automaton: TermAutomaton; treatments: readonly Treatment[] };

export type ContentRules = {
  phase: ReviewPhase;
  personalData: ReadonlyMap<PersonalDataType, Treatment>;
  terms: readonly TermRules[];
  criteria: readonly Criterion[];
};

/** Not if the policies review only the other phase, or name nothing to look for. */
export const lookForAnything = ({ personalData, terms, criteria }: ContentRules): boolean =>
  personalData.size > 0 || terms.length > 0 || criteria.length > 0;

export const DEFAULT_REPLACEMENT = "[REDACTED]";

const ACTION_OF: Record<ViolationAction, TreatmentAction> = {
  info: "info",
  warn: "warn",
  soft_block: "redact",
  hard_block: "block",
};

export const isStricter = (a: keyof typeof STRICTNESS, b: keyof typeof STRICTNESS): boolean => STRICTNESS[a] > STRICTNESS[b];

/** `info` where there is none. */
export const strictestOf = (given: readonly { action: TreatmentAction }[]): TreatmentAction =>
  given.reduce<TreatmentAction>((worst, { action }) => (isStricter(action, worst) ? action : worst), "info");

const runsIn = (policy: ContentPolicy, phase: ReviewPhase): boolean =>
  phase === "post_response" ? policy.config.evaluate_output !== false : policy.config.evaluate_input === true;

/** Criteria are for answers: a question need not meet them. Gap: a policy that reviews prompts alone can mean only these. */
const judgedIn = ({ config }: ContentPolicy): ReviewPhase => (config.evaluate_output === false ? "pre_request" : "post_response");

/** A part's own action wins; where it has none, `on_violation` says (default `warn`, decisions §11). */
function treatmentOf({ config }: ContentPolicy, own: PartAction | undefined): Treatment {
  const action = own ?? ACTION_OF[config.on_violation ?? "warn"];
  return { action, replacement: config.pii_detection?.redaction_format ?? DEFAULT_REPLACEMENT };
}

/**
 * `policies` in priority order: among equally strict treatments the first one's redaction format is used.
 * Gap: a part that is given without `enabled` is on, and `pii_detection` without `types` means all of them.
 */
export function compileContentPolicies(policies: readonly ContentPolicy[], phase: ReviewPhase = "post_response"): ContentRules {
  const personalData = new Map<PersonalDataType, Treatment>();
  const terms: { term: string; treatment: Treatment }[] = [];
  const criteria: Criterion[] = [];
  for (const policy of policies.filter((candidate) => runsIn(candidate, phase))) {
    const { pii_detection: pii, blocked_terms: blocked } = policy.config;
    if (pii !== undefined && pii.enabled !== false)
      for (const type of pii.types ?? PERSONAL_DATA_TYPES) {
        const treatment = treatmentOf(policy, pii.action);
        const known = personalData.get(type);
        if (known === undefined || isStricter(treatment.action, known.action)) personalData.set(type, treatment);
      }
    if (blocked !== undefined && blocked.enabled !== false)
      for (const term of blocked.terms ?? []) terms.push({ term, treatment: treatmentOf(policy, blocked.action) });
    if (judgedIn(policy) !== phase) continue;
    for (const text of policy.config.criteria ?? []) criteria.push({ text, action: treatmentOf(policy, undefined).action });
  }
  return {
    phase,
    personalData,
    terms: [...Map.groupBy(terms, ({ treatment }) => treatment.action).values()].map((alike) => ({
      automaton: compileTerms(alike.map(({ term }) => term)),
      treatments: alike.map(({ treatment }) => treatment),
    })),
    criteria,
  };
}

/** Rules for texts that go into the logs: everything that a `redact_logs` policy looks for is redacted. Undefined if no policy has it. */
export function compileLogRules(policies: readonly ContentPolicy[]): ContentRules | undefined {
  const asking = policies.filter((policy) => policy.config.redact_logs === true);
  if (asking.length === 0) return undefined;
  return compileContentPolicies(
    asking.map((policy) => ({
      ...policy,
      config: {
        evaluate_output: true,
        ...(policy.config.pii_detection && { pii_detection: { ...policy.config.pii_detection, action: "redact" as const } }),
        ...(policy.config.blocked_terms && { blocked_terms: { ...policy.config.blocked_terms, action: "redact" as const } }),
      },
    })),
  );
}
