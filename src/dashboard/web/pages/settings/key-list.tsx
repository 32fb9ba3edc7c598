/** The list of a project's API keys: their states, terms, spending and last use, and what can be done with each. */

import type { KeyRow, NewKey } from "../../../wire.ts";
import { call } from "../../api.ts";
import { ago, day, exactly, exactUsd, plural, usd } from "../../format.ts";
import { AskFirst, Opens } from "../../parts/dialog.tsx";
import { Meter } from "../../parts/figures.tsx";
import { Finder } from "../../parts/finder.tsx";
import { Badge, Lamp } from "../../parts/lamp.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { pageHref } from "../../router.ts";
import { serverNow } from "../../server-clock.ts";
import { project } from "../../state.ts";
import { ChangeKey, RotateKey } from "./key-dialogs.tsx";

const stateOf = (key: KeyRow): { tone: "green" | "off" | "amber"; text: string } => {
  if (key.revoked_at) return { tone: "off", text: "revoked" };
  if (key.expires_at && Date.parse(key.expires_at) <= serverNow()) return { tone: "off", text: "expired" };
  if (key.budget_usd !== null && key.spent_usd >= key.budget_usd) return { tone: "amber", text: "budget spent" };
  return { tone: "green", text: "valid" };
};

/** It cannot be used any more. */
const isOver = (key: KeyRow): boolean => stateOf(key).tone === "off";

type KeyActions = { onMade: (key: NewKey) => void; reload: () => Promise<void> };

/** Revoked and expired keys come last. */
export const KeyList = ({ keys, ...actions }: KeyActions & { keys: KeyRow[] }) => (
  <Finder
    entries={[...keys].sort((a, b) => Number(isOver(a)) - Number(isOver(b)))}
    textOf={({ name, last_four, id }) => `${name} ${last_four} ${id}`}
    placeholder="name or last characters"
    none="No key fits"
  >
    {(page) => <Table class="stacked" label="API keys" columns={columnsFor(actions)} rows={page} keyOf={({ id }) => id} />}
  </Finder>
);

const columnsFor = (actions: KeyActions): Column<KeyRow>[] => [
  { head: "Name", class: "name", cell: (key) => <Name apiKey={key} /> },
  { head: "Key", class: "nowrap", cell: ({ last_four }) => <span class="mono">…{last_four}</span> },
  { head: "State", cell: (key) => <Lamp tone={stateOf(key).tone}>{stateOf(key).text}</Lamp> },
  { head: "May use", cell: (key) => <Terms apiKey={key} /> },
  { head: "Spent", class: "nowrap", cell: (key) => <Spent apiKey={key} /> },
  { head: "Expires", class: "nowrap", cell: ({ expires_at }) => day(expires_at) },
  {
    head: "Last used",
    class: "nowrap",
    cell: ({ last_used_at }) => ago(last_used_at),
    title: ({ last_used_at }) => (last_used_at ? exactly(last_used_at) : undefined),
  },
  { head: "Actions", hidden: true, class: "right", cell: (key) => <KeyButtons apiKey={key} {...actions} /> },
];

const Name = ({ apiKey: { id, name, mode } }: { apiKey: KeyRow }) => (
  <>
    <a href={pageHref(project.value!.name, mode, "calls", null, { key_id: id })} title={`Calls with ${name}`}>
      {name}
    </a>{" "}
    <Badge tone={mode === "live" ? "green" : "amber"}>{mode}</Badge>
  </>
);

const Spent = ({ apiKey: { spent_usd: spent, budget_usd: budget, budget_period } }: { apiKey: KeyRow }) => (
  <>
    {usd(spent)}
    {budget !== null && (
      <>
        {" "}
        of {exactUsd(budget)}
        <Meter share={budget === 0 ? 1 : spent / budget} label={`${usd(spent)} of ${exactUsd(budget)} spent`} />
      </>
    )}
    <div class="small muted">{IN_PERIOD[budget_period]}</div>
  </>
);

const IN_PERIOD: Record<KeyRow["budget_period"], string> = {
  day: "today",
  week: "this week",
  month: "this month",
  total: "in all",
};

/** More models are counted, and shown by the title. */
const SHOWN_MODELS = 3;

const Terms = ({ apiKey: { scopes, models, requests_per_minute: requests, tokens_per_minute: tokens } }: { apiKey: KeyRow }) => {
  const limits = [...(requests ? [plural(requests, "request")] : []), ...(tokens ? [plural(tokens, "token")] : [])];
  const more = (models?.length ?? 0) - SHOWN_MODELS;
  return (
    <>
      {scopes === null ? "all" : scopes.join(", ")}
      {models && (
        <div class="small muted" title={models.join(", ")}>
          with {models.slice(0, SHOWN_MODELS).join(", ")}
          {more > 0 && ` and ${more} more`}
        </div>
      )}
      {limits.length > 0 && <div class="small muted">{limits.join(", ")} a minute</div>}
    </>
  );
};

/** A revoked key stays revoked. An expired one is not rotated, because the new key would have expired, too. */
const KeyButtons = ({ apiKey, onMade, reload }: KeyActions & { apiKey: KeyRow }) =>
  apiKey.revoked_at ? null : (
    <>
      <Opens class="button small" label="Change" name={`Change ${apiKey.name}`}>
        {(close) => <ChangeKey apiKey={apiKey} onClose={close} reload={reload} />}
      </Opens>{" "}
      {!isOver(apiKey) && (
        <Opens class="button small" label="Rotate" name={`Rotate ${apiKey.name}`}>
          {(close) => <RotateKey apiKey={apiKey} onClose={close} onMade={onMade} />}
        </Opens>
      )}{" "}
      <AskFirst
        class="button small danger"
        label="Revoke"
        name={`Revoke ${apiKey.name}`}
        title={`Revoke “${apiKey.name}”?`}
        action="Revoke"
        done="The key is revoked."
        onConfirm={() => call("DELETE", `/projects/${project.value!.id}/keys/${apiKey.id}`).finally(reload)}
      >
        Calls with the key that ends in <code>{apiKey.last_four}</code> get 401 within a second. A revoked key cannot be brought
        back.
      </AskFirst>
    </>
  );
