/** Projects and their tiers. Keys, documents, policies and logs belong to a project; its limits depend on its tier. */

import { useState } from "preact/hooks";
import { bytes, DASH, day, short } from "../../format.ts";
import { Finder } from "../../parts/finder.tsx";
import { Icon } from "../../parts/icon.tsx";
import { attempt } from "../../parts/notice.tsx";
import { Card, Scroll } from "../../parts/page.tsx";
import { changeProject } from "../../refresh-projects.ts";
import { pageHref } from "../../router.ts";
import { mode, type Project, projects } from "../../state.ts";
import { CreateProject, DeleteProject, RenameProject, tierOptions } from "./project-dialogs.tsx";

export const ProjectSettings = () => {
  const [creating, setCreating] = useState(false);
  const [renaming, setRenaming] = useState<Project | null>(null);
  const [deleting, setDeleting] = useState<Project | null>(null);
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
      <Finder
        entries={projects.value ?? []}
        textOf={({ name, id }) => `${name} ${id}`}
        placeholder="name or id"
        none="No project fits"
      >
        {(page) => (
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
                {page.map((each) => (
                  <ProjectLine
                    key={each.id}
                    project={each}
                    onRename={() => setRenaming(each)}
                    onDelete={() => setDeleting(each)}
                  />
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Finder>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
      {renaming && <RenameProject project={renaming} onClose={() => setRenaming(null)} />}
      {deleting && <DeleteProject project={deleting} onClose={() => setDeleting(null)} />}
    </Card>
  );
};

type LineProps = { project: Project; onRename: () => void; onDelete: () => void };

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
      <td data-label="Created" class="nowrap">
        {day(project.created_at)}
      </td>
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
