/** What answers may rest on: dropped files on their way in, what they became, and a tester that shows what a question finds. */

import { useState } from "preact/hooks";
import { call, type Failure, get, send } from "../api.ts";
import { ago, bytes, DASH, exactly, milliseconds, number, plural } from "../format.ts";
import { NumberField, SelectField, TextField } from "../parts/controls.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { DropZone } from "../parts/drop-zone.tsx";
import { Icon } from "../parts/icon.tsx";
import { Badge, Lamp } from "../parts/lamp.tsx";
import { attempt, Empty, Problem, Skeleton } from "../parts/notice.tsx";
import { Card, Meter, Page, Scroll } from "../parts/page.tsx";
import { listOffset, PAGE_SIZE, Pager } from "../parts/pager.tsx";
import { hrefTo, queryOf, setQuery } from "../router.ts";
import { door } from "../state.ts";
import { useEvery, useLoad } from "../use-load.ts";
import type { DocumentRow, Passage } from "../wire.ts";

type DocumentList = { documents: DocumentRow[]; total: number };
type Upload = { id: number; name: string; problem: string | null };

const POLL_MS = 1_000;
const ACCEPTED = ".pdf,.txt,.md,application/pdf,text/plain,text/markdown";

export const Documents = () => {
  const collection = queryOf("collection") ?? "";
  const offset = listOffset();
  const within = collection && `&collection_id=${encodeURIComponent(collection)}`;
  const { data, failure, reload } = useLoad(`documents ${collection} ${offset}`, (signal) =>
    get<DocumentList>(door(`/v1/documents?limit=${PAGE_SIZE}&offset=${offset}${within}`), signal),
  );
  const collections = useLoad("collections", (signal) =>
    get<{ collections: { id: string; document_count: number }[] }>(door("/v1/collections"), signal),
  );
  useEvery(data?.documents.some(({ status }) => status === "processing") ? POLL_MS : null, reload);
  const refresh = async () => {
    await Promise.all([reload(), collections.reload()]);
  };
  const names = (collections.data?.collections ?? []).map(({ id }) => id);
  return (
    <Page
      title="Documents"
      lead="Upload what answers should rest on. Calls name documents by id; long ones are searched, short ones are read whole."
    >
      {failure ? (
        <Problem failure={failure} retry={reload} />
      ) : (
        <>
          <Upload collections={names} onDone={refresh} />
          <List list={data} collection={collection} collections={names} reload={refresh} />
          <Tester collection={collection} />
        </>
      )}
    </Page>
  );
};

const Upload = ({ collections, onDone }: { collections: string[]; onDone: () => Promise<void> }) => {
  const [target, setTarget] = useState("");
  const [uploads, setUploads] = useState<Upload[]>([]);
  const upload = async (files: File[]) => {
    const queue = files.map((file, at) => ({
      file,
      line: { id: Date.now() + at, name: file.name, problem: null } as Upload,
    }));
    setUploads((before) => [...before.filter(({ problem }) => problem !== null), ...queue.map(({ line }) => line)]);
    for (const { file, line } of queue) {
      const form = new FormData();
      form.set("file", file);
      if (target.trim() !== "") form.set("collection_id", target.trim());
      try {
        await send("POST", door("/v1/documents"), { body: form });
        setUploads((before) => before.filter((other) => other.id !== line.id));
        await onDone();
      } catch (error) {
        const { message } = error as Failure;
        setUploads((before) => before.map((other) => (other.id === line.id ? { ...other, problem: message } : other)));
      }
    }
  };
  return (
    <DropZone
      class="drop"
      accept={ACCEPTED}
      onFiles={(files) => void upload(files)}
      buttonClass="primary"
      button={
        <>
          <Icon name="upload" /> Choose files
        </>
      }
    >
      {(chooser) => (
        <>
          <strong>Drop PDF, text or Markdown files here</strong>
          <span class="muted small">Up to 20 MB each. They are split, indexed and searchable within seconds.</span>
          <div class="row end upload-row">
            <TextField label="Into collection" value={target} onChange={setTarget} list={collections} placeholder="none" />
            {chooser}
          </div>
          {uploads.map((line) => (
            <div key={line.id} class="small" role={line.problem ? "alert" : "status"}>
              {line.problem === null ? (
                <Lamp tone="amber">{line.name}: uploading</Lamp>
              ) : (
                <Lamp tone="red">
                  {line.name}: {line.problem}
                </Lamp>
              )}
            </div>
          ))}
        </>
      )}
    </DropZone>
  );
};

