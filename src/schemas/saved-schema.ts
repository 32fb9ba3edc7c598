/** A schema kept by a project, to be named in a chat by id or slug. */
export type SavedSchema = {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  schema: Record<string, unknown>;
  /** Counts from 1; every PUT makes the next. */
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
};
