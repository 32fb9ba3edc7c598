/** Uploads dropped or chosen files one after another, and shows the outcome of each. */

import { useState } from "preact/hooks";
import type { DocumentType } from "../../../../documents/document-type.ts";
import { type Failure, send } from "../../api.ts";
import { TextField } from "../../parts/controls.tsx";
import { DropZone } from "../../parts/drop-zone.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { apiPath } from "../../state.ts";

type Line = { id: number; file: File; problem: string | null };

const EXTENSIONS: Record<DocumentType, string> = { "application/pdf": ".pdf", "text/plain": ".txt", "text/markdown": ".md" };
const ACCEPTED = Object.entries(EXTENSIONS).flat().join(",");

export const Upload = ({ collections, onDone }: { collections: string[]; onDone: () => Promise<void> }) => {
  const [target, setTarget] = useState("");
  const [uploads, setUploads] = useState<Line[]>([]);
  const upload = async (files: File[]) => {
    const queue = files.map((file, at): Line => ({ id: Date.now() + at, file, problem: null }));
    setUploads((before) => [...before.filter(({ problem }) => problem !== null), ...queue]);
    for (const { id, file } of queue) {
      const form = new FormData();
      form.set("file", file);
      if (target.trim() !== "") form.set("collection_id", target.trim());
      try {
        await send("POST", apiPath("/v1/documents"), form);
        setUploads((before) => before.filter((other) => other.id !== id));
        await onDone();
      } catch (error) {
        const { message } = error as Failure;
        setUploads((before) => before.map((other) => (other.id === id ? { ...other, problem: message } : other)));
      }
    }
  };
  return (
    <DropZone
      class="drop"
      accept={ACCEPTED}
      onFiles={(files) => void upload(files)}
      icon="upload"
      label="Choose files"
      buttonClass="primary"
    >
      {(chooser) => (
        <>
          <strong>Drop PDF, text or Markdown files here</strong>
          <span class="muted small">Up to 20 MB each. They are split, indexed and searchable within seconds.</span>
          <div class="row end upload-row">
            <TextField label="Into collection" value={target} onChange={setTarget} list={collections} placeholder="none" />
            {chooser}
          </div>
          {uploads.map(({ id, file, problem }) => (
            <div key={id} class="small" role={problem ? "alert" : "status"}>
              <Lamp tone={problem === null ? "amber" : "red"}>
                {file.name}: {problem ?? "uploading"}
              </Lamp>
            </div>
          ))}
        </>
      )}
    </DropZone>
  );
};
