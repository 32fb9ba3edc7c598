/** A secret that is shown only once, such as a new key, to be copied. */

import type { ComponentChildren } from "preact";
import { CopyButton } from "./code.tsx";
import { Dialog } from "./dialog.tsx";
import { Note } from "./notice.tsx";

type Secret = { lead: string; text: string; copy: string };

/** `copy`: the label of the button that copies it. */
export const ShownOnce = ({ lead, text, copy }: Secret) => (
  <Note tone="green">
    <strong>{lead}</strong>
    <div class="row key-line">
      <code class="wrap-anywhere">{text}</code>
      <CopyButton text={text} label={copy} />
    </div>
  </Note>
);

type DialogProps = Secret & { title: string; wide?: boolean; onClose: () => void; children?: ComponentChildren };

export const ShownOnceDialog = ({ title, wide = false, onClose, children, ...secret }: DialogProps) => (
  <Dialog
    wide={wide}
    title={title}
    onClose={onClose}
    onSubmit={onClose}
    footer={
      <button type="submit" class="button primary">
        I have kept it
      </button>
    }
  >
    <ShownOnce {...secret} />
    {children}
  </Dialog>
);
