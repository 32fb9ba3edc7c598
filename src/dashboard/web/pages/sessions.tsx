/** Sessions: their messages, the summary of older ones, and ways to delete them. */

import { useState } from "preact/hooks";
import { call, get } from "../api.ts";
import { ago, day, exactly, number, plural, short } from "../format.ts";
import { messageText } from "../message-text.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Badge } from "../parts/lamp.tsx";
import { attempt, Empty, Note, Problem, Skeleton } from "../parts/notice.tsx";
import { Card, Page } from "../parts/page.tsx";
import { listOffset, PAGE_SIZE, Pager } from "../parts/pager.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { go, hrefTo, place } from "../router.ts";
import { apiPath } from "../state.ts";
import { useLoad } from "../use-load.ts";
import type { SessionDetail, SessionRow } from "../wire.ts";

export const Sessions = () => (place.value.id === null ? <SessionList /> : <OneSession id={place.value.id} />);

const COLUMNS: Column<SessionRow>[] = [
  {
    head: "Session",
    class: "name",
    cell: ({ session_id, summarized }) => (
      <>
        <a class="row-link" href={hrefTo("sessions", session_id)}>
          {session_id}
        </a>{" "}
        {summarized && <Badge tone="slate">summarised</Badge>}
      </>
    ),
  },
  { head: "Messages", class: "number", cell: ({ message_count }) => number(message_count) },
  { head: "Tokens", class: "number", cell: ({ token_count }) => short(token_count) },
  {
    head: "Last message",
    class: "nowrap",
    cell: ({ updated_at }) => ago(updated_at),
    title: ({ updated_at }) => exactly(updated_at),
  },
  { head: "Kept until", class: "nowrap", cell: ({ expires_at }) => day(expires_at) },
];

const SessionList = () => {
  const offset = listOffset();
  const { data, failure, reload } = useLoad(`sessions ${offset}`, (signal) =>
    get<{ sessions: SessionRow[]; total: number }>(apiPath(`/v1/memory?limit=${PAGE_SIZE}&offset=${offset}`), signal),
  );
  return (
    <Page
      title="Sessions"
      lead="A call with a session_id remembers the conversation under that name; nothing else has to be sent again."
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={300} />}
      {data && (
        <Card flush>
          {data.total === 0 ? (
            <Empty title="No conversations are remembered">
              <p>
                Send <code>session_id</code> with a call, or fill in “Session” in the playground. When a session grows long, its
                older messages are folded into a summary.
              </p>
              <a class="button" href={hrefTo("playground")}>
                Open the playground
              </a>
            </Empty>
          ) : (
            <Table
              class="stacked"
              label="Sessions"
              columns={COLUMNS}
              rows={data.sessions}
              keyOf={({ session_id }) => session_id}
              hrefOf={({ session_id }) => hrefTo("sessions", session_id)}
            />
          )}
          <Pager shown={data.sessions.length} total={data.total} />
        </Card>
      )}
    </Page>
  );
};

const OneSession = ({ id }: { id: string }) => {
  const path = apiPath(`/v1/memory/${encodeURIComponent(id)}`);
  const { data, failure, reload } = useLoad(id, (signal) => get<SessionDetail>(path, signal));
  const [asking, setAsking] = useState<"clear" | "delete" | null>(null);
  return (
    <Page
      title={id}
      lead={
        data && `${plural(data.message_count, "message")}, ${number(data.token_count)} tokens, kept until ${day(data.expires_at)}`
      }
      actions={
        <>
          <a class="button" href={hrefTo("sessions")}>
            <Icon name="left" /> All sessions
          </a>
          <a class="button" href={hrefTo("calls", null, { session_id: id })}>
            Its calls
          </a>
          <a class="button" href={hrefTo("playground", null, { session: id })}>
            <Icon name="playground" /> Go on in the playground
          </a>
          <button type="button" class="button" onClick={() => setAsking("clear")} disabled={!data}>
            Clear
          </button>
          <button type="button" class="button danger" onClick={() => setAsking("delete")} disabled={!data}>
            Delete
          </button>
        </>
      }
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={360} />}
      {data?.summary && (
        <Note>
          <strong>Summary of what came before</strong>
          <p class="pre-wrap">{data.summary}</p>
        </Note>
      )}
      {data && data.messages.length === 0 && (
        <Card>
          <Empty title="Nothing is remembered">
            <p>The session exists and is empty. The next call with its name starts afresh.</p>
          </Empty>
        </Card>
      )}
      {data && (
        <div class="turns">
          {data.messages.map((message, at) => (
            <div key={at} class={`turn ${message.role}`}>
              <span class="small muted" title={exactly(message.created_at)}>
                {message.role} · {ago(message.created_at)}
              </span>
              <div class="pre-wrap wrap-anywhere" dir="auto">
                {messageText(message.content)}
              </div>
            </div>
          ))}
        </div>
      )}
      {asking === "clear" && (
        <Confirm
          title="Clear this session?"
          action="Clear"
          onClose={() => setAsking(null)}
          onConfirm={() => attempt(() => call("POST", `${path}/clear`).finally(reload), "The session is empty.")}
        >
          All messages and the summary are forgotten; the session itself stays.
        </Confirm>
      )}
      {asking === "delete" && (
        <Confirm
          title="Delete this session?"
          action="Delete"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            if (await attempt(() => call("DELETE", path), "The session is deleted.")) go(hrefTo("sessions"));
          }}
        >
          Messages and summary are deleted for good.
        </Confirm>
      )}
    </Page>
  );
};
