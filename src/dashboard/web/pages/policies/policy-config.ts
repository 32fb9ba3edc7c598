/** A policy's options while being edited, with the names of spec.md. */

import type { ViolationAction } from "../../../../policies/policy.ts";
import { optionsOf } from "../../parts/controls.tsx";

export type Config = Record<string, any>;

export type FormProps = { config: Config; set: (option: string, value: unknown) => void };

/** Leaves out empty options. */
export const without = (config: Config): Config =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  );

const ACTION_LABELS: Record<ViolationAction, string> = {
  info: "Note it in the log only",
  warn: "Warn, and let it through",
  soft_block: "Change the call (another model, redaction)",
  hard_block: "Refuse the call (403)",
};

export const ACTIONS = optionsOf(ACTION_LABELS);
