/** Images: a form, and what was drawn. */

import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { milliseconds, usd } from "../format.ts";
import { ownAddress } from "../own-address.ts";
import { AreaField, NumberField, SelectField, same } from "../parts/controls.tsx";
import { Empty, Problem, Skeleton } from "../parts/notice.tsx";
import { Card } from "../parts/page.tsx";
import { door } from "../state.ts";
import { useSubmit } from "../use-submit.ts";

type ImageResult = {
  data: { url: string; revised_prompt: string }[];
  svc: { model_used: string; cost_usd: number; latency_ms: number; size: string };
};

const IMAGE_MODELS = ["image-a-3", "image-a-2", "image-b-3", "image-c-pro", "image-c-dev", "image-d-2", "image-e-3"];

export const Images = () => {
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
