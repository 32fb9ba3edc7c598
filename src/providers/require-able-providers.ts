/** Settings that name a provider are refused where no call could reach it: it is not there, or does not do what it is named for. */

import { MEDIA_MODELS } from "../catalog/media-models.ts";
import { isOpenAiDialect, type ProviderEntry } from "../catalog/model.ts";
import { SettingError } from "../config/config.ts";
import type { ProviderSettings, SettingsFile } from "../config/settings-file.ts";
import { ownValue } from "../lib/own-value.ts";
import { LOCAL_OPENAI_SERVERS } from "./local/local-servers.ts";
import { WIRE_DIALECTS } from "./wire-dialects.ts";

type Service = ProviderEntry["services"][number];
type Sources = { known: readonly ProviderEntry[]; file: SettingsFile; stored: Record<string, ProviderSettings> };
type Named = { setting: string; provider: string | undefined; service: Service };

const MEDIA_SERVICE = {
  image: "images",
  video: "video",
  speech: "speech",
  transcription: "transcription",
  rerank: "rerank",
  moderation: "moderations",
} as const;

/** `ids`: of all providers that there are. Throws SettingError. */
export const requireAbleProviders = (sources: Sources, ids: ReadonlySet<string>): void => {
  for (const { setting, provider, service } of namedIn(sources.file)) {
    if (provider === undefined || LOCAL_OPENAI_SERVERS.some(({ id }) => id === provider)) continue;
    const names = `${setting} names the provider "${provider}", which`;
    if (!ids.has(provider)) throw new SettingError(`${names} is neither in the catalog nor under \`providers\`.`);
    if (isAble(sources, provider, service)) continue;
    const able = sources.known.filter(({ id, services }) => services.includes(service) && id !== "sandbox").map(({ id }) => id);
    const own = service === "video" ? "" : ", or a server of your own";
    throw new SettingError(`${names} cannot be asked for ${service}; it may name ${able.join(", ")}${own}.`);
  }
};

const namedIn = ({ models = [], media_models: media = {}, documents }: SettingsFile): Named[] => [
  ...models.map(({ id, provider }) => ({ setting: `models: "${id}"`, provider, service: "chat" as const })),
  ...Object.entries(media).flatMap(([id, targets]) => {
    const kind = MEDIA_MODELS.find((model) => model.id === id)?.kind;
    if (kind === undefined) return [];
    const setting = `media_models.${id}`;
    return targets.flatMap(({ provider, editor }) => [
      { setting, provider, service: MEDIA_SERVICE[kind] },
      ...(editor === undefined ? [] : [{ setting: `${setting}: editor`, provider, service: "edits" as const }]),
    ]);
  }),
  { setting: "documents.embedding", provider: documents?.embedding?.provider, service: "embeddings" },
];

/** A server that speaks one of OpenAI's formats may have any of OpenAI's endpoints, whatever the catalog knows of it. */
const isAble = ({ known, file, stored }: Sources, id: string, service: Service): boolean => {
  const entry = known.find((provider) => provider.id === id);
  const given = (ownValue(file.providers ?? {}, id) ?? stored[id])?.dialect;
  const dialect = entry?.dialect === null ? null : (given ?? entry?.dialect ?? "openai");
  if (dialect === "sandbox") return false;
  const isListed = entry?.services.includes(service) === true;
  if (dialect === null || dialect === "local") return isListed;
  if (service === "chat") return true;
  if (service === "embeddings") return WIRE_DIALECTS[dialect].embed !== undefined;
  return isListed || (isOpenAiDialect(dialect) && service !== "video");
};
