/** The editor of one schema: its name and its text, which is checked while typing. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { AreaField, nameProblem, TextField } from "../../parts/controls.tsx";
import { AskFirst } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Problem, say } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { go, hrefTo, leave } from "../../router.ts";
import { apiPath } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import { useGet } from "../../use-load.ts";
import type { SavedSchema } from "../../wire.ts";
import { TryOut } from "./try-out.tsx";

export const SavedEditor = ({ id }: { id: string }) => {
  const schema = useGet<SavedSchema>(apiPath(`/v1/schemas/${encodeURIComponent(id)}`));
  if (schema.data) return <Editor saved={schema.data} onSaved={schema.set} />;
  return (
    <Page title="Schema">
      <Pending of={schema} height={420} />
    </Page>
  );
};

const STARTER = {
  type: "object",
  required: ["title", "priority"],
  properties: { title: { type: "string" }, priority: { type: "string", enum: ["low", "normal", "high"] } },
  additionalProperties: false,
};

const parse = (text: string): { value: object } | { problem: string } => {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { value }
      : { problem: "A schema is a JSON object." };
  } catch (error) {
    return { problem: (error as Error).message };
  }
};

export const Editor = ({ saved, onSaved }: { saved: SavedSchema | null; onSaved?: (stored: SavedSchema) => void }) => {
  const begun = {
    ...{ name: saved?.name ?? "", slug: saved?.slug ?? "", description: saved?.description ?? "" },
    text: JSON.stringify(saved?.schema ?? STARTER, null, 2),
  };
  const [refused, setRefused] = useState("");
  const form = useForm(begun, async ({ name, slug, description, text }) => {
    const parsed = parse(text);
    if ("problem" in parsed) return;
    setRefused(text);
    const body = {
      name: name.trim(),
      schema: parsed.value,
      description: description.trim() || null,
      ...(slug.trim() && { slug: slug.trim() }),
    };
    const stored = await call<SavedSchema>(saved ? "PUT" : "POST", apiPath(`/v1/schemas${saved ? `/${saved.id}` : ""}`), body);
    say(`${stored.name} is saved.`);
    if (stored.slug === saved?.slug) onSaved?.(stored);
    else leave(() => go(hrefTo("schemas", stored.slug), { replace: true }));
  });
  const { busy, failure, field, submit: save } = form;
  const { name, slug, description, text } = form.values;
  const parsed = parse(text);
  useUnsaved(
    name.trim() !== (saved?.name ?? "") ||
      description.trim() !== (saved?.description ?? "") ||
      !["", saved?.slug].includes(slug.trim()) ||
      JSON.stringify("value" in parsed ? parsed.value : text) !== JSON.stringify(saved?.schema ?? STARTER),
  );
  // The server's complaint is shown until the text changes.
  const isRefused = failure?.param?.startsWith("schema") ?? false;
  const problem = "problem" in parsed ? parsed.problem : isRefused && text === refused ? failure!.message : null;
  return (
    <Page
      title={saved?.name ?? "New schema"}
      lead={saved && `Version ${saved.version}. Calls use it with schema_id: "${saved.slug}".`}
      actions={
        <>
          <a class="button" href={hrefTo("schemas")}>
            <Icon name="left" /> All schemas
          </a>
          {saved && (
            <AskFirst
              label="Delete"
              title={`Delete ${saved.name}?`}
              action="Delete"
              done={`${saved.name} is deleted.`}
              onConfirm={async () => {
                await call("DELETE", apiPath(`/v1/schemas/${saved.id}`));
                leave(() => go(hrefTo("schemas")));
              }}
            >
              Calls that name <code>{saved.slug}</code> are refused from then on.
            </AskFirst>
          )}
          <button type="button" class="button primary" onClick={save} disabled={busy || "problem" in parsed}>
            Save
          </button>
        </>
      }
    >
      {failure && !isRefused && <Problem failure={failure} />}
      <div class="columns">
        <Card title="Schema">
          <div class="stack">
            <div class="form-grid">
              <TextField
                label="Name"
                {...field("name")}
                placeholder="Invoice"
                problem={nameProblem(field("name").problem, name)}
              />
              <TextField label="Slug" {...field("slug")} placeholder="made from the name" hint="What calls name it by." />
            </div>
            <TextField label="Description" {...field("description")} placeholder="What it is for" />
            <AreaField code label="JSON Schema" rows={20} {...field("text")} problem={problem} hint="Draft-07 or 2020-12." />
          </div>
        </Card>
        <TryOut schema={"value" in parsed ? parsed.value : null} />
      </div>
    </Page>
  );
};
