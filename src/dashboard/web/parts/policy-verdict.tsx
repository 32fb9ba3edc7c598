/** What policies did to a call, or would have done: as badges, and in full. */

import { plural } from "../format.ts";
import type { ContentEvaluation, PolicyEvaluation } from "../wire.ts";
import { Badge, Lamp, type Tone } from "./lamp.tsx";
import { Card } from "./page.tsx";

type Result = PolicyEvaluation["result"] | ContentEvaluation["result"];
type Words = {
  tone: Tone;
  /** In a word, beside the model that answered. */
  badge: string;
  did: string;
  would: string;
};

// biome-ignore format: a table
export const RESULTS: Record<Result, Words> = {
  allow:      { tone: "green", badge: "",              did: "let through",                would: "untouched" },
  warn:       { tone: "amber", badge: "warned",        did: "let through with a warning", would: "with a warning" },
  soft_block: { tone: "amber", badge: "another model", did: "changed",                    would: "answered by another model" },
  redact:     { tone: "amber", badge: "redacted",      did: "redacted",                   would: "redacted" },
  hard_block: { tone: "red",   badge: "refused",       did: "refused",                    would: "refused" },
  block:      { tone: "red",   badge: "blocked",       did: "blocked",                    would: "blocked" },
};

type Evaluations = { policy: PolicyEvaluation | null | undefined; content: ContentEvaluation | null | undefined };

/** The effects of policies on a call; nothing if there were none. */
export const PolicyBadges = ({ policy, content }: Evaluations) => (
  <>
    {[policy?.result, content?.result]
      .filter((result) => result !== undefined && result !== "allow")
      .map((result, at) => (
        <Badge key={at} tone={result === "warn" ? "slate" : "amber"}>
          policy: {RESULTS[result].badge}
        </Badge>
      ))}
  </>
);

/** The log counts personal data and failed criteria; if there are none, a blocked term was found. */
const isTermAlone = ({ result, pii_count, criteria_failed }: ContentEvaluation): boolean =>
  result !== "allow" && pii_count === 0 && criteria_failed === 0;

export const PolicyVerdict = ({ policy, content }: Evaluations) => (
  <Card title="Policies">
    {!policy && !content && <p class="muted">No policy was active.</p>}
    <div class="stack tight">
      {policy && (
        <>
          <Lamp tone={RESULTS[policy.result].tone}>Routing: {RESULTS[policy.result].did}</Lamp>
          {policy.modifications.map((change) => (
            <p class="small" key={change.from + change.to}>
              {change.from} → <strong>{change.to}</strong>. {change.reason}
            </p>
          ))}
          {policy.violations.map((violation) => (
            <p class="small" key={violation.policy_name + violation.rule}>
              <strong>{violation.policy_name}</strong>: {violation.message}
            </p>
          ))}
        </>
      )}
      {content && (
        <>
          <Lamp tone={RESULTS[content.result].tone}>Content: {RESULTS[content.result].did}</Lamp>
          <p class="small muted">
            {isTermAlone(content) ? "A blocked term was found" : `${plural(content.pii_count, "finding")} of personal data`}
            {content.criteria_passed + content.criteria_failed > 0 &&
              `, ${content.criteria_passed} of ${content.criteria_passed + content.criteria_failed} criteria met`}
          </p>
        </>
      )}
    </div>
  </Card>
);
