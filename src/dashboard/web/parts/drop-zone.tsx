/** Accepts files: chosen with the button, dropped, or pasted if the clipboard holds only files. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

type Props = {
  class: string;
  /** As in a file input. */
  accept: string;
  onFiles: (files: File[]) => void;
  icon: IconName;
  label: string;
  buttonClass: string;
  /** Renders the area around the button. */
  children: (chooser: ComponentChildren) => ComponentChildren;
};

export const DropZone = ({ class: name, accept, onFiles, icon, label, buttonClass, children }: Props) => {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      // Spreadsheets and word processors add a picture to copied text.
      if (clipboardData && clipboardData.files.length > 0 && !clipboardData.types.includes("text/plain"))
        take.current([...clipboardData.files]);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first
    <div
      class={`drop-zone ${name} ${over ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {children(
        <>
          <input
            id={id}
            class="visually-hidden"
            type="file"
            multiple
            accept={accept}
            onChange={(event) => {
              onFiles([...(event.currentTarget.files ?? [])]);
              // Otherwise choosing the same file again after removing it would not fire `change`.
              event.currentTarget.value = "";
            }}
          />
          <label for={id} class={`button ${buttonClass}`}>
            <Icon name={icon} /> {label}
          </label>
        </>,
      )}
    </div>
  );
};
