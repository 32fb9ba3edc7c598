/** The frame of every form control: its label, a hint, and the problem with its value. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Prose } from "./prose.tsx";

export type Frame = { label: string; hint?: ComponentChildren; problem?: string | null | undefined };

/** What ties a control to its label, and to its hint or problem for screen readers. */
type Tied = { id: string; "aria-describedby"?: string; "aria-invalid"?: "true" };

export const Frame = ({ label, hint, problem, children }: Frame & { children: (tied: Tied) => ComponentChildren }) => {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...((hint !== undefined || problem) && { "aria-describedby": note }),
        ...(problem && { "aria-invalid": "true" }),
      })}
      {problem ? (
        <span class="small problem" id={note} role="alert">
          <Prose text={problem} />
        </span>
      ) : (
        hint !== undefined && (
          <span class="hint" id={note}>
            {hint}
          </span>
        )
      )}
    </div>
  );
};
