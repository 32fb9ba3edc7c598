/** The frame of every form control: its label, a hint, and the problem with its value. */

import type { ComponentChildren } from "preact";
import { Prose } from "./prose.tsx";

export type Frame = { label: string; hint?: ComponentChildren; problem?: string | null | undefined };

export const Frame = ({ label, hint, problem, id, children }: Frame & { id: string; children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {problem ? (
      <span class="small problem" id={`${id}-note`} role="alert">
        <Prose text={problem} />
      </span>
    ) : (
      hint !== undefined && (
        <span class="hint" id={`${id}-note`}>
          {hint}
        </span>
      )
    )}
  </div>
);

/** Attributes that link a control to its hint or problem, for screen readers. */
export const described = (id: string, { hint, problem }: Omit<Frame, "label">) => ({
  ...((hint !== undefined || problem) && { "aria-describedby": `${id}-note` }),
  ...(problem && { "aria-invalid": "true" as const }),
});
