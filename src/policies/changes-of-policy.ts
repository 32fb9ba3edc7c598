/** A policy as the history tells of it. */

import { changedFields, type Fields } from "../history/change.ts";
import type { Policy } from "./policy.ts";

const told = ({ name, type, priority, enabled, template, config }: Policy) => ({
  name,
  policy_type: type,
  priority,
  enabled,
  template,
  ...config,
});

/** What nobody may say is often the secret itself, so of terms, criteria and replacements it is told that they changed, and no more. */
const SECRET = ["blocked_terms.terms", "criteria", "pii_detection.redaction_format"];

/** Undefined stands for a policy that is not there yet, or no more. */
export const changesOfPolicy = (before: Policy | undefined, after: Policy | undefined): Fields =>
  changedFields(before === undefined ? {} : told(before), after === undefined ? {} : told(after), (path) =>
    SECRET.includes(path),
  );
