/** The dialogs that create, change or rotate an API key. */

import { useState } from "preact/hooks";
import type { KeyRow, NewKey } from "../../../wire.ts";
import { call } from "../../api.ts";
import { optionsOf, Segmented } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { say } from "../../parts/notice.tsx";
import { mode, project } from "../../state.ts";
import { useSubmit } from "../../use-submit.ts";
import { Bounds, NameField, useTerms } from "./key-terms.tsx";

type CreateProps = { onClose: () => void; onMade: (key: NewKey) => void };

export const CreateKey = ({ onClose, onMade }: CreateProps) => {
  const [kind, setKind] = useState<string>(mode.value);
  const form = useTerms(null, async (terms) => {
    const made = await call<NewKey>("POST", `/projects/${project.value!.id}/keys`, { ...terms, mode: kind });
    onClose();
    onMade(made);
  });
  return (
    <FormDialog
      title={`New key for ${project.value!.name}`}
      action="Make the key"
      form={form}
      disabled={!form.isComplete}
      onClose={onClose}
    >
      <NameField form={form} />
      <div class="field">
        <span class="label">Mode</span>
        <Segmented label="Mode" value={kind} onChange={setKind} options={optionsOf({ live: "Live", test: "Test" })} />
        <span class="hint">{kind === "live" ? "The providers answer." : "The sandbox answers, free."}</span>
      </div>
      <Bounds form={form} />
    </FormDialog>
  );
};

type ChangeProps = { apiKey: KeyRow; onClose: () => void; reload: () => Promise<void> };

export const ChangeKey = ({ apiKey, onClose, reload }: ChangeProps) => {
  const form = useTerms(apiKey, async (terms) => {
    await call("PATCH", `/projects/${project.value!.id}/keys/${apiKey.id}`, terms);
    say("The key is changed; it holds from the next call on.");
    onClose();
    void reload();
  });
  return (
    <FormDialog title={`Change “${apiKey.name}”`} action="Save" form={form} disabled={!form.isComplete} onClose={onClose}>
      <NameField form={form} />
      <Bounds form={form} />
    </FormDialog>
  );
};

export const RotateKey = ({ apiKey, onClose, onMade }: CreateProps & { apiKey: KeyRow }) => {
  const form = useSubmit(async () => {
    const body = { name: apiKey.name, mode: apiKey.mode, replaces: apiKey.id };
    const made = await call<NewKey>("POST", `/projects/${project.value!.id}/keys`, body);
    onClose();
    onMade(made);
  });
  return (
    <FormDialog title={`Rotate “${apiKey.name}”`} action="Make the new key" form={form} onClose={onClose}>
      <div>
        A new key gets the same name and terms, and goes on with what this one has spent. The one that ends in{" "}
        <code>{apiKey.last_four}</code> keeps working until you revoke it, so programs can change over without a pause.
      </div>
    </FormDialog>
  );
};
