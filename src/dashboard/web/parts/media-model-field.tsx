/** Selects a media model: its neutral name, its price, and the upstream behind it. */

import type { MediaModelRow } from "../../wire.ts";
import { exactUsd } from "../format.ts";
import { mode } from "../state.ts";
import { useGet } from "../use-load.ts";
import { SelectField, same } from "./controls.tsx";
import { Problem } from "./notice.tsx";

/** Models of one kind that have upstreams for what is to be done, in the catalog's order; empty until loaded. */
export const useMediaModels = (kind: MediaModelRow["kind"], asked: "targets" | "editors" | "translators" = "targets") => {
  const { data, failure, reload } = useGet<{ models: MediaModelRow[] }>("/media-models");
  const models = (data?.models ?? [])
    .filter((model) => model.kind === kind && model[asked].length > 0)
    .map((model) => ({ ...model, targets: model[asked] }));
  return { models, failure, reload };
};

export type MediaModels = ReturnType<typeof useMediaModels>;

type Props = { of: MediaModels; value: string; onChange: (id: string) => void; problem: string | undefined };

export const MediaModelField = ({ of: { models, failure, reload }, ...field }: Props) => {
  const chosen = models.find(({ id }) => id === field.value);
  return (
    <>
      <SelectField
        label="Model"
        {...field}
        options={same(models.map(({ id }) => id))}
        hint={chosen === undefined ? " " : behind(chosen)}
      />
      {failure && <Problem failure={failure} retry={reload} />}
    </>
  );
};

const behind = ({ price_usd, price_for, targets }: MediaModelRow): string => {
  if (targets.every(({ provider }) => provider === "local")) return "Free: it is a part of Signalbox.";
  const price =
    price_usd === 0 ? "Free" : `${exactUsd(price_usd)} ${price_for.startsWith("1,") ? `for ${price_for}` : price_for}`;
  const named = (list: typeof targets) => list.map(({ provider, model }) => `${provider} (${model})`).join(", then ");
  if (mode.value === "test") return `${price}. The sandbox stands in for ${named(targets)}.`;
  const ready = targets.filter(({ configured }) => configured);
  return ready.length > 0
    ? `${price}. Asks ${named(ready)}.`
    : `${price}. Needs a provider: ${[...new Set(targets.map(({ provider }) => provider))].join(" or ")}.`;
};
