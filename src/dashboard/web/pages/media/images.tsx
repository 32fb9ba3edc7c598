/** Images: a form, and its results. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { exactUsd, milliseconds } from "../../format.ts";
import { ownAddress } from "../../own-address.ts";
import { AreaField, NumberField, SelectField, same, TextField } from "../../parts/controls.tsx";
import { MediaModelField, useMediaModels } from "../../parts/media-model-field.tsx";
import { Empty, Problem, Skeleton } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath, mode } from "../../state.ts";
import { useSubmit } from "../../use-submit.ts";

type ImageResult = {
  data: { url: string; revised_prompt: string }[];
  svc: { model_used: string; cost_usd: number; latency_ms: number; size: string };
};

export const Images = () => {
  const [prompt, setPrompt] = useState("");
  const [model, setModel] = useState("image-a-3");
  const [size, setSize] = useState("1024x1024");
  const [count, setCount] = useState<number | null>(1);
  const [quality, setQuality] = useState("standard");
  const [style, setStyle] = useState("vivid");
  const models = useMediaModels("image");
  const chosen = models.find(({ id }) => id === model);
  const most = chosen?.max_images ?? 10;
  const choose = (id: string) => {
    const next = models.find((one) => one.id === id)!;
    setModel(id);
    if (!next.sizes.includes(size)) setSize(next.sizes.at(-1)!);
    setCount(Math.min(count ?? 1, next.max_images!));
  };
  const styled = chosen !== undefined && chosen.hd_price_usd !== null;
  const { busy, failure, problems, result, submit } = useSubmit(
    () =>
      call<ImageResult>("POST", apiPath("/v1/images/generations"), {
        ...{ prompt, model, size, n: count ?? 1 },
        ...(styled && { quality, style }),
      }),
    ["prompt", "n", "size"],
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
            problem={problems["prompt"]?.message}
          />
          <MediaModelField models={models} value={model} onChange={choose} />
          <div class="form-grid">
            {chosen?.custom_sizes ? (
              <TextField
                label="Size"
                value={size}
                onChange={setSize}
                list={chosen.sizes}
                hint="Each side a multiple of 8 from 256 to 2048."
                problem={problems["size"]?.message}
              />
            ) : (
              <SelectField label="Size" value={size} onChange={setSize} options={same(chosen?.sizes ?? [size])} />
            )}
            <NumberField
              label="How many"
              value={count}
              onChange={setCount}
              min={1}
              max={most}
              hint={`At most ${most}.`}
              step={1}
              problem={problems["n"]?.message}
            />
            {styled && (
              <>
                <SelectField
                  label="Quality"
                  value={quality}
                  onChange={setQuality}
                  options={[
                    { value: "standard", label: "Standard" },
                    { value: "hd", label: `HD (${exactUsd(chosen.hd_price_usd)})` },
                  ]}
                />
                <SelectField
                  label="Style"
                  value={style}
                  onChange={setStyle}
                  options={[
                    { value: "vivid", label: "Vivid" },
                    { value: "natural", label: "Natural" },
                  ]}
                />
              </>
            )}
          </div>
          {failure && <Problem failure={failure} />}
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
              {mode.value === "test" && "The sandbox draws a real PNG. "}A chat that asks for a picture (“draw me …”) gets one
              just the same.
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
              {result.svc.model_used}, {result.svc.size}, {exactUsd(result.svc.cost_usd)}, {milliseconds(result.svc.latency_ms)}
            </p>
          </div>
        )}
      </Card>
    </div>
  );
};
