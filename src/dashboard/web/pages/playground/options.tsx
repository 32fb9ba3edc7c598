/** The call's options: the model, one to compare with, and constraints. */

import type { ModelsAnswer } from "../../../wire.ts";
import { type Failure, get } from "../../api.ts";
import { plural } from "../../format.ts";
import { Checks } from "../../parts/checks.tsx";
import { AreaField, NumberField, SelectField, TextField } from "../../parts/controls.tsx";
import { Problem } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { setQuery } from "../../router.ts";
import { apiPath, mode } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { DocumentRow, SavedSchema } from "../../wire.ts";
import { EXAMPLE_TOOLS } from "./tools.ts";
import type { Conversation } from "./use-conversation.ts";

type OptionsProps = Pick<Conversation, "draft" | "change" | "field" | "toolsProblem" | "model" | "other" | "schema">;

const Tools = ({ draft, change, field, toolsProblem }: OptionsProps) => (
  <div class="stack tight">
    <AreaField
      code
      label="Tools"
      {...field("tools")}
      rows={draft.tools === "" ? 2 : 8}
      problem={toolsProblem}
      placeholder="none"
      hint="Functions as JSON. You see each call and write what it returns."
    />
    {draft.tools === "" && (
      <div>
        <button type="button" class="button small" onClick={() => change({ tools: EXAMPLE_TOOLS })}>
          An example
        </button>
      </div>
    )}
  </div>
);

/** Nothing, where the tier does not hold it. */
const unlessHeld =
  <T,>(nothing: T) =>
  (error: Failure): T => {
    if (error.type !== "insufficient_tier") throw error;
    return nothing;
  };

const loadChoices = async (signal: AbortSignal) => {
  const [models, documents, schemas] = await Promise.all([
    get<ModelsAnswer>("/models", signal),
    get<{ documents: DocumentRow[] }>(apiPath("/v1/documents?limit=100"), signal).catch(unlessHeld({ documents: [] })),
    get<{ schemas: SavedSchema[] }>(apiPath("/v1/schemas"), signal).catch(unlessHeld({ schemas: [] })),
  ]);
  return { models: models.models, documents: documents.documents, schemas: schemas.schemas };
};

export const Options = (props: OptionsProps) => {
  const { draft, change, field } = props;
  const { data, failure, reload } = useLoad("choices", loadChoices);
  const models = (data?.models ?? []).filter(({ callable, enabled }) => enabled && (mode.value === "test" || callable));
  const modelOptions = models.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }));
  const auto = { value: "auto", label: "Let Signalbox choose" };
  const ready = (data?.documents ?? []).filter(({ status }) => status === "ready");
  const unseen =
    data === null ? 0 : draft.documents.filter((id) => !data.documents.some((document) => document.id === id)).length;
  return (
    <Card title="Options">
      <div class="stack">
        {failure && <Problem failure={failure} retry={reload} />}
        <SelectField
          label="Model"
          value={props.model}
          onChange={(value) => setQuery({ model: value === "auto" ? null : value })}
          options={[auto, ...modelOptions]}
        />
        <SelectField
          label="Compare with"
          value={props.other ?? ""}
          onChange={(value) => setQuery({ compare: value })}
          options={[{ value: "", label: "Nothing" }, auto, ...modelOptions]}
        />
        <SelectField
          label="Answer must fit"
          value={props.schema}
          onChange={(value) => setQuery({ schema: value })}
          options={[
            { value: "", label: "No schema" },
            ...(data?.schemas ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
        />
        {ready.length > 0 && (
          <Checks
            class="document-choice"
            legend="Answer from documents"
            options={ready.map(({ id, filename }) => ({ value: id, label: filename }))}
            chosen={draft.documents}
            onChange={(documents) => change({ documents })}
          >
            {unseen > 0 && <span class="small muted">{plural(unseen, "more document")} chosen, beyond the latest 100.</span>}
          </Checks>
        )}
        <NumberField
          label="Cost ceiling (USD)"
          {...field("ceiling")}
          min={0}
          placeholder="none"
          hint="Never exceeded by all attempts together."
        />
        <div class="form-grid">
          <NumberField label="Temperature" {...field("temperature")} min={0} max={2} placeholder="the model's" />
          <NumberField label="Max tokens" {...field("maxTokens")} min={1} step={1} placeholder="the model's" />
        </div>
        <TextField
          label="Session"
          {...field("sessionId")}
          placeholder="none"
          hint="Remembers the conversation under this name."
        />
        <AreaField label="System message" {...field("system")} rows={3} placeholder="How the model should behave" />
        <Tools {...props} />
      </div>
    </Card>
  );
};
