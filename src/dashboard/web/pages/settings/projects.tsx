/** Projects and their tiers. Keys, documents, policies and logs belong to a project; its limits depend on its tier. */

import { batch } from "@preact/signals";
import { useState } from "preact/hooks";
import type { ProjectRow } from "../../../wire.ts";
import { call, get } from "../../api.ts";
import { bytes, DASH, day, short } from "../../format.ts";
import { optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { attempt, Problem, say } from "../../parts/notice.tsx";
import { Card, Scroll } from "../../parts/page.tsx";
import { followName, go, pageHref } from "../../router.ts";
import { mode, project, projects } from "../../state.ts";
import { useSubmit } from "../../use-submit.ts";

const TIER_LABELS: Record<ProjectRow["tier"], string> = {
  free: "Free",
  starter: "Starter",
  pro: "Pro",
  growth: "Growth",
  team: "Team",
  enterprise: "Enterprise",
};
const tierOptions = optionsOf(TIER_LABELS);

/** If the current project was renamed, here or elsewhere, the URL changes in the same update. */
export const refreshProjects = async (): Promise<void> => {
  const known = (await get<{ projects: ProjectRow[] }>("/projects")).projects;
  batch(() => {
    const renamed = known.find(({ id, name }) => id === project.value?.id && name !== project.value.name);
    projects.value = known;
    if (renamed) followName(renamed.name);
  });
};

export const changeProject = async (id: string, change: object): Promise<void> => {
  await call("PATCH", `/projects/${id}`, change);
  await refreshProjects();
};

export const ProjectSettings = () => {
  const [creating, setCreating] = useState(false);
  const [renaming, setRenaming] = useState<ProjectRow | null>(null);
  const [deleting, setDeleting] = useState<ProjectRow | null>(null);
  return (
    <Card
      flush
      title="Projects"
      note="A new tier holds from the next call on."
      actions={
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon name="plus" /> New project
        </button>
      }
    >
      <Scroll label="Projects">
        <table class="stacked">
          <thead>
            <tr>
              <th>Name</th>
              <th>Tier</th>
              <th class="number">Chat a minute</th>
              <th class="number">Documents</th>
              <th class="number">Policies</th>
              <th class="number">Log kept</th>
              <th>Created</th>
              <th>
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {(projects.value ?? []).map((each) => (
              <ProjectLine key={each.id} project={each} onRename={() => setRenaming(each)} onDelete={() => setDeleting(each)} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
      {renaming && <RenameProject project={renaming} onClose={() => setRenaming(null)} />}
      {deleting && <DeleteProject project={deleting} onClose={() => setDeleting(null)} />}
    </Card>
  );
};

type LineProps = { project: ProjectRow; onRename: () => void; onDelete: () => void };

const ProjectLine = ({ project, onRename, onDelete }: LineProps) => {
  const { tier_limits } = project;
  return (
    <tr>
      <td class="name">
        <a href={pageHref(project.name, mode.value, "overview")}>{project.name}</a>
      </td>
      <td data-label="Tier">
        <select
          class="in-table"
          aria-label={`Tier of ${project.name}`}
          value={project.tier}
          onChange={async ({ currentTarget: select }) => {
            const tier = select.value;
            const went = await attempt(() => changeProject(project.id, { tier }), `${project.name} is on ${tier} now.`);
            if (!went) select.value = project.tier;
          }}
        >
          {tierOptions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </td>
      <td data-label="Chat a minute" class="number">
        {tier_limits.groups.chat.per_minute === null ? "no limit" : short(tier_limits.groups.chat.per_minute)}
      </td>
      <td data-label="Documents" class="number">
        {tier_limits.documents === null ? DASH : `${short(tier_limits.documents.count)}, ${bytes(tier_limits.documents.bytes)}`}
      </td>
      <td data-label="Policies" class="number">
        {tier_limits.max_policies === 0 ? DASH : short(tier_limits.max_policies)}
      </td>
      <td data-label="Log kept" class="number">
        {tier_limits.log_retention_days} days
      </td>
      <td data-label="Created">{day(project.created_at)}</td>
      <td class="right">
        <button type="button" class="button small" onClick={onRename} aria-label={`Rename ${project.name}`}>
          Rename
        </button>{" "}
        {projects.value!.length > 1 && (
          <button type="button" class="button small danger" onClick={onDelete} aria-label={`Delete ${project.name}`}>
            Delete
          </button>
        )}
      </td>
    </tr>
  );
};

const CreateProject = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState("");
  const [tier, setTier] = useState("enterprise");
  const { busy, failure, problems, submit } = useSubmit(async () => {
    await call("POST", "/projects", { name: name.trim(), tier });
    await refreshProjects();
    onClose();
    go(pageHref(name.trim(), mode.value, "settings", "keys", { new: true }));
  }, ["name"]);
  return (
    <FormDialog title="New project" action="Make it" disabled={busy || name.trim() === ""} onClose={onClose} onSubmit={submit}>
      {failure && <Problem failure={failure} />}
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        problem={problems["name"]?.message}
        placeholder="website"
      />
      <SelectField
        label="Tier"
        value={tier}
        onChange={setTier}
        options={tierOptions}
        hint="You run this server: a tier is how much a project may use of it, not what you pay."
      />
    </FormDialog>
  );
};

const RenameProject = ({ project, onClose }: { project: ProjectRow; onClose: () => void }) => {
  const [name, setName] = useState(project.name);
  const { busy, failure, problems, submit } = useSubmit(async () => {
    await changeProject(project.id, { name: name.trim() });
    onClose();
  }, ["name"]);
  return (
    <FormDialog
      title={`Rename “${project.name}”`}
      action="Rename"
      disabled={busy || name.trim() === "" || name.trim() === project.name}
      onClose={onClose}
      onSubmit={submit}
    >
      {failure && <Problem failure={failure} />}
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        problem={problems["name"]?.message}
        hint="Keys, calls and everything else of the project stay as they are. Commands that use the old name create a new project, and links with it no longer lead here."
      />
    </FormDialog>
  );
};

const DeleteProject = ({ project: deleted, onClose }: { project: ProjectRow; onClose: () => void }) => {
  const [typed, setTyped] = useState("");
  const { busy, failure, submit } = useSubmit(async () => {
    await call("DELETE", `/projects/${deleted.id}`);
    // If it was the current project, the page goes on in another.
    const other = projects.value!.find(({ id }) => id !== deleted.id)!;
    if (project.value?.id === deleted.id) followName(other.name);
    await refreshProjects();
    say(`${deleted.name} is deleted.`);
    onClose();
  });
  return (
    <FormDialog
      title={`Delete “${deleted.name}”?`}
      action="Delete the project"
      danger
      disabled={busy || typed !== deleted.name}
      onClose={onClose}
      onSubmit={submit}
    >
      {failure && <Problem failure={failure} />}
      <p>
        Its keys will be refused at once. Its calls, documents, sessions, media, policies and schemas will be deleted and cannot
        be brought back.
      </p>
      <TextField label={`Type ${deleted.name} to confirm`} value={typed} onChange={setTyped} autoFocus />
    </FormDialog>
  );
};
