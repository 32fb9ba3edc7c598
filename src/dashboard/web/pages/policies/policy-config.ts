/** A policy's options while being edited, with the names of spec.md. */

import type { ViolationAction } from "../../../../policies/policy.ts";
import { optionsOf } from "../../parts/controls.tsx";
import type { PolicyConfig } from "../../wire.ts";

export type FormProps = { config: PolicyConfig; set: (option: keyof PolicyConfig, value: unknown) => void };

/** The options that are lists of models or providers. */
export type ListOption = `${"model" | "provider"}_${"allow" | "block"}_list`;

/** Leaves out empty options. */
export const withoutEmpty = <Options extends object>(options: Options): Options =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Options;

const ACTION_LABELS: Record<ViolationAction, string> = {
  info: "Note it in the log only",
  warn: "Warn, and let it through",
  soft_block: "Change the call (another model, redaction)",
  hard_block: "Refuse the call (403)",
};

export const ACTIONS = optionsOf(ACTION_LABELS);
