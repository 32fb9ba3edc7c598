/** Saved schemas: an editor that says what is wrong while typing, and a try-out on a text or a live answer. */

import { useEffect, useState } from "preact/hooks";
import type { SchemaTry } from "../../wire.ts";
import { call, Failure, get } from "../api.ts";
import { ago, exactly } from "../format.ts";
import { CodeBlock } from "../parts/code.tsx";
import { AreaField, Check, TextField } from "../parts/controls.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Badge, Lamp } from "../parts/lamp.tsx";
import { attempt, Empty, Problem, Skeleton, say } from "../parts/notice.tsx";
import { Card, Page, Scroll } from "../parts/page.tsx";
import { go, hrefTo, place } from "../router.ts";
import { door } from "../state.ts";
import { useLoad } from "../use-load.ts";
import type { SavedSchema } from "../wire.ts";

export const Schemas = () => {
  const { id } = place.value;
  if (id === null) return <SchemaList />;
  return id === "new" ? <Editor saved={null} reload={() => {}} /> : <SavedEditor id={id} />;
};

const SchemaList = () => {
  const { data, failure, reload } = useLoad("schemas", (signal) => get<{ schemas: SavedSchema[] }>(door("/v1/schemas"), signal));
  return (
    <Page
      title="Schemas"
      lead="A saved JSON Schema is enforced on answers by its name: schema_id. What does not fit is mended or asked again."
      actions={
        <a class="button primary" href={hrefTo("schemas", "new")}>
          <Icon name="plus" /> New schema
        </a>
      }
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={240} />}
      {data && (
        <Card flush>
          {data.schemas.length === 0 ? (
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
            <Scroll label="Schemas">
              <table class="stacked">
                <thead>
                  <tr>
                    <th>Name</th>
                    <th>Slug</th>
                    <th>Description</th>
                    <th class="number">Version</th>
                    <th>Changed</th>
                  </tr>
                </thead>
                <tbody>
                  {data.schemas.map((schema) => (
                    <tr
                      key={schema.id}
                      class="link"
                      onClick={(event) => !(event.target as Element).closest("a") && go(hrefTo("schemas", schema.slug))}
                    >
                      <td class="name">
                        <a class="row-link" href={hrefTo("schemas", schema.slug)}>
                          {schema.name}
                        </a>
                      </td>
                      <td data-label="Slug" class="mono name">
                        {schema.slug}
                      </td>
                      <td data-label="Description" class="name">
                        {schema.description}
                      </td>
                      <td data-label="Version" class="number">
                        {schema.version}
                      </td>
                      <td data-label="Changed" class="nowrap" title={exactly(schema.updated_at)}>
                        {ago(schema.updated_at)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
        </Card>
      )}
    </Page>
  );
};

const SavedEditor = ({ id }: { id: string }) => {
  const { data, failure, reload } = useLoad(id, (signal) =>
    get<SavedSchema>(door(`/v1/schemas/${encodeURIComponent(id)}`), signal),
  );
  if (data) return <Editor key={data.version} saved={data} reload={reload} />;
  return <Page title="Schema">{failure ? <Problem failure={failure} retry={reload} /> : <Skeleton height={420} />}</Page>;
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

const Editor = ({ saved, reload }: { saved: SavedSchema | null; reload: () => void }) => {
  const [name, setName] = useState(saved?.name ?? "");
  const [slug, setSlug] = useState(saved?.slug ?? "");
  const [description, setDescription] = useState(saved?.description ?? "");
  const [text, setText] = useState(JSON.stringify(saved?.schema ?? STARTER, null, 2));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [deleting, setDeleting] = useState(false);
  const parsed = parse(text);
  const problem = "problem" in parsed ? parsed.problem : failure?.param?.startsWith("schema") ? failure.message : null;
  const save = async () => {
    if ("problem" in parsed) return;
    const body = {
      name: name.trim(),
      schema: parsed.value,
      description: description.trim() || null,
      ...(slug.trim() && { slug: slug.trim() }),
    };
    try {
      const stored = await call<SavedSchema>(saved ? "PUT" : "POST", door(`/v1/schemas${saved ? `/${saved.id}` : ""}`), body);
      say(`${stored.name} is saved.`);
      setFailure(null);
      if (stored.slug !== saved?.slug) go(hrefTo("schemas", stored.slug), { replace: true });
      else reload();
    } catch (error) {
      setFailure(error as Failure);
    }
  };
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
            <button type="button" class="button danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
          )}
          <button type="button" class="button primary" onClick={save} disabled={name.trim() === "" || "problem" in parsed}>
            Save
          </button>
        </>
      }
    >
      {failure && !problem && <Problem failure={failure} />}
      <div class="columns">
        <Card title="Schema">
          <div class="stack">
            <div class="form-grid">
              <TextField label="Name" value={name} onChange={setName} placeholder="Invoice" />
              <TextField
                label="Slug"
                value={slug}
                onChange={setSlug}
                placeholder="made from the name"
                hint="What calls name it by."
              />
            </div>
            <TextField label="Description" value={description} onChange={setDescription} placeholder="What it is for" />
            <AreaField
              code
              label="JSON Schema"
              rows={20}
              value={text}
              onChange={setText}
              problem={problem}
              hint="Draft-07 or 2020-12."
            />
          </div>
        </Card>
        <TryOut schema={"value" in parsed ? parsed.value : null} />
      </div>
      {deleting && saved && (
        <Confirm
          title={`Delete ${saved.name}?`}
          action="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            if (await attempt(() => call("DELETE", door(`/v1/schemas/${saved.id}`)), `${saved.name} is deleted.`))
              go(hrefTo("schemas"));
          }}
        >
          Calls that name <code>{saved.slug}</code> are refused from then on.
        </Confirm>
      )}
    </Page>
  );
};

