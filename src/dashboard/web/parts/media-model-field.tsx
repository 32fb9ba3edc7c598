/** Selects a media model: its neutral name, its price, and the upstream behind it. */

import type { MediaModelRow } from "../../wire.ts";
import { get } from "../api.ts";
import { exactUsd } from "../format.ts";
import { mode } from "../state.ts";
import { useLoad } from "../use-load.ts";
import { SelectField, same } from "./controls.tsx";

/** Models of one kind, in the catalog's order; empty until loaded. */
export const useMediaModels = (kind: MediaModelRow["kind"]): MediaModelRow[] => {
  const { data } = useLoad("media models", (signal) => get<{ models: MediaModelRow[] }>("/media-models", signal));
  return (data?.models ?? []).filter((model) => model.kind === kind);
};

type Props = { models: MediaModelRow[]; value: string; onChange: (id: string) => void };

export const MediaModelField = ({ models, value, onChange }: Props) => {
  const chosen = models.find(({ id }) => id === value);
  return (
    <SelectField
      label="Model"
      value={value}
      onChange={onChange}
      options={models.length === 0 ? same([value]) : same(models.map(({ id }) => id))}
      hint={chosen === undefined ? " " : behind(chosen)}
    />
  );
};

const behind = ({ price_usd, price_for, targets }: MediaModelRow): string => {
  const price = `${exactUsd(price_usd)} ${price_for === "1,000 characters" ? `for ${price_for}` : price_for}`;
  const named = (list: typeof targets) => list.map(({ provider, model }) => `${provider} (${model})`).join(", then ");
  if (mode.value === "test") return `${price}. The sandbox stands in for ${named(targets)}.`;
  const ready = targets.filter(({ configured }) => configured);
  return ready.length > 0
    ? `${price}. Asks ${named(ready)}.`
    : `${price}. Needs a provider: ${[...new Set(targets.map(({ provider }) => provider))].join(" or ")}.`;
};
