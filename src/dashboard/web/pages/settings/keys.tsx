/** API keys: created here, shown once, and then listed. */

import { useState } from "preact/hooks";
import type { NewKey } from "../../../wire.ts";
import { ADDRESS } from "../../base-path.ts";
import { SnippetTabs } from "../../parts/code.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { ShownOnceDialog } from "../../parts/shown-once.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { snippetsFor } from "../../snippets.ts";
import { project } from "../../state.ts";
import { useKeys } from "../../use-keys.ts";
import { CreateKey } from "./key-dialogs.tsx";
import { KeyList } from "./key-list.tsx";

export const KeySettings = () => {
  const keys = useKeys();
  const [made, setMade] = useState<NewKey | null>(null);
  const show = (key: NewKey) => {
    setMade(key);
    void keys.reload();
  };
  return (
    <Card
      flush
      title={`API keys of ${project.value!.name}`}
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
      {keys.data && keys.data.length > 0 && <KeyList keys={keys.data} onMade={show} reload={keys.reload} />}
      {queryOf("new") === "true" && <CreateKey onClose={() => setQuery({ new: null })} onMade={show} />}
      {made && (
        <ShownOnceDialog
          wide
          title="Your new key"
          lead="Copy it now. It is not shown again."
          text={made.key}
          copy="Copy key"
          onClose={() => setMade(null)}
        >
          <SnippetTabs snippets={snippetsFor(ADDRESS, made.key, "Write a haiku about a railway signal.")} />
        </ShownOnceDialog>
      )}
    </Card>
  );
};
