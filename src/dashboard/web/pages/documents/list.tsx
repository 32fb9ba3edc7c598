/** The project's documents, with their states. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { ago, bytes, DASH, exactly, number, plural } from "../../format.ts";
import { CopyButton } from "../../parts/code.tsx";
import { SelectField } from "../../parts/controls.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { attempt, Empty, Skeleton } from "../../parts/notice.tsx";
import { Card, Meter, Scroll } from "../../parts/page.tsx";
import { Pager } from "../../parts/pager.tsx";
import { hrefTo, setQuery } from "../../router.ts";
import { apiPath } from "../../state.ts";
import type { DocumentRow } from "../../wire.ts";

export type DocumentList = { documents: DocumentRow[]; total: number };

type ListProps = { list: DocumentList | null; collection: string; collections: string[]; reload: () => Promise<void> };

export const List = ({ list, collection, collections, reload }: ListProps) => {
  const [deleting, setDeleting] = useState<DocumentRow | null>(null);
  return (
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
            options={[{ value: "", label: "All" }, ...collections.map((id) => ({ value: id, label: id }))]}
          />
        )
      }
    >
      {list === null && <Skeleton height={200} />}
      {list?.total === 0 && (
        <Empty title="No documents yet">
          <p>
            Drop a file above, then ask a question below to see what it finds. In a call, <code>document_id</code> makes the
            answer rest on it and cite it.
          </p>
        </Empty>
      )}
      {list && list.documents.length > 0 && (
        <Scroll label="Documents">
          <table class="stacked">
            <thead>
              <tr>
                <th>File</th>
                <th>State</th>
                <th>Collection</th>
                <th class="number">Size</th>
                <th class="number">Pages</th>
                <th class="number">Passages</th>
                <th>Added</th>
                <th>
                  <span class="visually-hidden">Ask or delete</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.documents.map((document) => (
                <Row key={document.id} document={document} onDelete={() => setDeleting(document)} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {list && <Pager shown={list.documents.length} total={list.total} />}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.filename}?`}
          action="Delete"
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            attempt(
              () => call("DELETE", apiPath(`/v1/documents/${deleting.id}`)).finally(reload),
              `${deleting.filename} is deleted.`,
            )
          }
        >
          Its text and passages are removed. Calls that name it are refused from then on.
        </Confirm>
      )}
    </Card>
  );
};

const Row = ({ document, onDelete }: { document: DocumentRow; onDelete: () => void }) => (
  <tr>
    <td class="name">
      {document.filename}
      <div class="row document-id">
        <span class="small muted mono">{document.id}</span>
        <CopyButton quiet text={document.id} label="Copy id" />
      </div>
      {document.status === "failed" && <div class="small document-problem">{document.error_message}</div>}
    </td>
    <td data-label="State">
      <DocumentState document={document} />
    </td>
    <td data-label="Collection" class="name">
      {document.collection_id ?? DASH}
    </td>
    <td data-label="Size" class="number">
      {bytes(document.file_size_bytes)}
    </td>
    <td data-label="Pages" class="number">
      {number(document.page_count)}
    </td>
    <td data-label="Passages" class="number">
      {number(document.chunk_count)}
    </td>
    <td data-label="Added" class="nowrap" title={exactly(document.created_at)}>
      {ago(document.created_at)}
    </td>
    <td class="right nowrap">
      {document.status === "ready" && (
        <a
          class="button small"
          href={hrefTo("playground", null, { document: document.id })}
          aria-label={`Ask ${document.filename}`}
        >
          Ask
        </a>
      )}{" "}
      <button type="button" class="button small danger" aria-label={`Delete ${document.filename}`} onClick={onDelete}>
        Delete
      </button>
    </td>
  </tr>
);

const DocumentState = ({ document }: { document: DocumentRow }) => {
  if (document.status === "ready") return <Lamp tone="green">ready</Lamp>;
  if (document.status === "failed") return <Lamp tone="red">failed</Lamp>;
  const share = (document.progress_percent ?? 0) / 100;
  return (
    <div class="progress">
      <Lamp tone="amber">processing</Lamp>
      <Meter calm share={share} label={`${document.progress_percent ?? 0} % done`} />
    </div>
  );
};
