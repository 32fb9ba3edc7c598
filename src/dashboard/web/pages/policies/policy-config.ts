/** A policy's options while they are edited; names are those of spec.md. */

export type Config = Record<string, any>;

export type FormProps = { config: Config; set: (option: string, value: unknown) => void };

/** Options that say nothing are left out. */
export const without = (config: Config): Config =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  );

export const ACTIONS = [
  { value: "info", label: "Note it in the log only" },
  { value: "warn", label: "Warn, and let it through" },
  { value: "soft_block", label: "Change the call (another model, redaction)" },
  { value: "hard_block", label: "Refuse the call (403)" },
];
