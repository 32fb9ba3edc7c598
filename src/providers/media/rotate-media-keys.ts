/**
 * Media and search with several keys of one provider. Only the key that created a video job can see it, and the list of keys may have
 * changed since.
 */

import { given } from "../../lib/given.ts";
import type { CallContext } from "../provider.ts";
import type { KeyRingOptions, ProviderKey } from "../upstream/key-ring.ts";
import { rotateKeys } from "../upstream/rotate-keys.ts";
import { UpstreamError, type UpstreamErrorKind } from "../upstream-error.ts";
import type { MediaServices } from "./connect-media.ts";

type Service<Request, Result> = (model: string, request: Request, context: CallContext) => Promise<Result>;
/** The compiler names one that is forgotten. */
type EachService = { [Name in keyof Required<MediaServices>]: MediaServices[Name] | undefined };

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
  const inTurn = <Request, Result>(serviceOf: (services: MediaServices) => Service<Request, Result> | undefined) =>
    serviceOf(first) &&
    ((model: string, request: Request, context: CallContext) =>
      withKey(model, ({ id }) => serviceOf(byKey.get(id)!)!(model, request, context)));
  return given({
    image: inTurn(({ image }) => image),
    edit: inTurn(({ edit }) => edit),
    speech: inTurn(({ speech }) => speech),
    transcribe: inTurn(({ transcribe }) => transcribe),
    translate: inTurn(({ translate }) => translate),
    startVideo: inTurn(({ startVideo }) => startVideo),
    videoStatus:
      first.videoStatus && ((...look) => firstThatKnows([...byKey.values()].map((each) => () => each.videoStatus!(...look)))),
    moderate: inTurn(({ moderate }) => moderate),
    rerank: inTurn(({ rerank }) => rerank),
    search: first.search && ((...call) => withKey("", ({ id }) => byKey.get(id)!.search!(...call))),
  } satisfies EachService);
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