const TRY_AFTER_MS = 300;

/** Checks a text as an answer would be; can ask a model for one first. */
const TryOut = ({ schema }: { schema: object | null }) => {
  const [text, setText] = useState("");
  const [strict, setStrict] = useState(false);
  const [verdict, setVerdict] = useState<SchemaTry | Failure | null>(null);
  const [prompt, setPrompt] = useState("");
  const [asking, setAsking] = useState(false);
  const wanted = JSON.stringify(schema);
  useEffect(() => {
    if (schema === null || text.trim() === "") return setVerdict(null);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      call<SchemaTry>("POST", "/schema-try", { schema, text, strict }, controller.signal)
        .then(setVerdict)
        .catch((error) => !controller.signal.aborted && setVerdict(error));
    }, TRY_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted, text, strict]);
  const ask = async () => {
    setAsking(true);
    await attempt(async () => {
      const answer = await call("POST", door("/v1/chat"), { messages: [{ role: "user", content: prompt }], schema });
      setText(answer.choices[0].message.content ?? "");
    });
    setAsking(false);
  };
  return (
    <Card title="Try it" note="Paste an answer, or let a model write one.">
      <div class="stack">
        <form
          class="row end tester"
          onSubmit={(event) => {
            event.preventDefault();
            void ask();
          }}
        >
          <TextField
            label="Ask a model"
            value={prompt}
            onChange={setPrompt}
            placeholder="Extract: the lift is broken, it is urgent"
          />
          <button type="submit" class="button" disabled={prompt.trim() === "" || schema === null || asking}>
            {asking ? "Asking…" : "Ask"}
          </button>
        </form>
        <AreaField
          code
          label="Answer"
          rows={8}
          value={text}
          onChange={setText}
          placeholder={'Here you go: {"title": "Lift broken", priority: "high",}'}
        />
        <Check label="Strict" hint="No repair: what does not fit as it stands fails." checked={strict} onChange={setStrict} />
        <div class="try-verdict" aria-live="polite">
          {verdict instanceof Failure && <Problem failure={verdict} />}
          {verdict && !(verdict instanceof Failure) && <Verdict verdict={verdict} />}
        </div>
      </div>
    </Card>
  );
};

const Verdict = ({ verdict }: { verdict: SchemaTry }) =>
  verdict.passed ? (
    <div class="stack tight">
      <div class="row">
        <Lamp tone="green">Fits</Lamp>
        {verdict.repaired.map((repair) => (
          <Badge key={repair} tone="amber">
            mended: {repair.replaceAll("_", " ")}
          </Badge>
        ))}
      </div>
      <CodeBlock wrap label="What the caller gets" code={JSON.stringify(verdict.value, null, 2)} />
    </div>
  ) : (
    <div class="stack tight">
      <Lamp tone="red">Does not fit</Lamp>
      <ul class="plain small">
        {verdict.errors.map((error) => (
          <li key={error.path + error.message}>
            <code>{error.path || "the answer"}</code> {error.message}
          </li>
        ))}
      </ul>
    </div>
  );
