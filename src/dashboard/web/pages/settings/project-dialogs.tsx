/** The dialogs that create, rename or delete a project. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { say } from "../../parts/notice.tsx";
import { changeProject, refreshProjects } from "../../refresh-projects.ts";
import { go, pageHref } from "../../router.ts";
import { mode, type Project, project, projects } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import { useSubmit } from "../../use-submit.ts";

const TIER_LABELS: Record<Project["tier"], string> = {
  free: "Free",
  starter: "Starter",
  pro: "Pro",
  growth: "Growth",
  team: "Team",
  enterprise: "Enterprise",
};
export const tierOptions = optionsOf(TIER_LABELS);

export const CreateProject = ({ onClose }: { onClose: () => void }) => {
  const form = useForm({ name: "", tier: "enterprise" }, async ({ tier, ...values }) => {
    const name = values.name.trim();
    await call("POST", "/projects", { name, tier });
    await refreshProjects();
    onClose();
    go(pageHref(name, mode.value, "settings", "keys", { new: true }));
  });
  return (
    <FormDialog title="New project" action="Make it" form={form} disabled={form.values.name.trim() === ""} onClose={onClose}>
      <TextField label="Name" {...form.field("name")} autoFocus placeholder="website" />
      <SelectField
        label="Tier"
        {...form.field("tier")}
        options={tierOptions}
        hint="You run this server: a tier is how much a project may use of it, not what you pay."
      />
    </FormDialog>
  );
};

export const RenameProject = ({ project, onClose }: { project: Project; onClose: () => void }) => {
  const form = useForm({ name: project.name }, async ({ name }) => {
    await changeProject(project.id, { name: name.trim() });
    onClose();
  });
  return (
    <FormDialog
      title={`Rename “${project.name}”`}
      action="Rename"
      form={form}
      disabled={["", project.name].includes(form.values.name.trim())}
      onClose={onClose}
    >
      <TextField
        label="Name"
        {...form.field("name")}
        autoFocus
        hint="Keys, calls and everything else of the project stay as they are. Commands that use the old name create a new project, and links with it no longer lead here."
      />
    </FormDialog>
  );
};

export const DeleteProject = ({ project: deleted, onClose }: { project: Project; onClose: () => void }) => {
  const [typed, setTyped] = useState("");
  const form = useSubmit(async () => {
    await call("DELETE", `/projects/${deleted.id}`);
    // If it was the current project, the page goes on in another.
    const other = projects.value!.find(({ id }) => id !== deleted.id)!;
    await refreshProjects(project.value?.id === deleted.id ? other.name : undefined);
    say(`${deleted.name} is deleted.`);
    onClose();
  });
  return (
    <FormDialog
      title={`Delete “${deleted.name}”?`}
      action="Delete the project"
      danger
      form={form}
      disabled={typed !== deleted.name}
      onClose={onClose}
    >
      <p>
        Its keys will be refused at once. Its calls, documents, sessions, media, policies and schemas will be deleted and cannot
        be brought back.
      </p>
      <TextField label={`Type ${deleted.name} to confirm`} value={typed} onChange={setTyped} autoFocus />
    </FormDialog>
  );
};
