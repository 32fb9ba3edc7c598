/** Speech and transcripts. */

import { useEffect, useId, useState } from "preact/hooks";
import { send } from "../../api.ts";
import { exactUsd, milliseconds } from "../../format.ts";
import { CopyButton } from "../../parts/code.tsx";
import { AreaField, NumberField, SelectField, same, TextField } from "../../parts/controls.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { MediaModelField, useMediaModels } from "../../parts/media-model-field.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath } from "../../state.ts";
import { useSubmit } from "../../use-submit.ts";

type Spoken = { url: string; format: string; model: string | null; cost: number; latencyMs: number };

export const Speech = () => {
  const [input, setInput] = useState("");
  const [model, setModel] = useState("tts-1");
  const media = useMediaModels("speech");
  const most = media.models.find(({ id }) => id === model)?.max_characters;
  const [voice, setVoice] = useState("nova");
  const [format, setFormat] = useState("mp3");
  const [speed, setSpeed] = useState<number | null>(1);
  const speech = useSubmit<Spoken>(async () => {
    const response = await send("POST", apiPath("/v1/audio/speech"), {
      body: { input, model, voice, response_format: format, speed: speed ?? 1 },
    });
    return {
      url: URL.createObjectURL(await response.blob()),
      format,
      model: response.headers.get("x-svc-model-used"),
      cost: Number(response.headers.get("x-svc-cost-usd")),
      latencyMs: Number(response.headers.get("x-svc-latency-ms")),
    };
  });
  const { busy, result } = speech;
  useEffect(() => () => void (result && URL.revokeObjectURL(result.url)), [result]);
  return (
    <div class="media">
      <Card title="New speech">
        <ActionForm of={speech} action="Speak" doing="Speaking…" disabled={input.trim() === ""}>
          <AreaField
            label="Text"
            value={input}
            onChange={setInput}
            rows={5}
            placeholder="The train on platform four is ready to leave."
            hint={`${[...input].length}${most == null ? "" : ` of ${most}`} characters`}
          />
          <MediaModelField of={media} value={model} onChange={setModel} />
          <div class="form-grid">
            <SelectField
              label="Voice"
              value={voice}
              onChange={setVoice}
              options={same(["alloy", "echo", "fable", "onyx", "nova", "shimmer"])}
            />
            <SelectField
              label="Format"
              value={format}
              onChange={setFormat}
              options={same(["mp3", "opus", "aac", "flac", "wav"])}
            />
            <NumberField label="Speed" value={speed} onChange={setSpeed} min={0.25} max={4} step={0.05} />
          </div>
        </ActionForm>
      </Card>
      <Card live title="Result" busy={busy}>
        {result === null ? (
          <Empty title="Listen here">
            <p>The sandbox speaks in tones; a live key in the voice you choose.</p>
          </Empty>
        ) : (
          <div class="stack tight">
            {/* biome-ignore lint/a11y/useMediaCaption: speech made from the text in the form */}
            <audio class="player" controls src={result.url} />
            <p class="small muted">
              {result.model}, {exactUsd(result.cost)}, {milliseconds(result.latencyMs)}
            </p>
            <div>
              <a class="button small" href={result.url} download={`speech.${result.format}`}>
                Download
              </a>
            </div>
          </div>
        )}
      </Card>
    </div>
  );
};

type Transcript = {
  text: string;
  language?: string;
  segments?: { id: number; start: number; end: number; text: string }[];
  svc: { cost_usd: number; audio_duration_seconds: number };
};

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const Transcription = () => {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [model, setModel] = useState("transcribe-1");
  const [language, setLanguage] = useState("");
  const media = useMediaModels("transcription");
  const transcription = useSubmit<Transcript>(async () => {
    const form = new FormData();
    form.set("file", file!);
    form.set("model", model);
    form.set("response_format", "verbose_json");
    if (language.trim() !== "") form.set("language", language.trim());
    return (await send("POST", apiPath("/v1/audio/transcriptions"), { body: form })).json() as Promise<Transcript>;
  }, ["language"]);
  const { busy, problems, result } = transcription;
  return (
    <div class="media">
      <Card title="Audio to text">
        <ActionForm of={transcription} action="Transcribe" doing="Listening…" disabled={file === null}>
          <div class="field">
            <label for={id}>Audio file</label>
            <input
              id={id}
              class="input"
              type="file"
              accept=".mp3,.mp4,.m4a,.mpeg,.mpga,.wav,.webm,.ogg,.flac"
              onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
            />
            <span class="hint">Up to 25 MB. Billed by its real length.</span>
          </div>
          <MediaModelField of={media} value={model} onChange={setModel} />
          <TextField
            label="Language"
            value={language}
            onChange={setLanguage}
            placeholder="detected automatically"
            hint="A code such as en or de."
            problem={problems["language"]}
          />
        </ActionForm>
      </Card>
      <Card live title="Transcript" busy={busy} actions={result && <CopyButton quiet text={result.text} />}>
        {result === null ? (
          <Empty title="The words appear here">
            <p>With the time of each segment.</p>
          </Empty>
        ) : (
          <div class="stack tight">
            <dl class="segments">
              {(result.segments ?? [{ id: 0, start: 0, end: 0, text: result.text }]).map((segment) => (
                <div key={segment.id}>
                  <dt class="muted">{clock(segment.start)}</dt>
                  <dd>{segment.text}</dd>
                </div>
              ))}
            </dl>
            <p class="small muted">
              {clock(result.svc.audio_duration_seconds)} of audio{result.language && `, language ${result.language}`},{" "}
              {exactUsd(result.svc.cost_usd)}
            </p>
          </div>
        )}
      </Card>
    </div>
  );
};
