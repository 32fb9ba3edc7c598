/**
 * Media and search with several keys of one provider. Only the key that created a video job can see it, and the list of keys may have
 * changed since.
 */

import type { KeyRingOptions, ProviderKey } from "../upstream/key-ring.ts";
import { rotateKeys } from "../upstream/rotate-keys.ts";
import { UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";
import type { MediaServices } from "./connect-media.ts";

/** `keys`: at least one. */
export const rotateMediaKeys = (
  provider: string,
  keys: readonly ProviderKey[],
  connect: (key: string) => MediaServices,
  options: KeyRingOptions,
): MediaServices => {
  const byKey = new Map(keys.map(({ id, key }) => [id, connect(key)]));
  const first = byKey.get(keys[0]!.id)!;
  const withKey = rotateKeys(provider, keys, options);
  return {
    ...first,
    ...(first.image && { image: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.image!(model, ...rest)) }),
    ...(first.edit && { edit: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.edit!(model, ...rest)) }),
    ...(first.speech && { speech: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.speech!(model, ...rest)) }),
    ...(first.transcribe && {
      transcribe: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.transcribe!(model, ...rest)),
    }),
    ...(first.translate && {
      translate: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.translate!(model, ...rest)),
    }),
    ...(first.startVideo && {
      startVideo: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.startVideo!(model, ...rest)),
    }),
    ...(first.videoStatus && {
      videoStatus: (...look) => firstThatKnows([...byKey.values()].map((services) => () => services.videoStatus!(...look))),
    }),
    ...(first.moderate && { moderate: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.moderate!(model, ...rest)) }),
    ...(first.rerank && { rerank: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.rerank!(model, ...rest)) }),
    ...(first.search && { search: (...call) => withKey("", ({ id }) => byKey.get(id)!.search!(...call)) }),
  };
};

/** Failures that concern one key only; vendors report in various ways that a key may not see a job. */
const OF_ONE_KEY: readonly UpstreamErrorKind[] = ["model_gone", "bad_request", "auth", "billing", "rate_limit"];

/** A job counts as unknown only if keys that may look say so. */
const firstThatKnows = async <T>(looks: readonly (() => Promise<T>)[]): Promise<T> => {
  const failures: UpstreamError[] = [];
  for (const look of looks) {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof UpstreamError) || !OF_ONE_KEY.includes(error.kind)) throw error;
      failures.push(error);
    }
  }
  throw failures.find(({ kind }) => kind !== "model_gone") ?? failures[0]!;
};
