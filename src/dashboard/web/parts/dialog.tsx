/** A modal dialog on the platform's own element: focus stays inside, Escape closes, focus returns. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

type Props = {
  title: string;
  /** Absent where there is no way around what is asked. */
  onClose?: (() => void) | undefined;
  wide?: boolean;
  children: ComponentChildren;
  footer?: ComponentChildren;
  onSubmit?: (event: Event) => void;
};

export const Dialog = ({ title, onClose, wide, children, footer, onSubmit }: Props) => {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current!;
    const opener = document.activeElement as HTMLElement | null;
    if (!dialog.open) dialog.showModal();
    // The browser would begin at the close button: one comes to fill in, or else to be asked.
    const first =
      dialog.querySelector<HTMLElement>(".body :is(input, select, textarea)") ??
      dialog.querySelector<HTMLElement>("footer button");
    if (dialog.querySelector("[autofocus]") === null) first?.focus();
    return () => {
      dialog.close();
      // By then the dialog has left the page, and the browser gives no focus back; what opened it may be gone as well.
      const next = opener?.isConnected && opener !== document.body ? opener : document.querySelector<HTMLElement>("main h1");
      next?.focus();
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
      // A browser lets a second Escape through whatever is said to the first.
      onClose={(event) => !onClose && event.currentTarget.isConnected && event.currentTarget.showModal()}
      // A click beside it closes what is only read: a form, or a key that is shown once, is not lost by a slip.
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
  /** What the button that submits says. */
  action: string;
  danger?: boolean;
  disabled: boolean;
  onClose: () => void;
};

/** A dialog that is left by doing what its button says, or by not doing it. */
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

/** Asked before what cannot be undone; names the thing that is done, not "OK". */
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
