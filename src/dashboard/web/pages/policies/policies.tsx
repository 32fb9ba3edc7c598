/** The rules of the project in the order they are asked; moved by dragging or by keys, made from templates. */

import { useState } from "preact/hooks";
import { call, get } from "../../api.ts";
import { exactUsd, number, plural } from "../../format.ts";
import { Switch } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { attempt, Empty, Problem, Skeleton } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { hrefTo, place, queryOf, setQuery } from "../../router.ts";
import { door, project } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { Policy, PolicyTemplate } from "../../wire.ts";
import { PolicyEditor } from "./policy-editor.tsx";

export const Policies = () => {
  const { id } = place.value;
  const { data, failure, reload } = useLoad(`policies ${project.value!.id}`, (signal) =>
    get<{ policies: Policy[] }>(door("/v1/policies"), signal),
  );
  const templates = useLoad("templates", (signal) =>
    get<{ templates: PolicyTemplate[] }>(door("/v1/policies/templates"), signal),
  );
  if (id !== null && data && templates.data) {
    const slug = queryOf("template");
    const template = templates.data.templates.find((one) => one.slug === slug) ?? null;
    const policy = data.policies.find((one) => one.id === id) ?? null;
    if (policy !== null || id === "new") return <PolicyEditor key={id + slug} policy={policy} template={template} />;
  }
  return (
    <Page
      title="Policies"
      lead="Routing policies say which models may answer; content policies look at what is said. Asked from top to bottom; the strictest wins."
      actions={
        <button type="button" class="button primary" onClick={() => setQuery({ add: "true" })}>
          <Icon name="plus" /> New policy
        </button>
      }
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={260} />}
      {data && <List policies={data.policies} reload={reload} />}
      {queryOf("add") !== null && <Choose templates={templates.data?.templates ?? []} onClose={() => setQuery({ add: null })} />}
    </Page>
  );
};

const STEP = 10;

const List = ({ policies, reload }: { policies: Policy[]; reload: () => Promise<void> }) => {
  const [order, setOrder] = useState<string[] | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const shown =
    order === null
      ? policies
      : order.map((id) => policies.find((policy) => policy.id === id)).filter((policy) => policy !== undefined);
  const most = project.value!.tier_limits.max_policies;

  /** Priorities become 10, 20, 30 …; only those that changed are written. */
  const store = async (ids: string[]) => {
    setOrder(ids);
    await attempt(async () => {
      for (const [at, id] of ids.entries()) {
        const priority = (at + 1) * STEP;
        if (policies.find((policy) => policy.id === id)?.priority !== priority)
          await call("PATCH", door(`/v1/policies/${id}`), { priority });
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
      () => call("PATCH", door(`/v1/policies/${policy.id}`), { enabled }).then(reload),
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
            onDragStart={() => setDragged(policy.id)}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged !== null && dragged !== policy.id) setOrder(move(dragged, at));
            }}
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
              <span class="small muted">{describe(policy)}</span>
            </div>
            <Badge tone={policy.policy_type === "routing" ? "slate" : "green"}>{policy.policy_type}</Badge>
            <span class="arrows">
              <button
                type="button"
                class="button quiet icon"
                disabled={at === 0}
                aria-label={`Move ${policy.name} up`}
                onClick={() => store(move(policy.id, at - 1))}
              >
                <Icon name="up" />
              </button>
              <button
                type="button"
                class="button quiet icon"
                disabled={at === shown.length - 1}
                aria-label={`Move ${policy.name} down`}
                onClick={() => store(move(policy.id, at + 1))}
              >
                <Icon name="down" />
              </button>
            </span>
            <Switch hideLabel label={`Use ${policy.name}`} checked={policy.enabled} onChange={(on) => switchOn(policy, on)} />
          </li>
        ))}
      </ol>
    </Card>
  );
};

const OUTCOMES: Record<string, string> = {
  info: "only notes it",
  warn: "warns",
  soft_block: "changes the call",
  hard_block: "refuses the call",
};

const DOES: Record<string, string> = { warn: "warns of", redact: "redacts", block: "blocks" };

/** A policy in one line. */
const describe = ({ policy_type, config }: Pick<Policy, "policy_type" | "config">): string => {
  const says: string[] = [];
  const list = (name: string, words: string) =>
    config[name]?.length > 0 && says.push(`${words} ${config[name].slice(0, 3).join(", ")}${config[name].length > 3 ? "…" : ""}`);
  if (policy_type === "routing") {
    list("provider_allow_list", "only");
    list("provider_block_list", "never");
    list("model_allow_list", "only");
    list("model_block_list", "never");
    if (config["cost_ceiling_usd"] !== undefined) says.push(`at most ${exactUsd(config["cost_ceiling_usd"])} a call`);
    if (config["latency_target_ms"] !== undefined) says.push(`within ${config["latency_target_ms"]} ms`);
    if (config["prefer_cheaper_models"]) says.push("cheaper models first");
    if (config["prefer_faster_models"]) says.push("faster models first");
    says.push(OUTCOMES[config["on_violation"] ?? "soft_block"]!);
  } else {
    const pii = config["pii_detection"];
    const terms = config["blocked_terms"];
    if (pii && pii.enabled !== false) says.push(`${DOES[pii.action] ?? "looks for"} personal data`);
    if (terms && terms.enabled !== false)
      says.push(`${DOES[terms.action] ?? "looks for"} ${plural(terms.terms?.length ?? 0, "term")}`);
    if (config["criteria"]?.length > 0) says.push(`judges ${plural(config["criteria"].length, "criterion", "criteria")}`);
    if (config["evaluate_input"]) says.push("also in prompts");
    if (config["redact_logs"]) says.push("redacts the log");
  }
  return says.join(" · ") || "no rule yet";
};

const Choose = ({ templates, onClose }: { templates: PolicyTemplate[]; onClose: () => void }) => {
  const groups: ["routing" | "content", string][] = [
    ["routing", "Which models may answer"],
    ["content", "What may be said"],
  ];
  return (
    <Dialog wide title="New policy" onClose={onClose}>
      {groups.map(([type, title]) => (
        <section key={type} class="stack tight">
          <h3>{title}</h3>
          <div class="template-grid">
            {templates
              .filter((template) => template.policy_type === type)
              .map((template) => (
                <a key={template.slug} class="template" href={hrefTo("policies", "new", { template: template.slug })}>
                  <strong>{template.name}</strong>
                  <span class="small muted">{template.description}</span>
                </a>
              ))}
            <a class="template" href={hrefTo("policies", "new", { type })}>
              <strong>From scratch</strong>
              <span class="small muted">Every option, none set.</span>
            </a>
          </div>
        </section>
      ))}
    </Dialog>
  );
};
