/** Speech, and transcripts in the language that was spoken or in English. */

import { useEffect } from "preact/hooks";
import { call, send } from "../../api.ts";
import { exactUsd, milliseconds } from "../../format.ts";
import { CopyButton } from "../../parts/code.tsx";
import { AreaField, NumberField, optionsOf, SelectField, same, TextField } from "../../parts/controls.tsx";
import { FileField } from "../../parts/file-field.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { MediaModelField, useMediaModels } from "../../parts/media-model-field.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath } from "../../state.ts";
import { useForm } from "../../use-form.ts";

type Speaking = { input: string; model: string; voice: string; response_format: string; speed: number | null };
const SPEECH: Speaking = { input: "", model: "tts-1", voice: "nova", response_format: "mp3", speed: 1 };

type Spoken = { url: string; format: string; model: string | null; cost: number; latencyMs: number };

export const Speech = () => {
  const media = useMediaModels("speech");
  const speech = useForm(SPEECH, async (order): Promise<Spoken> => {
    const response = await send("POST", apiPath("/v1/audio/speech"), { ...order, speed: order.speed ?? 1 });
    return {
      url: URL.createObjectURL(await response.blob()),
      format: order.response_format,
      model: response.headers.get("x-svc-model-used"),
      cost: Number(response.headers.get("x-svc-cost-usd")),
      latencyMs: Number(response.headers.get("x-svc-latency-ms")),
    };
  });
  const { busy, result, field } = speech;
  const { input, model } = speech.values;
  const most = media.models.find(({ id }) => id === model)?.max_characters;
  useEffect(() => () => void (result && URL.revokeObjectURL(result.url)), [result]);
  return (
    <div class="media">
      <Card title="New speech">
        <ActionForm of={speech} action="Speak" doing="Speaking…" disabled={input.trim() === ""}>
          <AreaField
            label="Text"
            {...field("input")}
            rows={5}
            placeholder="The train on platform four is ready to leave."
            hint={`${[...input].length}${most == null ? "" : ` of ${most}`} characters`}
          />
          <MediaModelField of={media} {...field("model")} />
          <div class="form-grid">
            <SelectField
              label="Voice"
              {...field("voice")}
              options={same(["alloy", "echo", "fable", "onyx", "nova", "shimmer"])}
            />
            <SelectField label="Format" {...field("response_format")} options={same(["mp3", "opus", "aac", "flac", "wav"])} />
            <NumberField label="Speed" {...field("speed")} min={0.25} max={4} step={0.05} />
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

type Listening = { file: File | null; model: string; written: "transcriptions" | "translations"; language: string };
const TRANSCRIPTION: Listening = { file: null, model: "transcribe-1", written: "transcriptions", language: "" };
const WRITTEN = optionsOf({ transcriptions: "The language spoken", translations: "English, translated" });

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const Transcription = () => {
  const transcription = useForm(TRANSCRIPTION, async ({ file, model, written, language }): Promise<Transcript> => {
    const form = new FormData();
    form.set("file", file!);
    form.set("model", model);
    form.set("response_format", "verbose_json");
    if (written === "transcriptions" && language.trim() !== "") form.set("language", language.trim());
    return call<Transcript>("POST", apiPath(`/v1/audio/${written}`), form);
  });
  const { busy, result, values, field } = transcription;
  const translated = values.written === "translations";
  const media = useMediaModels("transcription", translated ? "translators" : "targets");
  return (
    <div class="media">
      <Card title="Audio to text">
        <ActionForm of={transcription} action="Transcribe" doing="Listening…" disabled={values.file === null}>
          <FileField
            label="Audio file"
            {...field("file")}
            hint="Up to 25 MB. Billed by its real length."
            accept=".mp3,.mp4,.m4a,.mpeg,.mpga,.wav,.webm,.ogg,.flac"
          />
          <MediaModelField of={media} {...field("model")} />
          <SelectField
            label="Written in"
            {...field("written")}
            onChange={(value) => field("written").onChange(value as Listening["written"])}
            options={WRITTEN}
          />
          {!translated && (
            <TextField
              label="Language"
              {...field("language")}
              placeholder="detected automatically"
              hint="A code such as en or de."
            />
          )}
        </ActionForm>
      </Card>
      <Card live title="Transcript" busy={busy} actions={result && <CopyButton quiet text={result.text} />}>
        {result === null ? (
          <Empty title="The words appear here">
            <p>With the time of each segment.</p>
          </Empty>
        ) : (
          <div class="stack tight">
            <dl class="stack tight segments">
              {(result.segments ?? [{ id: 0, start: 0, end: 0, text: result.text }]).map((segment) => (
                <div key={segment.id}>
                  <dt class="muted">{clock(segment.start)}</dt>
                  <dd>{segment.text}</dd>
                </div>
              ))}
            </dl>
            <p class="small muted">
              {clock(result.svc.audio_duration_seconds)} of audio
              {!translated && result.language && `, language ${result.language}`}, {exactUsd(result.svc.cost_usd)}
            </p>
          </div>
        )}
      </Card>
    </div>
  );
};
