/** Media and search of a provider with several keys. A video's job stays with the first key: it is asked after for as long as it runs. */

import type { Provider } from "../provider.ts";
import type { KeyRingOptions, ProviderKey } from "../upstream/key-ring.ts";
import { rotateKeys } from "../upstream/rotate-keys.ts";

type Services = Pick<Provider, "image" | "speech" | "transcribe" | "startVideo" | "videoStatus" | "search">;

/** `keys`: at least one. */
export const rotateMediaKeys = (
  provider: string,
  keys: readonly ProviderKey[],
  connect: (key: string) => Services,
  options: KeyRingOptions,
): Services => {
  const byKey = new Map(keys.map(({ id, key }) => [id, connect(key)]));
  const first = byKey.get(keys[0]!.id)!;
  const withKey = rotateKeys(provider, keys, options);
  return {
    ...first,
    ...(first.image && { image: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.image!(model, ...rest)) }),
    ...(first.speech && { speech: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.speech!(model, ...rest)) }),
    ...(first.transcribe && {
      transcribe: (model, ...rest) => withKey(model, ({ id }) => byKey.get(id)!.transcribe!(model, ...rest)),
    }),
    ...(first.search && { search: (...call) => withKey("", ({ id }) => byKey.get(id)!.search!(...call)) }),
  };
};
