/** A new key, shown only once, to be copied. */

import type { NewKey } from "../../wire.ts";
import { CopyButton } from "./code.tsx";
import { Note } from "./notice.tsx";

export const NewKeyNote = ({ made, lead }: { made: NewKey; lead: string }) => (
  <Note tone="green">
    <strong>{lead}</strong>
    <div class="row key-line">
      <code class="wrap-anywhere">{made.key}</code>
      <CopyButton text={made.key} label="Copy key" />
    </div>
  </Note>
);
