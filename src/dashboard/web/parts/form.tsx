/** Forms: Enter in a field, or the button, sends what is filled in. */

import type { ComponentChildren } from "preact";
import type { Sending } from "../use-submit.ts";
import { Problem } from "./notice.tsx";

type FormProps = { class?: string; onSubmit: () => unknown; children: ComponentChildren };

export const Form = ({ class: name = "stack", onSubmit, children }: FormProps) => (
  <form
    class={name}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

type ActionProps = {
  of: Sending;
  /** The button's label, and that while the action runs. */
  action: string;
  doing: string;
  disabled: boolean;
  children: ComponentChildren;
};

/** A form with one action, whose failure stands above the button. */
export const ActionForm = ({ of: { busy, failure, submit }, action, doing, disabled, children }: ActionProps) => (
  <Form onSubmit={submit}>
    {children}
    {failure && <Problem failure={failure} />}
    <button type="submit" class="button primary" disabled={busy || disabled}>
      {busy ? doing : action}
    </button>
  </Form>
);
