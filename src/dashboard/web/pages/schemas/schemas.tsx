/** Saved schemas: an editor that checks while typing, and a trial on a text or a model's answer. */

import { ago, exactly } from "../../format.ts";
import { Finder } from "../../parts/finder.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { hrefTo, place } from "../../router.ts";
import { apiPath } from "../../state.ts";
import { useGet } from "../../use-load.ts";
import type { SavedSchema } from "../../wire.ts";
import { Editor, SavedEditor } from "./editor.tsx";

export const Schemas = () => {
  const { id } = place.value;
  if (id === null) return <SchemaList />;
  return id === "new" ? <Editor saved={null} /> : <SavedEditor id={id} />;
};

const COLUMNS: Column<SavedSchema>[] = [
  {
    head: "Name",
    class: "name",
    cell: ({ name, slug }) => (
      <a class="row-link" href={hrefTo("schemas", slug)}>
        {name}
      </a>
    ),
  },
  { head: "Slug", class: "name", cell: ({ slug }) => <span class="mono">{slug}</span> },
  { head: "Description", class: "name", cell: ({ description }) => <span class="clamp">{description}</span> },
  { head: "Version", class: "number", cell: ({ version }) => version },
  { head: "Changed", class: "nowrap", cell: ({ updated_at }) => ago(updated_at), title: ({ updated_at }) => exactly(updated_at) },
];

const SchemaList = () => {
  const list = useGet<{ schemas: SavedSchema[] }>(apiPath("/v1/schemas"));
  const schemas = list.data?.schemas;
  return (
    <Page
      title="Schemas"
      lead="Name a saved JSON Schema as schema_id to enforce it on answers: those that do not fit are repaired or asked for again."
      actions={
        <a class="button primary" href={hrefTo("schemas", "new")}>
          <Icon name="plus" /> New schema
        </a>
      }
    >
      <Pending of={list} height={240} />
      {schemas && (
        <Card flush>
          {schemas.length === 0 ? (
            <Empty title="No schemas yet">
              <p>
                Describe the JSON you want once, then send its name with each call. You get that JSON back, or an error that says
                what did not fit.
              </p>
              <a class="button primary" href={hrefTo("schemas", "new")}>
                Write the first one
              </a>
            </Empty>
          ) : (
            <Finder
              entries={schemas}
              textOf={({ name, slug, description }) => `${name} ${slug} ${description ?? ""}`}
              placeholder="name or slug"
              none="No schema fits"
            >
              {(page) => (
                <Table
                  class="stacked"
                  label="Schemas"
                  columns={COLUMNS}
                  rows={page}
                  keyOf={({ id }) => id}
                  hrefOf={({ slug }) => hrefTo("schemas", slug)}
                />
              )}
            </Finder>
          )}
        </Card>
      )}
    </Page>
  );
};
