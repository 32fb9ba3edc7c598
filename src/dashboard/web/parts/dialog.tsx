/** A modal dialog based on `<dialog>`: the focus stays inside, Escape and Back close it, and the focus returns. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { focusNearest, surroundings } from "../keep-place.ts";
import { overlay } from "../router.ts";
import { Icon } from "./icon.tsx";

type Props = {
  title: string;
  /** Absent if the dialog cannot be dismissed. */
  onClose?: (() => void) | undefined;
  wide?: boolean;
  children: ComponentChildren;
  footer?: ComponentChildren;
  onSubmit?: (event: Event) => void;
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
        onClose?.();
      }}
      // A browser closes it at the second Escape, even if the first was prevented.
      onClose={(event) => !onClose && event.currentTarget.isConnected && event.currentTarget.showModal()}
      // A click outside closes only a dialog without a form, so that no input or new key is lost by accident.
      onMouseDown={(event) => event.target === element.current && onSubmit === undefined && onClose?.()}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.(event);
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

type FormDialogProps = Pick<Props, "title" | "onSubmit" | "children"> & {
  /** The label of the submit button. */
  action: string;
  danger?: boolean;
  disabled: boolean;
  onClose: () => void;
};

/** A dialog with a form, an action and a Cancel button. */
export const FormDialog = ({ action, danger, disabled, children, ...dialog }: FormDialogProps) => (
  <Dialog
    {...dialog}
    footer={
      <>
        <button type="button" class="button" onClick={dialog.onClose}>
          Cancel
        </button>
        <button type="submit" class={`button ${danger ? "danger" : "primary"}`} disabled={disabled}>
          {action}
        </button>
      </>
    }
  >
    {children}
  </Dialog>
);

type ConfirmProps = {
  title: string;
  action: string;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
  children: ComponentChildren;
};

/** Asks before an action that cannot be undone; its button names the action, not "OK". */
export const Confirm = ({ title, action, onClose, onConfirm, children }: ConfirmProps) => {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onConfirm();
    onClose();
  };
  return (
    <FormDialog title={title} action={action} danger disabled={busy} onClose={onClose} onSubmit={confirm}>
      <div>{children}</div>
    </FormDialog>
  );
};
