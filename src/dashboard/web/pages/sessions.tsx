/** Sessions: their messages, the summary of older ones, and ways to delete them. */

import { call } from "../api.ts";
import { ago, day, exactly, number, plural, short } from "../format.ts";
import { AskFirst } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Badge } from "../parts/lamp.tsx";
import { Empty, Note } from "../parts/notice.tsx";
import { Card, Page } from "../parts/page.tsx";
import { listOffset, PAGE_SIZE, Pager } from "../parts/pager.tsx";
import { Pending } from "../parts/pending.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Turns } from "../parts/turns.tsx";
import { go, hrefTo, place } from "../router.ts";
import { apiPath } from "../state.ts";
import { useGet } from "../use-load.ts";
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
  const list = useGet<{ sessions: SessionRow[]; total: number }>(apiPath(`/v1/memory?limit=${PAGE_SIZE}&offset=${offset}`));
  const { data } = list;
  return (
    <Page
      title="Sessions"
      lead="A call with a session_id remembers the conversation under that name; nothing else has to be sent again."
    >
      <Pending of={list} height={300} />
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
  const session = useGet<SessionDetail>(path);
  const { data, reload } = session;
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
          <AskFirst
            class="button"
            label="Clear"
            disabled={!data}
            title="Clear this session?"
            action="Clear"
            done="The session is empty."
            onConfirm={() => call("POST", `${path}/clear`).finally(reload)}
          >
            All messages and the summary are forgotten; the session itself stays.
          </AskFirst>
          <AskFirst
            label="Delete"
            disabled={!data}
            title="Delete this session?"
            action="Delete"
            done="The session is deleted."
            onConfirm={() => call("DELETE", path).then(() => go(hrefTo("sessions")))}
          >
            Messages and summary are deleted for good.
          </AskFirst>
        </>
      }
    >
      <Pending of={session} height={360} />
      {data && <Remembered {...data} />}
    </Page>
  );
};

const Remembered = ({ summary, messages }: SessionDetail) => (
  <>
    {summary && (
      <Note>
        <strong>Summary of what came before</strong>
        <p class="pre-wrap">{summary}</p>
      </Note>
    )}
    {messages.length === 0 && (
      <Card>
        <Empty title="Nothing is remembered">
          <p>The session exists and is empty. The next call with its name starts afresh.</p>
        </Empty>
      </Card>
    )}
    <Turns messages={messages} />
  </>
);
