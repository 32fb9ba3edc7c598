/** A modal dialog based on `<dialog>`: the focus stays inside, Escape and Back close it, and the focus returns. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { focusNearest, surroundings } from "../keep-place.ts";
import { overlay } from "../router.ts";
import { type Sending, useSubmit } from "../use-submit.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Problem, say } from "./notice.tsx";

type Props = {
  title: string;
  /** Absent if the dialog cannot be dismissed. */
  onClose?: (() => void) | undefined;
  wide?: boolean;
  children: ComponentChildren;
  footer?: ComponentChildren;
  onSubmit?: () => void;
};

export const Dialog = ({ title, onClose, wide, children, footer, onSubmit }: Props) => {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const closing = useRef(onClose);
  closing.current = onClose;
  useLayoutEffect(() => onClose && overlay(() => closing.current?.()), []);
  useEffect(() => {
    const dialog = element.current!;
    const opener = document.activeElement as HTMLElement | null;
    // Without `main`: its first field would open the keyboard of a phone, so the page's heading is better.
    const place = surroundings(opener).filter((around) => !around.matches("main"));
    if (!dialog.open) dialog.showModal();
    // The browser would focus the close button; the first field, or else the first action or link, is better.
    const first =
      dialog.querySelector<HTMLElement>(".body :is(input, select, textarea)") ??
      dialog.querySelector<HTMLElement>("footer button, .body a[href]");
    if (dialog.querySelector("[autofocus]") === null) first?.focus();
    return () => {
      dialog.close();
      // By then the dialog is removed, so the browser does not restore the focus; its opener may be gone, too.
      if (opener?.isConnected && opener !== document.body) opener.focus();
      else focusNearest(place);
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "wide" : ""}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === allDialogs().at(-1)) onClose?.();
      }}
      onClose={(event) => stayOpen(event.currentTarget)}
      // A click outside closes only a dialog without a form, so that no input or new key is lost by accident.
      onMouseDown={(event) => event.target === element.current && onSubmit === undefined && onClose?.()}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" class="button quiet icon" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        <div class="body">{children}</div>
        {footer && <footer>{footer}</footer>}
      </form>
    </dialog>
  );
};

const allDialogs = (): HTMLDialogElement[] => [...document.querySelectorAll("dialog")];

/**
 * A browser closes a dialog at the second Escape, even if the first was prevented, and together with it those behind that were opened
 * without a click in between. What is still shown is opened again, each over those before it.
 */
const stayOpen = (dialog: HTMLDialogElement): void => {
  if (dialog.open || !dialog.isConnected) return;
  const all = allDialogs();
  for (const one of all.slice(all.indexOf(dialog))) {
    one.close();
    one.showModal();
  }
};

type FormDialogProps = Pick<Props, "title" | "children"> & {
  form: Sending;
  /** The label of the submit button. */
  action: string;
  danger?: boolean;
  disabled?: boolean;
  onClose: () => void;
};

/** A dialog with a form, an action and a Cancel button. What went wrong is said in it. */
export const FormDialog = ({ form, action, danger, disabled, children, ...dialog }: FormDialogProps) => (
  <Dialog
    {...dialog}
    onSubmit={form.submit}
    footer={
      <>
        <button type="button" class="button" onClick={dialog.onClose}>
          Cancel
        </button>
        <button type="submit" class={`button ${danger ? "danger" : "primary"}`} disabled={form.busy || disabled}>
          {action}
        </button>
      </>
    }
  >
    {form.failure && <Problem failure={form.failure} />}
    {children}
  </Dialog>
);

type Question = {
  title: string;
  action: string;
  /** Said once it is done. */
  done?: string;
  onConfirm: () => Promise<unknown>;
  children: ComponentChildren;
};

/** Asks before an action that cannot be undone; its button names the action, not "OK". */
export const Confirm = ({ done, onConfirm, children, ...dialog }: Question & { onClose: () => void }) => {
  const form = useSubmit(async () => {
    await onConfirm();
    if (done !== undefined) say(done);
    dialog.onClose();
  });
  return (
    <FormDialog {...dialog} danger form={form}>
      <div>{children}</div>
    </FormDialog>
  );
};

type Opener = {
  class?: string;
  icon?: IconName | undefined;
  label: string;
  /** What is read out in place of the label. */
  name?: string | undefined;
  disabled?: boolean | undefined;
};

type OpensProps = Opener & { children: (close: () => void) => ComponentChildren };

/** A button that opens a dialog. */
export const Opens = ({ class: look = "button", icon, label, name, disabled, children }: OpensProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={look} onClick={() => setOpen(true)} disabled={disabled} aria-label={name}>
        {icon && <Icon name={icon} />} {label}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
};

/** A button whose action is asked about first. */
export const AskFirst = ({ class: look = "button danger", icon, label, name, disabled, ...question }: Question & Opener) => (
  <Opens {...{ class: look, icon, label, name, disabled }}>{(close) => <Confirm {...question} onClose={close} />}</Opens>
);
