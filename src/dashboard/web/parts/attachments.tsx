/** Images, audio and PDFs for one message: chosen, dropped on the field or pasted. */

import { bytes } from "../format.ts";
import { DropZone } from "./drop-zone.tsx";
import { Icon } from "./icon.tsx";
import { say } from "./notice.tsx";

export type Attached = { name: string; type: string; size: number; base64: string };

const MOST_BYTES = 14_000_000;
const ACCEPTED = "image/png,image/jpeg,image/webp,image/gif,audio/wav,audio/mpeg,application/pdf";

export const partOf = (file: Attached): object => {
  if (file.type.startsWith("image/")) return { type: "image_url", image_url: { url: `data:${file.type};base64,${file.base64}` } };
  if (file.type.startsWith("audio/"))
    return { type: "input_audio", input_audio: { data: file.base64, format: file.type.includes("wav") ? "wav" : "mp3" } };
  return { type: "document", document: { type: "pdf", data: file.base64, name: file.name } };
};

const readBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

export const Attachments = ({ attached, onChange }: { attached: Attached[]; onChange: (files: Attached[]) => void }) => {
  const add = async (files: File[]) => {
    const taken: Attached[] = [];
    for (const file of files) {
      if (!ACCEPTED.split(",").includes(file.type)) say(`${file.name}: only images, wav or mp3 audio, and PDF.`, "red");
      else if (file.size > MOST_BYTES) say(`${file.name} is larger than ${bytes(MOST_BYTES)}.`, "red");
      else taken.push({ name: file.name, type: file.type, size: file.size, base64: await readBase64(file) });
    }
    if (taken.length > 0) onChange([...attached, ...taken]);
  };
  return (
    <DropZone
      class="row attachments"
      accept={ACCEPTED}
      onFiles={(files) => void add(files)}
      icon="clip"
      label="Attach"
      buttonClass="small"
    >
      {(chooser) => (
        <>
          {chooser}
          {attached.length === 0 && <span class="small muted">Images, audio, PDF. Or drop or paste them here.</span>}
          {attached.map((file, at) => (
            <span class="token" key={`${file.name} ${file.size}`}>
              <span>
                {file.name} ({bytes(file.size)})
              </span>
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                onClick={() => onChange(attached.filter((_, other) => other !== at))}
              >
                <Icon name="close" />
              </button>
            </span>
          ))}
        </>
      )}
    </DropZone>
  );
};
