/** The editor of one policy: a form for all its options, and a dry run over past calls before it is saved. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { nameProblem, TextField } from "../../parts/controls.tsx";
import { AskFirst } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Problem, say } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { go, hrefTo, leave, queryOf } from "../../router.ts";
import { apiPath } from "../../state.ts";
import { changesOf } from "../../use-fields.ts";
import { useSubmit } from "../../use-submit.ts";
import type { Policy, PolicyConfig, PolicyTemplate } from "../../wire.ts";
import { ContentForm } from "./content-form.tsx";
import { DryRunCard } from "./dry-run.tsx";
import { withoutEmpty } from "./policy-config.ts";
import { CHECKED_OPTIONS, RoutingForm } from "./routing-form.tsx";

export const PolicyEditor = ({ policy, template }: { policy: Policy | null; template: PolicyTemplate | null }) => {
  const type = policy?.policy_type ?? template?.policy_type ?? (queryOf("type") === "content" ? "content" : "routing");
  const begun = policy ?? template ?? { name: "", config: {} };
  const [name, setName] = useState(begun.name);
  const [config, setConfig] = useState<PolicyConfig>(begun.config);
  const set = (option: keyof PolicyConfig, value: unknown) => setConfig((before) => withoutEmpty({ ...before, [option]: value }));
  useUnsaved(name !== begun.name || JSON.stringify(config) !== JSON.stringify(begun.config));

  const {
    busy,
    failure,
    problems,
    submit: save,
  } = useSubmit(async () => {
    if (policy) {
      // The server merges the config into the stored one, so removed options must be sent as null.
      const removed = Object.fromEntries(
        Object.keys(policy.config)
          .filter((option) => !(option in config))
          .map((option) => [option, null]),
      );
      const changed = { ...removed, ...changesOf(policy.config, config) };
      await call("PATCH", apiPath(`/v1/policies/${policy.id}`), {
        ...(name.trim() !== policy.name && { name: name.trim() }),
        config: changed,
      });
    } else {
      await call("POST", apiPath("/v1/policies"), { name: name.trim(), policy_type: type, config });
    }
    say(`${name.trim()} is saved and holds from the next call on.`);
    leave(() => go(hrefTo("policies")));
  }, ["name", ...CHECKED_OPTIONS]);

  return (
    <Page
      title={policy?.name ?? "New policy"}
      lead={
        (template && <Prose text={template.description} />) ??
        (type === "routing"
          ? "A routing policy: which models may answer, at what cost and speed."
          : "A content policy: what is found in prompts and answers, and what is done then.")
      }
      actions={
        <>
          <a class="button" href={hrefTo("policies")}>
            <Icon name="left" /> All policies
          </a>
          {policy && (
            <AskFirst
              label="Delete"
              title={`Delete ${policy.name}?`}
              action="Delete"
              done={`${policy.name} is deleted.`}
              onConfirm={async () => {
                await call("DELETE", apiPath(`/v1/policies/${policy.id}`));
                leave(() => go(hrefTo("policies")));
              }}
            >
              The next call is decided without it.
            </AskFirst>
          )}
          <button type="button" class="button primary" onClick={save} disabled={busy}>
            Save
          </button>
        </>
      }
    >
      {failure && <Problem failure={failure} />}
      <div class="columns">
        <div class="stack">
          <Card>
            <TextField
              label="Name"
              value={name}
              onChange={setName}
              placeholder={type === "routing" ? "No model above one cent" : "No card numbers in answers"}
              problem={nameProblem(problems["name"], name)}
            />
          </Card>
          {type === "routing" ? (
            <RoutingForm config={config} set={set} problems={problems} />
          ) : (
            <ContentForm config={config} set={set} />
          )}
        </div>
        <DryRunCard type={type} config={config} />
      </div>
    </Page>
  );
};
