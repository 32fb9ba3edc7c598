/** The call's options: the model, one to compare with, and constraints. */

import type { ModelRow } from "../../../wire.ts";
import { get } from "../../api.ts";
import { plural } from "../../format.ts";
import { AreaField, NumberField, SelectField, TextField } from "../../parts/controls.tsx";
import { Card } from "../../parts/page.tsx";
import { setQuery } from "../../router.ts";
import { door, mode } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { DocumentRow, SavedSchema } from "../../wire.ts";
import { EXAMPLE_TOOLS } from "./tools.ts";

type OptionsProps = {
  system: string;
  setSystem: (text: string) => void;
  ceiling: number | null;
  setCeiling: (value: number | null) => void;
  temperature: number | null;
  setTemperature: (value: number | null) => void;
  mostTokens: number | null;
  setMostTokens: (value: number | null) => void;
  sessionId: string;
  setSessionId: (text: string) => void;
  documents: string[];
  setDocuments: (ids: string[]) => void;
  tools: string;
  setTools: (text: string) => void;
  toolsProblem: string | null;
  model: string;
  other: string | null;
  schema: string;
};

const Tools = ({ tools, setTools, toolsProblem }: OptionsProps) => (
  <div class="stack tight">
    <AreaField
      code
      label="Tools"
      value={tools}
      onChange={setTools}
      rows={tools === "" ? 2 : 8}
      problem={toolsProblem}
      placeholder="none"
      hint="Functions as JSON. You see each call and write what it returns."
    />
    {tools === "" && (
      <div>
        <button type="button" class="button small" onClick={() => setTools(EXAMPLE_TOOLS)}>
          An example
        </button>
      </div>
    )}
  </div>
);

const loadChoices = async (signal: AbortSignal) => {
  const none =
    <T,>(value: T) =>
    () =>
      value;
  const [models, documents, schemas] = await Promise.all([
    get<{ models: ModelRow[] }>("/models", signal),
    get<{ documents: DocumentRow[] }>(door("/v1/documents?limit=100"), signal).catch(none({ documents: [] as DocumentRow[] })),
    get<{ schemas: SavedSchema[] }>(door("/v1/schemas"), signal).catch(none({ schemas: [] as SavedSchema[] })),
  ]);
  return { models: models.models, documents: documents.documents, schemas: schemas.schemas };
};

export const Options = (props: OptionsProps) => {
  const { data } = useLoad("choices", loadChoices);
  const models = (data?.models ?? []).filter(({ callable, enabled }) => enabled && (mode.value === "test" || callable));
  const modelOptions = models.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }));
  const auto = { value: "auto", label: "Let Signalbox choose" };
  const ready = (data?.documents ?? []).filter(({ status }) => status === "ready");
  const unseen =
    data === null ? 0 : props.documents.filter((id) => !data.documents.some((document) => document.id === id)).length;
  return (
    <Card title="Options">
      <div class="stack">
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
          <fieldset>
            <legend>Answer from documents</legend>
            <div class="document-choice">
              {ready.map(({ id, filename }) => (
                <label key={id} class="check">
                  <input
                    type="checkbox"
                    checked={props.documents.includes(id)}
                    onChange={(event) =>
                      props.setDocuments(
                        event.currentTarget.checked ? [...props.documents, id] : props.documents.filter((one) => one !== id),
                      )
                    }
                  />
                  <span class="wrap-anywhere">{filename}</span>
                </label>
              ))}
            </div>
            {unseen > 0 && <span class="small muted">{plural(unseen, "more document")} chosen, beyond the latest 100.</span>}
          </fieldset>
        )}
        <NumberField
          label="Cost ceiling (USD)"
          value={props.ceiling}
          onChange={props.setCeiling}
          min={0}
          placeholder="none"
          hint="Never exceeded by all attempts together."
        />
        <div class="form-grid">
          <NumberField
            label="Temperature"
            value={props.temperature}
            onChange={props.setTemperature}
            min={0}
            max={2}
            placeholder="the model's"
          />
          <NumberField
            label="Most tokens"
            value={props.mostTokens}
            onChange={props.setMostTokens}
            min={1}
            step={1}
            placeholder="the model's"
          />
        </div>
        <TextField
          label="Session"
          value={props.sessionId}
          onChange={props.setSessionId}
          placeholder="none"
          hint="Remembers the conversation under this name."
        />
        <AreaField
          label="System message"
          value={props.system}
          onChange={props.setSystem}
          rows={3}
          placeholder="How the model should behave"
        />
        <Tools {...props} />
      </div>
    </Card>
  );
};
