/** The list of a project's API keys: their states, terms, spending and last use, and what can be done with each. */

import type { KeyRow } from "../../../wire.ts";
import { ago, DASH, day, exactly, exactUsd, plural, usd } from "../../format.ts";
import { Finder } from "../../parts/finder.tsx";
import { Badge, Lamp } from "../../parts/lamp.tsx";
import { Meter, Scroll } from "../../parts/page.tsx";
import { pageHref } from "../../router.ts";
import { serverNow } from "../../server-clock.ts";
import { project } from "../../state.ts";

const stateOf = (key: KeyRow): { tone: "green" | "off" | "amber"; text: string } => {
  if (key.revoked_at) return { tone: "off", text: "revoked" };
  if (key.expires_at && Date.parse(key.expires_at) <= serverNow()) return { tone: "off", text: "expired" };
  if (key.budget_usd !== null && key.spent_usd >= key.budget_usd) return { tone: "amber", text: "budget spent" };
  return { tone: "green", text: "valid" };
};

/** It cannot be used any more. */
const isOver = (key: KeyRow): boolean => stateOf(key).tone === "off";

type KeyActions = { onChange: (key: KeyRow) => void; onRotate: (key: KeyRow) => void; onRevoke: (key: KeyRow) => void };

/** Revoked and expired keys come last. */
export const KeyList = ({ keys, ...actions }: KeyActions & { keys: KeyRow[] }) => (
  <Finder
    entries={[...keys].sort((a, b) => Number(isOver(a)) - Number(isOver(b)))}
    textOf={({ name, last_four, id }) => `${name} ${last_four} ${id}`}
    placeholder="name or last characters"
    none="No key fits"
  >
    {(page) => <KeyTable keys={page} {...actions} />}
  </Finder>
);

const KeyTable = ({ keys, ...actions }: KeyActions & { keys: KeyRow[] }) => (
  <Scroll label="API keys">
    <table class="stacked">
      <thead>
        <tr>
          <th>Name</th>
          <th>Key</th>
          <th>State</th>
          <th>May use</th>
          <th>Spent</th>
          <th>Expires</th>
          <th>Last used</th>
          <th>
            <span class="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const { tone, text } = stateOf(key);
          return (
            <tr key={key.id}>
              <td class="name">
                <a
                  href={pageHref(project.value!.name, key.mode, "calls", null, { key_id: key.id })}
                  title={`Calls with ${key.name}`}
                >
                  {key.name}
                </a>{" "}
                <Badge tone={key.mode === "live" ? "green" : "amber"}>{key.mode}</Badge>
              </td>
              <td data-label="Key" class="mono nowrap">
                …{key.last_four}
              </td>
              <td data-label="State">
                <Lamp tone={tone}>{text}</Lamp>
              </td>
              <td data-label="May use">
                <Terms apiKey={key} />
              </td>
              <td data-label="Spent" class="nowrap">
                {usd(key.spent_usd)}
                {key.budget_usd !== null && (
                  <>
                    {" "}
                    of {exactUsd(key.budget_usd)}
                    <Meter
                      share={key.budget_usd === 0 ? 1 : key.spent_usd / key.budget_usd}
                      label={`${usd(key.spent_usd)} of ${exactUsd(key.budget_usd)} spent`}
                    />
                  </>
                )}
                <div class="small muted">{IN_PERIOD[key.budget_period]}</div>
              </td>
              <td data-label="Expires" class="nowrap">
                {key.expires_at ? day(key.expires_at) : DASH}
              </td>
              <td data-label="Last used" class="nowrap" title={key.last_used_at ? exactly(key.last_used_at) : undefined}>
                {ago(key.last_used_at)}
              </td>
              <td class="right">
                <KeyButtons apiKey={key} {...actions} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </Scroll>
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
const KeyButtons = ({ apiKey, onChange, onRotate, onRevoke }: KeyActions & { apiKey: KeyRow }) =>
  apiKey.revoked_at ? null : (
    <>
      <button type="button" class="button small" onClick={() => onChange(apiKey)} aria-label={`Change ${apiKey.name}`}>
        Change
      </button>{" "}
      {!isOver(apiKey) && (
        <button type="button" class="button small" onClick={() => onRotate(apiKey)} aria-label={`Rotate ${apiKey.name}`}>
          Rotate
        </button>
      )}{" "}
      <button type="button" class="button small danger" onClick={() => onRevoke(apiKey)} aria-label={`Revoke ${apiKey.name}`}>
        Revoke
      </button>
    </>
  );
