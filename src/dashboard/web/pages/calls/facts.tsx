/** The context of one call: its time, user, key and session, with links to them. */

import type { ComponentChildren } from "preact";
import { exactly, milliseconds, number, usd } from "../../format.ts";
import { FactList } from "../../parts/figures.tsx";
import { Card } from "../../parts/page.tsx";
import { hrefTo } from "../../router.ts";
import { project } from "../../state.ts";
import { useKeys } from "../../use-keys.ts";
import type { LogDetail } from "../../wire.ts";
import { ForgetUser } from "./forget-user.tsx";

/** The shadow call and its cost, which is not part of any total. */
const shadowText = (shadow: LogDetail["shadow_call"]): string | null =>
  shadow.executed
    ? `${shadow.shadow_model}: ${shadow.quality_comparison ?? "compared"}, ${usd(shadow.shadow_cost_usd)}, ${milliseconds(shadow.shadow_latency_ms)}`
    : null;

export const Facts = ({ entry }: { entry: LogDetail }) => {
  const { metadata, execution, shadow_call } = entry;
  const facts: [string, ComponentChildren][] = [
    ["Time", exactly(entry.timestamp)],
    ["Endpoint", metadata.endpoint + (execution.streamed ? " (streamed)" : "")],
    ["First token", execution.first_token_ms === null ? null : milliseconds(execution.first_token_ms)],
    ["Cached input", execution.cached_input_tokens > 0 ? `${number(execution.cached_input_tokens)} tokens` : null],
    ["Project", project.value!.name],
    ["Key", <KeyName hash={metadata.api_key_hash} />],
    ["User", metadata.user_id],
    ["Session", metadata.session_id],
    ["Address", metadata.request_ip],
    ["Client", metadata.user_agent],
    ...Object.entries(metadata.custom),
    ["Shadow call", shadowText(shadow_call)],
  ];
  return (
    <Card title="Request">
      <div class="stack">
        <FactList facts={facts} />
        <div class="row">
          {metadata.session_id && (
            <>
              <a class="button small" href={hrefTo("sessions", metadata.session_id)}>
                The session
              </a>
              <a class="button small" href={hrefTo("calls", null, { session_id: metadata.session_id })}>
                Calls of this session
              </a>
            </>
          )}
          {metadata.user_id && (
            <>
              <a class="button small" href={hrefTo("calls", null, { user_id: metadata.user_id })}>
                Calls of this user
              </a>
              <ForgetUser user={metadata.user_id} />
            </>
          )}
        </div>
      </div>
    </Card>
  );
};

/** What the log has in place of the key if a call was made without one. */
const NOT_KEYS: Record<string, string> = { dashboard: "this dashboard", embedder: "none: the server embedded documents" };

/** The name of the call's key, which the log itself does not store. */
const KeyName = ({ hash }: { hash: string }) => {
  const { data: keys, failure } = useKeys();
  if (keys === null) return <>{failure ? hash : "…"}</>;
  const key = keys.find(({ log_hash }) => log_hash === hash);
  if (key === undefined) return <>{NOT_KEYS[hash] ?? `${hash} (gone)`}</>;
  return (
    <a href={hrefTo("settings", "keys")}>
      {key.name} …{key.last_four}
    </a>
  );
};
