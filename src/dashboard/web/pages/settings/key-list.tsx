/** The list of a project's API keys: their states, scopes, spending and last use, and what can be done with each. */

import type { KeyRow } from "../../../wire.ts";
import { ago, DASH, day, exactly, exactUsd, usd } from "../../format.ts";
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
          <th>Scopes</th>
          <th>This month</th>
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
              <td data-label="Scopes">{key.scopes === null ? "all" : key.scopes.join(", ")}</td>
              <td data-label="This month" class="nowrap">
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
