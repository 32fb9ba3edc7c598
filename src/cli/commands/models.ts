/** `signalbox models list | check`. */

import { isServed } from "../../catalog/catalog.ts";
import { compareListing, type ListingReport } from "../../catalog/compare-listing.ts";
import { MEDIA_MODELS, unitPriceOf } from "../../catalog/media-models.ts";
import { targetsOf } from "../../catalog/media-targets.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import { toUsd } from "../../lib/money.ts";
import type { Platform } from "../../platform.ts";
import { singleAttempt } from "../../providers/upstream/single-attempt.ts";
import { type Given, tableOf, tell } from "../command.ts";
import { withModels } from "../with-platform.ts";

const perMillion = (nanoUsd: number): number => nanoUsd / 1_000;

export const listModels = (given: Given, environment: Environment): Promise<number> =>
  withModels(readConfig(environment, given.values), async (platform) => {
    const [text, media] = [[...chatRows(platform), ...embeddingRows(platform)], mediaRows(platform)];
    const head = ["ID", "TYPE", "PROVIDER", "READY"];
    const start = ({ id, type, provider, available }: (typeof text | typeof media)[number]) => [
      id,
      type,
      provider,
      available ? "yes" : "no",
    ];
    const texts = text.map((model) => [
      ...start(model),
      String(model.context_window),
      String(model.input_usd_per_million ?? "?"),
      String(model.output_usd_per_million ?? "?"),
      model.shutdown_date ?? "",
    ]);
    const medias = media.map((model) => [...start(model), String(model.pricing.usd), model.pricing.unit]);
    return tell(
      given,
      [...text, ...media],
      `${tableOf([...head, "CONTEXT", "IN $/M", "OUT $/M", "SHUTDOWN"], texts)}\n\n${tableOf([...head, "USD", "FOR EACH"], medias)}`,
    );
  });

const chatRows = ({ catalog, providers, clock }: Platform) => {
  const configured = new Set(providers.configured());
  return catalog.chatModels().map((model) => {
    const prices = model.prices;
    return {
      id: model.id,
      type: "chat",
      provider: model.provider,
      available: configured.has(model.provider) && isServed(model, clock.now()),
      context_window: model.contextWindow,
      max_output_tokens: model.maxOutputTokens,
      input_usd_per_million: prices ? perMillion(prices.inputNanoUsd) : null,
      cached_input_usd_per_million: prices ? perMillion(prices.cacheReadNanoUsd) : null,
      output_usd_per_million: prices ? perMillion(prices.outputNanoUsd) : null,
      abilities: model.abilities,
      shutdown_date: model.shutdownDate ?? null,
    };
  });
};

const embeddingRows = ({ catalog, providers, clock }: Platform) => {
  const configured = new Set(providers.configured());
  return catalog.embeddingModels().map((model) => ({
    id: model.id,
    type: "embedding",
    provider: model.provider,
    available: model.provider === "local" || (configured.has(model.provider) && isServed(model, clock.now())),
    context_window: model.maxInputTokens,
    input_usd_per_million: perMillion(model.inputNanoUsd),
    output_usd_per_million: 0,
    shutdown_date: model.shutdownDate ?? null,
  }));
};

/** Each with the upstream that is asked first: a configured one if there is any. */
const mediaRows = ({ config, providers }: Platform) =>
  MEDIA_MODELS.map((model) => {
    const targets = targetsOf(config.file, model);
    const ready = targets.find(({ provider }) => providers.find("live", provider) !== undefined);
    const { nanoUsd, unit } = unitPriceOf(model);
    return {
      id: model.id,
      type: model.kind,
      provider: (ready ?? targets[0])?.provider ?? "",
      available: ready !== undefined,
      pricing: { usd: toUsd(nanoUsd), unit },
    };
  });

const LISTING_TIMEOUT_MS = 15_000;

export const checkModels = (given: Given, environment: Environment): Promise<number> =>
  withModels(readConfig(environment, given.values), async (platform) => {
    const { catalog, providers } = platform;
    const reports = await Promise.all(
      providers.configured().map(async (id) => {
        const provider = providers.find("live", id);
        if (provider?.listModels === undefined) return { provider: id, error: "lists no models" };
        try {
          const listed = await provider.listModels(singleAttempt("models-check", LISTING_TIMEOUT_MS));
          const known = catalog.chatModels().filter((model) => model.provider === id);
          return { provider: id, ...compareListing(known, listed) };
        } catch (error) {
          return { provider: id, error: (error as Error).message };
        }
      }),
    );
    const words = reports.map((report) => inWords(report).join("\n  "));
    tell(given, reports, words.join("\n") || "No provider is configured.");
    return reports.some((report) => "error" in report) ? 1 : 0;
  });

const inWords = (report: { provider: string; error: string } | ({ provider: string } & ListingReport)): string[] => {
  if ("error" in report) return [`${report.provider}: ${report.error}`];
  const { provider, missing, unknown, shutdowns } = report;
  const differing = shutdowns.map(
    ({ id, catalog, provider: theirs }) => `${id} (catalog: ${catalog ?? "none"}, ${provider}: ${theirs ?? "none"})`,
  );
  const findings = [
    ["in the catalog, not listed", missing],
    ["listed, not in the catalog", unknown],
    ["other shutdown date", differing],
  ] as const;
  const told = findings.filter(([, ids]) => ids.length > 0).map(([what, ids]) => `${what}: ${ids.join(", ")}`);
  return told.length === 0 ? [`${provider}: as in the catalog`] : [`${provider}:`, ...told];
};
