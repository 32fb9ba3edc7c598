/** An embedding space: the vectors of one embedder in one version. Vectors of two spaces are never compared. */

export const LOCAL = "local";

export type SpaceKey = {
  /** `local` for the built-in encoder, else a provider's catalog id. */
  provider: string;
  model: string;
  /** Changes when the same model gives other vectors. */
  revision: string;
};

export type Space = SpaceKey & {
  id: number;
  /** Null until the first vector has come from a remote embedder. */
  dimensions: number | null;
};

/** One space is live and answers queries; another may be building beside it. */
export type SpaceState = "live" | "building";

export const isLocal = (space: SpaceKey): boolean => space.provider === LOCAL;

export const sameSpace = (left: SpaceKey, right: SpaceKey): boolean =>
  left.provider === right.provider && left.model === right.model && left.revision === right.revision;
