/** API keys: created here and shown once, with their scopes, spending and last use. */

import { useState } from "preact/hooks";
import type { KeyRow, NewKey } from "../../../wire.ts";
import { call } from "../../api.ts";
import { ago, DASH, day, exactly, exactUsd, usd } from "../../format.ts";
import { SnippetTabs } from "../../parts/code.tsx";
import { TextField } from "../../parts/controls.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge, Lamp } from "../../parts/lamp.tsx";
import { NewKeyNote } from "../../parts/new-key.tsx";
import { attempt, Empty, Problem, Skeleton, say } from "../../parts/notice.tsx";
import { Card, Meter, Scroll } from "../../parts/page.tsx";
import { pageHref, queryOf, setQuery } from "../../router.ts";
import { snippetsFor } from "../../snippets.ts";
import { project } from "../../state.ts";
import { useKeys } from "../../use-keys.ts";
import { ChangeKey, CreateKey, RotateKey } from "./key-dialogs.tsx";

export const KeySettings = () => {
  const { id, name } = project.value!;
  const { data: keys, failure, reload } = useKeys();
  const [made, setMade] = useState<NewKey | null>(null);
  const [revoking, setRevoking] = useState<KeyRow | null>(null);
  const [changing, setChanging] = useState<KeyRow | null>(null);
  const [rotating, setRotating] = useState<KeyRow | null>(null);
  const creating = queryOf("new") === "true";
  const show = (key: NewKey) => {
    setMade(key);
    void reload();
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
      {failure && <Problem failure={failure} retry={reload} />}
      {keys === null && !failure && <Skeleton height={200} />}
      {keys?.length === 0 && (
        <Empty title="No keys yet">
          <p>Programs call Signalbox with a key. A test key is answered by the sandbox, free; a live key by the providers.</p>
        </Empty>
      )}
      {keys && keys.length > 0 && <KeyList keys={keys} onChange={setChanging} onRotate={setRotating} onRevoke={setRevoking} />}
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
            void reload();
          }}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke “${revoking.name}”?`}
          action="Revoke"
          onClose={() => setRevoking(null)}
          onConfirm={() =>
            attempt(() => call("DELETE", `/projects/${id}/keys/${revoking.id}`).finally(reload), "The key is revoked.")
          }
        >
          Calls with the key that ends in <code>{revoking.last_four}</code> get 401 within a second. A revoked key cannot be
          brought back.
        </Confirm>
      )}
    </Card>
  );
};

const isExpired = ({ expires_at }: KeyRow): boolean => expires_at !== null && Date.parse(expires_at) <= Date.now();

const stateOf = (key: KeyRow): { tone: "green" | "off" | "amber"; text: string } => {
  if (key.revoked_at) return { tone: "off", text: "revoked" };
  if (isExpired(key)) return { tone: "off", text: "expired" };
  if (key.budget_usd !== null && key.spent_usd >= key.budget_usd) return { tone: "amber", text: "budget spent" };
  return { tone: "green", text: "valid" };
};

type KeyActions = { onChange: (key: KeyRow) => void; onRotate: (key: KeyRow) => void; onRevoke: (key: KeyRow) => void };

const MANY = 10;

/** Revoked and expired keys come last. A long list can be searched. */
const KeyList = ({ keys, ...actions }: KeyActions & { keys: KeyRow[] }) => {
  const find = queryOf("find") ?? "";
  const found = keys
    .filter((key) => `${key.name} ${key.last_four} ${key.id}`.toLowerCase().includes(find.toLowerCase()))
    .sort((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null));
  return (
    <>
      {(keys.length > MANY || find !== "") && (
        <div class="filters">
          <TextField
            label="Find"
            type="search"
            value={find}
            onChange={(text) => setQuery({ find: text })}
            placeholder="name or last characters"
          />
        </div>
      )}
      {found.length === 0 && <Empty title="No key fits">{null}</Empty>}
      {found.length > 0 && <KeyTable keys={found} {...actions} />}
    </>
  );
};

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
      {!isExpired(apiKey) && (
        <button type="button" class="button small" onClick={() => onRotate(apiKey)} aria-label={`Rotate ${apiKey.name}`}>
          Rotate
        </button>
      )}{" "}
      <button type="button" class="button small danger" onClick={() => onRevoke(apiKey)} aria-label={`Revoke ${apiKey.name}`}>
        Revoke
      </button>
    </>
  );

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
    <SnippetTabs snippets={snippetsFor(location.origin, made.key, "Write a haiku about a railway signal.")} />
  </Dialog>
);
