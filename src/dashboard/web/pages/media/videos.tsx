/** Videos: jobs that take minutes, polled until they can be played. */

import { call } from "../../api.ts";
import { ownAddress } from "../../own-address.ts";
import { AreaField, NumberField, SelectField, same } from "../../parts/controls.tsx";
import { Meter } from "../../parts/figures.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { MediaModelField, useMediaModels } from "../../parts/media-model-field.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { serverNow } from "../../server-clock.ts";
import { apiPath } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import { useEvery, useGet } from "../../use-load.ts";
import type { VideoJob } from "../../wire.ts";

const POLL_MS = 1_500;

type Order = { prompt: string; model: string; duration_seconds: number | null; resolution: string; aspect_ratio: string };
const USUAL: Order = { prompt: "", model: "video-b-gen3", duration_seconds: 4, resolution: "1080p", aspect_ratio: "16:9" };

export const Videos = () => {
  const media = useMediaModels("video");
  const list = useGet<{ jobs: VideoJob[] }>(apiPath("/v1/video/generations"));
  const open = list.data?.jobs.some(({ status }) => status === "pending" || status === "processing");
  useEvery(open ? POLL_MS : null, list.reload);
  const filming = useForm(USUAL, async (order) => {
    const duration_seconds = order.duration_seconds ?? USUAL.duration_seconds;
    await call("POST", apiPath("/v1/video/generations"), { ...order, duration_seconds });
    await list.reload();
  });
  const { values, field } = filming;
  const longest = media.models.find(({ id }) => id === values.model)?.max_seconds ?? 60;
  return (
    <div class="media">
      <Card title="New video">
        <ActionForm of={filming} action="Make it" doing="Sending…" disabled={values.prompt.trim() === ""}>
          <AreaField label="Prompt" {...field("prompt")} rows={5} placeholder="A freight train crosses a viaduct in the fog" />
          <MediaModelField of={media} {...field("model")} />
          <div class="form-grid">
            <NumberField
              label="Seconds"
              {...field("duration_seconds")}
              min={1}
              max={longest}
              hint={`At most ${longest}.`}
              step={1}
            />
            <SelectField label="Resolution" {...field("resolution")} options={same(["1080p", "720p"])} />
            <SelectField label="Shape" {...field("aspect_ratio")} options={same(["16:9", "9:16", "1:1", "4:3"])} />
          </div>
        </ActionForm>
      </Card>
      <div class="stack">
        <Pending of={list} height={240} />
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
        <span class="grow wrap-anywhere clamp" title={job.prompt}>
          {job.prompt}
        </span>
        <VideoLamp job={job} />
      </div>
      {job.status === "processing" && (
        <>
          <Meter calm share={(job.progress_percent ?? 0) / 100} label={`${job.progress_percent ?? 0} % done`} />
          <span class="small muted">
            {Math.round(job.progress_percent ?? 0)} %
            {job.estimated_remaining_seconds !== undefined && `, about ${job.estimated_remaining_seconds} s left`}
          </span>
        </>
      )}
      {job.status === "failed" && <p class="small problem">{job.error_message}</p>}
      {isDeleted(job) && <p class="small muted">The video is deleted: videos are kept for a day.</p>}
      {job.video_url && !isDeleted(job) && (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: a generated clip has no words to caption */}
          <video class="generated" controls preload="metadata" src={ownAddress(job.video_url)} />
          {/* Not every browser can play it: Firefox asks the system for H.264. */}
          <div>
            <a class="button small" href={ownAddress(job.video_url)} download>
              Download
            </a>
          </div>
        </>
      )}
      <span class="small muted">{job.model}</span>
    </div>
  </Card>
);

/** The link contains the time until which the file is kept. */
const isDeleted = ({ video_url }: VideoJob): boolean =>
  video_url !== undefined && Number(new URL(video_url).searchParams.get("expires")) * 1000 <= serverNow();

const VideoLamp = ({ job }: { job: VideoJob }) => {
  if (isDeleted(job)) return <Lamp tone="off">deleted</Lamp>;
  if (job.status === "complete") return <Lamp tone="green">ready</Lamp>;
  if (job.status === "failed") return <Lamp tone="red">failed</Lamp>;
  return <Lamp tone="amber">{job.status === "pending" ? "waiting" : "being made"}</Lamp>;
};
