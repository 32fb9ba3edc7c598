/** The project's documents, with their states. */

import { call } from "../../api.ts";
import { ago, bytes, DASH, exactly, number, plural } from "../../format.ts";
import { CopyButton } from "../../parts/code.tsx";
import { SelectField, same } from "../../parts/controls.tsx";
import { AskFirst } from "../../parts/dialog.tsx";
import { Meter } from "../../parts/figures.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pager } from "../../parts/pager.tsx";
import { Skeleton } from "../../parts/pending.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { hrefTo, setQuery } from "../../router.ts";
import { apiPath } from "../../state.ts";
import type { DocumentRow } from "../../wire.ts";

export type DocumentList = { documents: DocumentRow[]; total: number };

type ListProps = { list: DocumentList | null; collection: string; collections: string[]; reload: () => Promise<void> };

export const List = ({ list, collection, collections, reload }: ListProps) => (
  <Card
    flush
    title="Documents"
    note={list ? plural(list.total, "document") : undefined}
    actions={
      collections.length > 0 && (
        <SelectField
          label="Collection"
          value={collection}
          onChange={(value) => setQuery({ collection: value, offset: null })}
          options={[{ value: "", label: "All" }, ...same(collections)]}
        />
      )
    }
  >
    {list === null && <Skeleton height={200} />}
    {list?.total === 0 && (
      <Empty title="No documents yet">
        <p>
          Drop a file above, then ask a question below to see what it finds. In a call, <code>document_id</code> makes the answer
          rest on it and cite it.
        </p>
      </Empty>
    )}
    {list && list.documents.length > 0 && (
      <Table class="stacked" label="Documents" columns={columnsFor(reload)} rows={list.documents} keyOf={({ id }) => id} />
    )}
    {list && <Pager shown={list.documents.length} total={list.total} />}
  </Card>
);

const columnsFor = (reload: () => Promise<void>): Column<DocumentRow>[] => [
  { head: "File", class: "name", cell: (document) => <File document={document} /> },
  { head: "State", cell: (document) => <DocumentState document={document} /> },
  { head: "Collection", class: "name", cell: ({ collection_id }) => collection_id ?? DASH },
  { head: "Size", class: "number", cell: ({ file_size_bytes }) => bytes(file_size_bytes) },
  { head: "Pages", class: "number", cell: ({ page_count }) => number(page_count) },
  { head: "Passages", class: "number", cell: ({ chunk_count }) => number(chunk_count) },
  { head: "Added", class: "nowrap", cell: ({ created_at }) => ago(created_at), title: ({ created_at }) => exactly(created_at) },
  {
    head: "Ask or delete",
    hidden: true,
    class: "right nowrap",
    cell: ({ id, filename, status }) => (
      <>
        {status === "ready" && (
          <a class="button small" href={hrefTo("playground", null, { document: id })} aria-label={`Ask ${filename}`}>
            Ask
          </a>
        )}{" "}
        <AskFirst
          class="button small danger"
          label="Delete"
          name={`Delete ${filename}`}
          title={`Delete ${filename}?`}
          action="Delete"
          done={`${filename} is deleted.`}
          onConfirm={() => call("DELETE", apiPath(`/v1/documents/${id}`)).finally(reload)}
        >
          Its text and passages are removed. Calls that name it are refused from then on.
        </AskFirst>
      </>
    ),
  },
];

const File = ({ document: { filename, id, status, error_message } }: { document: DocumentRow }) => (
  <>
    {filename}
    <div class="row document-id">
      <span class="small muted mono">{id}</span>
      <CopyButton quiet text={id} label="Copy id" />
    </div>
    {status === "failed" && <div class="small problem document-problem">{error_message}</div>}
  </>
);

const DocumentState = ({ document }: { document: DocumentRow }) => {
  if (document.status === "ready") return <Lamp tone="green">ready</Lamp>;
  if (document.status === "failed") return <Lamp tone="red">failed</Lamp>;
  const share = (document.progress_percent ?? 0) / 100;
  return (
    <div class="stack tight progress">
      <Lamp tone="amber">processing</Lamp>
      <Meter calm share={share} label={`${document.progress_percent ?? 0} % done`} />
    </div>
  );
};
