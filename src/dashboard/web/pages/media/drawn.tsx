/** The images that were made or edited, or what to expect of them. */

import type { ComponentChildren } from "preact";
import { exactUsd, milliseconds } from "../../format.ts";
import { ownAddress } from "../../own-address.ts";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/pending.tsx";

export type ImageResult = {
  data: { url: string; revised_prompt: string }[];
  svc: { model_used: string; cost_usd: number; latency_ms: number; size: string };
};

type Props = { of: { busy: boolean; result: ImageResult | null }; children: ComponentChildren };

export const Drawn = ({ of: { busy, result }, children }: Props) => (
  <Card live title="Result" busy={busy}>
    {busy && result === null && <Skeleton height={320} />}
    {!busy && result === null && (
      <Empty title="The image appears here">
        <p>{children}</p>
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
);
