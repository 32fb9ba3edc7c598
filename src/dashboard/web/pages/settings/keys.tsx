/** API keys: created here, shown once, and then listed. */

import { useState } from "preact/hooks";
import type { KeyRow, NewKey } from "../../../wire.ts";
import { call } from "../../api.ts";
import { ADDRESS } from "../../base-path.ts";
import { SnippetTabs } from "../../parts/code.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { NewKeyNote } from "../../parts/new-key.tsx";
import { Empty, say } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { snippetsFor } from "../../snippets.ts";
import { project } from "../../state.ts";
import { useKeys } from "../../use-keys.ts";
import { ChangeKey, CreateKey, RotateKey } from "./key-dialogs.tsx";
import { KeyList } from "./key-list.tsx";

export const KeySettings = () => {
  const { id, name } = project.value!;
  const keys = useKeys();
  const [made, setMade] = useState<NewKey | null>(null);
  const [revoking, setRevoking] = useState<KeyRow | null>(null);
  const [changing, setChanging] = useState<KeyRow | null>(null);
  const [rotating, setRotating] = useState<KeyRow | null>(null);
  const creating = queryOf("new") === "true";
  const show = (key: NewKey) => {
    setMade(key);
    void keys.reload();
  };
  return (
    <Card
      flush
      title={`API keys of ${name}`}
      note="A key is shown once, when it is made; after that only its last four characters are known."
      actions={
        <button type="button" class="button primary" onClick={() => setQuery({ new: "true" })}>
          <Icon name="plus" /> Make a key
        </button>
      }
    >
      <Pending of={keys} height={200} />
      {keys.data?.length === 0 && (
        <Empty title="No keys yet">
          <p>Programs call Signalbox with a key. A test key is answered by the sandbox, free; a live key by the providers.</p>
        </Empty>
      )}
      {keys.data && keys.data.length > 0 && (
        <KeyList keys={keys.data} onChange={setChanging} onRotate={setRotating} onRevoke={setRevoking} />
      )}
      {creating && (
        <CreateKey
          onClose={() => setQuery({ new: null })}
          onMade={(key) => {
            setQuery({ new: null });
            show(key);
          }}
        />
      )}
      {rotating && (
        <RotateKey
          apiKey={rotating}
          onClose={() => setRotating(null)}
          onMade={(key) => {
            setRotating(null);
            show(key);
          }}
        />
      )}
      {made && <ShownOnce made={made} onClose={() => setMade(null)} />}
      {changing && (
        <ChangeKey
          apiKey={changing}
          onClose={() => setChanging(null)}
          onChanged={() => {
            setChanging(null);
            say("The key is changed; it holds from the next call on.");
            void keys.reload();
          }}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke “${revoking.name}”?`}
          action="Revoke"
          onClose={() => setRevoking(null)}
          done="The key is revoked."
          onConfirm={() => call("DELETE", `/projects/${id}/keys/${revoking.id}`).finally(keys.reload)}
        >
          Calls with the key that ends in <code>{revoking.last_four}</code> get 401 within a second. A revoked key cannot be
          brought back.
        </Confirm>
      )}
    </Card>
  );
};

const ShownOnce = ({ made, onClose }: { made: NewKey; onClose: () => void }) => (
  <Dialog
    wide
    title="Your new key"
    onClose={onClose}
    onSubmit={onClose}
    footer={
      <button type="submit" class="button primary">
        I have kept it
      </button>
    }
  >
    <NewKeyNote made={made} lead="Copy it now. It is not shown again." />
    <SnippetTabs snippets={snippetsFor(ADDRESS, made.key, "Write a haiku about a railway signal.")} />
  </Dialog>
);
