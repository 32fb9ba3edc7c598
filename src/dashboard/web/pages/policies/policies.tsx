/** The project's policies: their list, the editor of one, and the templates for new ones. */

import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Note, Problem, RaiseTier } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/pending.tsx";
import { Prose } from "../../parts/prose.tsx";
import { hrefTo, place, queryOf, setQuery } from "../../router.ts";
import { apiPath, project } from "../../state.ts";
import { useGet } from "../../use-load.ts";
import type { Policy, PolicyTemplate } from "../../wire.ts";
import { PolicyEditor } from "./policy-editor.tsx";
import { PolicyList } from "./policy-list.tsx";

export const Policies = () => {
  const { id } = place.value;
  const { data, failure, reload } = useGet<{ policies: Policy[] }>(apiPath("/v1/policies"));
  const templates = useGet<{ templates: PolicyTemplate[] }>(apiPath("/v1/policies/templates"));
  const slug = queryOf("template");
  const trouble = failure ?? templates.failure;
  const isReady = data !== null && (slug === null || templates.data !== null);
  const policy = data?.policies.find((one) => one.id === id) ?? null;
  if (id !== null && isReady && (policy !== null || id === "new")) {
    const template = templates.data?.templates.find((one) => one.slug === slug) ?? null;
    return <PolicyEditor key={id + slug} policy={policy} template={template} />;
  }
  return (
    <Page
      title="Policies"
      lead="Routing policies say which models may answer; content policies review what is said. They are evaluated from top to bottom; the strictest wins."
      actions={
        <button type="button" class="button primary" onClick={() => setQuery({ add: "true" })}>
          <Icon name="plus" /> New policy
        </button>
      }
    >
      {project.value!.tier_limits.max_policies === 0 && (
        <Note tone="amber">
          The {project.value!.tier} tier holds no policies. <RaiseTier />
        </Note>
      )}
      {trouble && <Problem failure={trouble} retry={() => void Promise.all([reload(), templates.reload()])} />}
      {isReady && id !== null && (
        <Note tone="amber">The policy in the address is not, or no longer, one of this project. These are:</Note>
      )}
      {data === null && !failure && <Skeleton height={260} />}
      {data && <PolicyList policies={data.policies} reload={reload} />}
      {/* With all of its links at once: the first of them gets the focus. */}
      {queryOf("add") !== null && templates.data && (
        <Choose templates={templates.data.templates} onClose={() => setQuery({ add: null })} />
      )}
    </Page>
  );
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
          {type === "content" && !project.value!.tier_limits.content_policies && (
            <Note tone="amber">
              The {project.value!.tier} tier holds no content policies. <RaiseTier />
            </Note>
          )}
          <div class="template-grid">
            {templates
              .filter((template) => template.policy_type === type)
              .map((template) => (
                <a key={template.slug} class="template" href={hrefTo("policies", "new", { template: template.slug })}>
                  <strong>{template.name}</strong>
                  <span class="small muted">
                    <Prose text={template.description} />
                  </span>
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
