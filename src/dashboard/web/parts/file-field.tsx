/** A field for one file. */

import { Frame } from "./field.tsx";

/** `accept`: as in a file input. */
type Props = Frame & { accept: string; onChange: (file: File | null) => void };

export const FileField = ({ accept, onChange, ...rest }: Props) => (
  <Frame {...rest}>
    {(tied) => (
      <input
        {...tied}
        class="input"
        type="file"
        accept={accept}
        onChange={(event) => onChange(event.currentTarget.files?.[0] ?? null)}
      />
    )}
  </Frame>
);
