/** The policies in order of evaluation, which can be moved by dragging or by keyboard, and switched on and off. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { number, plural } from "../../format.ts";
import { Arrows } from "../../parts/arrows.tsx";
import { Switch } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { attempt, Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { hrefTo, setQuery } from "../../router.ts";
import { apiPath, project } from "../../state.ts";
import type { Policy } from "../../wire.ts";
import { describePolicy } from "./describe-policy.ts";

const STEP = 10;

export const PolicyList = ({ policies, reload }: { policies: Policy[]; reload: () => Promise<void> }) => {
  const [order, setOrder] = useState<string[] | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const shown =
    order === null
      ? policies
      : order.map((id) => policies.find((policy) => policy.id === id)).filter((policy) => policy !== undefined);
  const most = project.value!.tier_limits.max_policies;

  /** Sets the priorities to 10, 20, 30 …; only changed ones are written. */
  const store = async (ids: string[]) => {
    setOrder(ids);
    await attempt(async () => {
      for (const [at, id] of ids.entries()) {
        const priority = (at + 1) * STEP;
        if (policies.find((policy) => policy.id === id)?.priority !== priority)
          await call("PATCH", apiPath(`/v1/policies/${id}`), { priority });
      }
      await reload();
    });
    setOrder(null);
  };
  const move = (id: string, to: number) => {
    const ids = shown.map((policy) => policy.id).filter((other) => other !== id);
    ids.splice(Math.max(0, Math.min(ids.length, to)), 0, id);
    return ids;
  };
  const switchOn = (policy: Policy, enabled: boolean) =>
    attempt(
      () => call("PATCH", apiPath(`/v1/policies/${policy.id}`), { enabled }).then(reload),
      `${policy.name} is ${enabled ? "on" : "off"}.`,
    );

  if (policies.length === 0)
    return (
      <Card>
        <Empty title="No policies yet">
          <p>
            Keep a vendor out, cap what a call may cost, redact personal data: start from a template, see what it would have done
            to past calls, then save.
          </p>
          <button type="button" class="button primary" onClick={() => setQuery({ add: "true" })}>
            Choose a template
          </button>
        </Empty>
      </Card>
    );
  return (
    <Card
      flush
      title="In this order"
      note={`${plural(policies.length, "policy", "policies")} of ${number(most)} that the tier holds. Drag a row, or use the arrows.`}
    >
      <ol class="policy-list">
        {shown.map((policy, at) => (
          <li
            key={policy.id}
            class={`${dragged === policy.id ? "dragged" : ""} ${policy.enabled ? "" : "disabled"}`}
            draggable
            onDragStart={({ dataTransfer }) => {
              // WebKit drags nothing that carries nothing.
              dataTransfer?.setData("text/plain", policy.id);
              setDragged(policy.id);
            }}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged !== null && dragged !== policy.id) setOrder(move(dragged, at));
            }}
            // Otherwise Firefox might look for what was carried.
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => {
              setDragged(null);
              if (order !== null) void store(order);
            }}
          >
            <span class="grip" aria-hidden="true">
              <Icon name="grip" />
            </span>
            <div class="policy-name">
              <a href={hrefTo("policies", policy.id)}>{policy.name}</a>
              <span class="small muted">{describePolicy(policy)}</span>
            </div>
            <Badge tone={policy.policy_type === "routing" ? "slate" : "green"}>{policy.policy_type}</Badge>
            <Arrows name={policy.name} at={at} of={shown.length} onMove={(to) => store(move(policy.id, to))} />
            <Switch hideLabel label={`Use ${policy.name}`} checked={policy.enabled} onChange={(on) => switchOn(policy, on)} />
          </li>
        ))}
      </ol>
    </Card>
  );
};
