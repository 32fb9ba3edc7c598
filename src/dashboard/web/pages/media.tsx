/** Images to see, videos to wait for, speech to hear, audio to read: each with its form and what came of it. */

import type { FunctionComponent } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { call, type Failure, get, send } from "../api.ts";
import { milliseconds, usd } from "../format.ts";
import { ownAddress } from "../own-address.ts";
import { CopyButton } from "../parts/code.tsx";
import { AreaField, NumberField, SelectField } from "../parts/controls.tsx";
import { Lamp } from "../parts/lamp.tsx";
import { Empty, Problem, Skeleton } from "../parts/notice.tsx";
import { Card, Meter, Page } from "../parts/page.tsx";
import { hrefTo, place } from "../router.ts";
import { door } from "../state.ts";
import { useEvery, useLoad } from "../use-load.ts";
import type { VideoJob } from "../wire.ts";

const same = (values: string[]) => values.map((value) => ({ value, label: value }));

export const Media = () => {
  const chosen = SECTIONS.find(({ id }) => id === place.value.id) ?? SECTIONS[0]!;
  return (
    <Page
      title="Media"
      lead="Generated files are kept in the database and served from signed links: images for an hour, video and speech for a day."
    >
      <nav class="tabs" aria-label="Kinds of media">
        {SECTIONS.map(({ id, label }) => (
          <a key={id} href={hrefTo("media", id)} aria-current={id === chosen.id ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <chosen.Section />
    </Page>
  );
};

/** One form's submission: busy while it runs, its failure kept to be shown. */
const useSubmit = <T,>(action: () => Promise<T>) => {
  const [state, setState] = useState<{ busy: boolean; failure: Failure | null; result: T | null }>({
    busy: false,
    failure: null,
    result: null,
  });
  const submit = async (event: Event) => {
    event.preventDefault();
    setState((before) => ({ ...before, busy: true, failure: null }));
    try {
      setState({ busy: false, failure: null, result: await action() });
    } catch (error) {
      setState((before) => ({ ...before, busy: false, failure: error as Failure }));
    }
  };
  return { ...state, submit };
};

type ImageResult = {
  data: { url: string; revised_prompt: string }[];
  svc: { model_used: string; cost_usd: number; latency_ms: number; size: string };
};

const IMAGE_MODELS = ["image-a-3", "image-a-2", "image-b-3", "image-c-pro", "image-c-dev", "image-d-2", "image-e-3"];

const Images = () => {
  const [prompt, setPrompt] = useState("");
  const [model, setModel] = useState("image-a-3");
  const [size, setSize] = useState("1024x1024");
  const [count, setCount] = useState<number | null>(1);
  const { busy, failure, result, submit } = useSubmit(() =>
    call<ImageResult>("POST", door("/v1/images/generations"), { prompt, model, size, n: count ?? 1 }),
  );
  return (
    <div class="media">
      <Card title="New image">
        <form class="stack" onSubmit={submit}>
          <AreaField
            label="Prompt"
            value={prompt}
            onChange={setPrompt}
            rows={5}
            placeholder="A signal box at dusk, gouache, warm lamp light"
            problem={failure?.param === "prompt" ? failure.message : null}
          />
          <SelectField label="Model" value={model} onChange={setModel} options={same(IMAGE_MODELS)} />
          <div class="form-grid">
            <SelectField
              label="Size"
              value={size}
              onChange={setSize}
              options={same(["1024x1024", "1792x1024", "1024x1792", "512x512", "256x256"])}
            />
            <NumberField
              label="How many"
              value={count}
              onChange={setCount}
              min={1}
              max={10}
              step={1}
              problem={failure?.param === "n" ? failure.message : null}
            />
          </div>
          {failure && failure.param !== "prompt" && failure.param !== "n" && <Problem failure={failure} />}
          <button type="submit" class="button primary" disabled={busy || prompt.trim() === ""}>
            {busy ? "Drawing…" : "Draw"}
          </button>
        </form>
      </Card>
      <Card title="Result" busy={busy}>
        {busy && result === null && <Skeleton height={320} />}
        {!busy && result === null && (
          <Empty title="The image appears here">
            <p>
              Test mode draws a real PNG in the sandbox. The same prompt in chat (“draw me …”) is noticed and leads here by
              itself.
            </p>
          </Empty>
        )}
        {result && (
          <div class="stack">
            <div class="gallery">
              {result.data.map(({ url, revised_prompt }) => (
                <a key={url} href={ownAddress(url)} target="_blank" rel="noreferrer">
                  <img class="generated" src={ownAddress(url)} alt={revised_prompt} />
                </a>
              ))}
            </div>
            <p class="small muted">
              {result.svc.model_used}, {result.svc.size}, {usd(result.svc.cost_usd)}, {milliseconds(result.svc.latency_ms)}
            </p>
          </div>
        )}
      </Card>
    </div>
  );
};

const VIDEO_MODELS = ["video-b-gen3", "video-a-3", "video-c", "video-d"];
const POLL_MS = 1_500;

const Videos = () => {
  const [prompt, setPrompt] = useState("");
  const [model, setModel] = useState("video-b-gen3");
  const [seconds, setSeconds] = useState<number | null>(4);
  const [resolution, setResolution] = useState("1080p");
  const [aspect, setAspect] = useState("16:9");
  const list = useLoad("videos", (signal) => get<{ jobs: VideoJob[] }>(door("/v1/video/generations"), signal));
  const open = list.data?.jobs.some(({ status }) => status === "pending" || status === "processing");
  useEvery(open ? POLL_MS : null, list.reload);
  const { busy, failure, submit } = useSubmit(async () => {
    await call("POST", door("/v1/video/generations"), {
      prompt,
      model,
      duration_seconds: seconds ?? 4,
      resolution,
      aspect_ratio: aspect,
    });
    await list.reload();
  });
  return (
    <div class="media">
      <Card title="New video">
        <form class="stack" onSubmit={submit}>
          <AreaField
            label="Prompt"
            value={prompt}
            onChange={setPrompt}
            rows={5}
            placeholder="A freight train crosses a viaduct in the fog"
          />
          <SelectField label="Model" value={model} onChange={setModel} options={same(VIDEO_MODELS)} />
          <div class="form-grid">
            <NumberField
              label="Seconds"
              value={seconds}
              onChange={setSeconds}
              min={1}
              max={60}
              step={1}
              problem={failure?.param === "duration_seconds" ? failure.message : null}
            />
            <SelectField label="Resolution" value={resolution} onChange={setResolution} options={same(["1080p", "720p"])} />
            <SelectField label="Shape" value={aspect} onChange={setAspect} options={same(["16:9", "9:16", "1:1", "4:3"])} />
          </div>
          {failure && failure.param !== "duration_seconds" && <Problem failure={failure} />}
          <button type="submit" class="button primary" disabled={busy || prompt.trim() === ""}>
            {busy ? "Sending…" : "Make it"}
          </button>
        </form>
      </Card>
      <div class="stack">
        {list.failure && <Problem failure={list.failure} retry={list.reload} />}
        {list.data === null && !list.failure && <Skeleton height={240} />}
        {list.data?.jobs.length === 0 && (
          <Card>
            <Empty title="No videos yet">
              <p>A video takes minutes: the job is kept, followed in the background, and survives a restart.</p>
            </Empty>
          </Card>
        )}
        {list.data?.jobs.map((job) => (
          <VideoCard key={job.id} job={job} />
        ))}
      </div>
    </div>
  );
};

const VideoCard = ({ job }: { job: VideoJob }) => (
  <Card>
    <div class="stack tight">
      <div class="row between">
        <span class="grow wrap-anywhere">{job.prompt}</span>
        <VideoLamp job={job} />
      </div>
      {job.status === "processing" && (
        <>
          <Meter share={((job.progress_percent ?? 0) / 100) * 0.74} label={`${job.progress_percent ?? 0} % done`} />
          <span class="small muted">
            {Math.round(job.progress_percent ?? 0)} %, about {job.estimated_remaining_seconds} s left
          </span>
        </>
      )}
      {job.status === "failed" && <p class="small failure">{job.error_message}</p>}
      {job.video_url && (
        // biome-ignore lint/a11y/useMediaCaption: a generated clip has no words to caption
        <video class="generated" controls preload="metadata" src={ownAddress(job.video_url)} />
      )}
      <span class="small muted">{job.model}</span>
    </div>
  </Card>
);

const VideoLamp = ({ job }: { job: VideoJob }) => {
  if (job.status === "complete") return <Lamp tone="green">ready</Lamp>;
  if (job.status === "failed") return <Lamp tone="red">failed</Lamp>;
  return <Lamp tone="amber">{job.status === "pending" ? "waiting" : "being made"}</Lamp>;
};

type Spoken = { url: string; format: string; model: string | null; cost: number; latencyMs: number };

const Speech = () => {
  const [input, setInput] = useState("");
  const [model, setModel] = useState("tts-1");
  const [voice, setVoice] = useState("nova");
  const [format, setFormat] = useState("mp3");
  const [speed, setSpeed] = useState<number | null>(1);
  const { busy, failure, result, submit } = useSubmit<Spoken>(async () => {
    const response = await send("POST", door("/v1/audio/speech"), {
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
  useEffect(() => () => void (result && URL.revokeObjectURL(result.url)), [result]);
  return (
    <div class="media">
      <Card title="New speech">
        <form class="stack" onSubmit={submit}>
          <AreaField
            label="Text"
            value={input}
            onChange={setInput}
            rows={5}
            placeholder="The train on platform four is ready to leave."
            hint={`${input.length} of 4096 characters`}
          />
          <div class="form-grid">
            <SelectField label="Model" value={model} onChange={setModel} options={same(["tts-1", "tts-1-hd"])} />
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
          {failure && <Problem failure={failure} />}
          <button type="submit" class="button primary" disabled={busy || input.trim() === ""}>
            {busy ? "Speaking…" : "Speak"}
          </button>
        </form>
      </Card>
      <Card title="Result" busy={busy}>
        {result === null ? (
          <Empty title="Listen here">
            <p>The sandbox speaks in tones; a live key in the voice you choose.</p>
          </Empty>
        ) : (
          <div class="stack tight">
            {/* biome-ignore lint/a11y/useMediaCaption: speech made from the text in the form */}
            <audio class="player" controls src={result.url} />
            <p class="small muted">
              {result.model}, {usd(result.cost)}, {milliseconds(result.latencyMs)}
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
  svc: { cost_usd: number; audio_duration_seconds: number; latency_ms: number };
};

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

const Transcription = () => {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const { busy, failure, result, submit } = useSubmit<Transcript>(async () => {
    const form = new FormData();
    form.set("file", file!);
    form.set("model", "transcribe-1");
    form.set("response_format", "verbose_json");
    return (await send("POST", door("/v1/audio/transcriptions"), { body: form })).json() as Promise<Transcript>;
  });
  return (
    <div class="media">
      <Card title="Audio to text">
        <form class="stack" onSubmit={submit}>
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
          {failure && <Problem failure={failure} />}
          <button type="submit" class="button primary" disabled={busy || file === null}>
            {busy ? "Listening…" : "Transcribe"}
          </button>
        </form>
      </Card>
      <Card title="Transcript" busy={busy} actions={result && <CopyButton quiet text={result.text} />}>
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
              {clock(result.svc.audio_duration_seconds)} of audio, {usd(result.svc.cost_usd)}
            </p>
          </div>
        )}
      </Card>
    </div>
  );
};

const SECTIONS: { id: string; label: string; Section: FunctionComponent }[] = [
  { id: "images", label: "Images", Section: Images },
  { id: "video", label: "Video", Section: Videos },
  { id: "speech", label: "Speech", Section: Speech },
  { id: "transcription", label: "Transcription", Section: Transcription },
];
