/** Media models for the dashboard: their limits, prices, and the upstream models behind their neutral names. */

import { MEDIA_MODELS, type MediaModel, type MediaTarget, unitPriceOf } from "../../catalog/media-models.ts";
import { editorsOf, targetsOf, translatorsOf } from "../../catalog/media-targets.ts";
import { toUsd } from "../../lib/money.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { Platform } from "../../platform.ts";
import type { MediaModelRow } from "../wire.ts";

export const listMediaModels = ({ config: { file }, providers }: Platform): MediaModelRow[] => {
  const rowOf = ({ provider, model }: MediaTarget) => ({
    provider,
    model,
    configured: providers.find("live", provider) !== undefined,
  });
  return MEDIA_MODELS.map((model) => ({
    id: model.id,
    kind: model.kind,
    ...priceOf(model),
    sizes: model.kind === "image" ? [...model.sizes] : [],
    custom_sizes: model.kind === "image" && model.customSizes,
    max_images: model.kind === "image" ? model.maxImages : null,
    hd_price_usd: model.kind === "image" && model.hdNanoUsd !== undefined ? toUsd(model.hdNanoUsd) : null,
    max_seconds: model.kind === "video" ? model.maxDurationSeconds : null,
    max_characters: model.kind === "speech" ? BOUNDS.speechInputCharacters : null,
    targets: targetsOf(file, model).map(rowOf),
    editors: model.kind === "image" ? editorsOf(file, model).map(rowOf) : [],
    translators: model.kind === "transcription" ? translatorsOf(file, model).map(rowOf) : [],
  }));
};

const COUNTED_BY = {
  image: "an image",
  second: "a second",
  "1,000 characters": "1,000 characters",
  minute: "a minute",
  search: "a search",
  "1,000,000 tokens": "1,000,000 tokens",
} as const;

const priceOf = (model: MediaModel): Pick<MediaModelRow, "price_usd" | "price_for"> => {
  const { nanoUsd, unit } = unitPriceOf(model);
  return { price_usd: toUsd(nanoUsd), price_for: COUNTED_BY[unit] };
};