type ListProps = { list: DocumentList | null; collection: string; collections: string[]; reload: () => Promise<void> };

const List = ({ list, collection, collections, reload }: ListProps) => {
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
                <tr key={document.id}>
                  <td class="name">
                    {document.filename}
                    <div class="small muted mono document-id">{document.id}</div>
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
                    <button
                      type="button"
                      class="button small danger"
                      aria-label={`Delete ${document.filename}`}
                      onClick={() => setDeleting(document)}
                    >
                      Delete
                    </button>
                  </td>
                </tr>
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
            attempt(() => call("DELETE", door(`/v1/documents/${deleting.id}`)).then(reload), `${deleting.filename} is deleted.`)
          }
        >
          Its text and passages are removed. Calls that name it are refused from then on.
        </Confirm>
      )}
    </Card>
  );
};

const DocumentState = ({ document }: { document: DocumentRow }) => {
  if (document.status === "ready") return <Lamp tone="green">ready</Lamp>;
  if (document.status === "failed")
    return (
      <>
        <Lamp tone="red">failed</Lamp>
        <div class="small document-problem">{document.error_message}</div>
      </>
    );
  const share = (document.progress_percent ?? 0) / 100;
  return (
    <div class="progress">
      <Lamp tone="amber">processing</Lamp>
      <Meter calm share={share} label={`${document.progress_percent ?? 0} % done`} />
    </div>
  );
};

type Found = { results: Passage[]; metadata: { latency_ms: number } };

/** Asks without a threshold, so that what would be left out is seen too. */
const Tester = ({ collection }: { collection: string }) => {
  const [query, setQuery_] = useState(queryOf("q") ?? "");
  const [threshold, setThreshold] = useState<number | null>(0.3);
  const asked = queryOf("q");
  const { data, failure, loading } = useLoad(asked === null ? null : `${asked} ${collection}`, (signal) =>
    call<Found>(
      "POST",
      door("/v1/documents/query"),
      { query: asked, top_k: 10, threshold: 0, ...(collection && { collection_id: collection }) },
      signal,
    ),
  );
  const line = threshold ?? 0;
  return (
    <Card
      title="Retrieval tester"
      note="What a question finds, best first. Passages below the threshold would not be used."
      busy={loading && data !== null}
    >
      <div class="stack">
        <form
          class="row end tester"
          onSubmit={(event) => {
            event.preventDefault();
            setQuery({ q: query.trim() });
          }}
        >
          <TextField
            label="Question"
            type="search"
            value={query}
            onChange={setQuery_}
            placeholder="How much is paid back after a long delay?"
          />
          <NumberField label="Threshold" value={threshold} onChange={setThreshold} min={0} max={1} step={0.05} />
          <button type="submit" class="button primary" disabled={query.trim() === ""}>
            Find
          </button>
        </form>
        {failure && <Problem failure={failure} />}
        {data && data.results.length === 0 && (
          <p class="muted">No passage at all. Is the document ready, and in this collection?</p>
        )}
        {data && data.results.length > 0 && (
          <>
            <p class="small muted">
              {data.results.filter(({ score }) => score >= line).length} of {data.results.length} passages pass the threshold of{" "}
              {line}, found in {milliseconds(data.metadata.latency_ms)}.
            </p>
            <ol class="passages">
              {data.results.map((passage) => (
                <li key={passage.chunk_id} class={passage.score >= line ? "" : "below"}>
                  <div class="row">
                    <strong class="score-text">{passage.score.toFixed(2)}</strong>
                    <span class="track" aria-hidden="true">
                      <span class="fill" style={{ width: `${passage.score * 100}%` }} />
                      <span class="threshold" style={{ left: `${line * 100}%` }} />
                    </span>
                    <span class="small muted wrap-anywhere">
                      {passage.filename}
                      {passage.page ? `, page ${passage.page}` : ""}, passage {passage.chunk_index + 1}
                    </span>
                    {passage.score < line && <Badge>below</Badge>}
                  </div>
                  <p class="pre-wrap wrap-anywhere" dir="auto">
                    {passage.content}
                  </p>
                </li>
              ))}
            </ol>
            <p class="small">
              <a href={hrefTo("playground", null, { prompt: asked ?? "" })}>Ask this in the playground</a>
            </p>
          </>
        )}
      </div>
    </Card>
  );
};
