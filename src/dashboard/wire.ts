/** Types of the dashboard's own API. Of the server's code, the pages import types only. */

import type { Mode } from "../accounts/api-key.ts";
import type { toWireTerms } from "../accounts/key-terms.ts";
import type { Role, toMemberRow } from "../accounts/member.ts";
import type { ProjectSettingsBody, toSettingsBody } from "../accounts/project-settings.ts";
import type { Kind } from "../history/change.ts";
import type { WireChange } from "../history/wire.ts";
import type { LimitGroup, Tier } from "../limits/tiers.ts";
import type { AddedModel } from "../providers/stored-settings.ts";

export type { AddedModel, Kind, ProjectSettingsBody, WireChange };
export type HistoryAnswer = { changes: WireChange[]; total: number; limit: number; offset: number };

export type SessionState = {
  signed_in: boolean;
  password_set: boolean;
  password_from_environment: boolean;
  /** Who is signed in; null for the operator. */
  member: { name: string; role: Role } | null;
  /** There are some, so a name may be needed to sign in. */
  has_members: boolean;
  version: string;
  /** By the server's clock. */
  now: string;
};

/** Those that the server makes by itself; null if it makes none. */
export type BackupsAnswer = { backups: { folder: string; every_hours: number; keep: number; newest_at: string | null } | null };

export type TargetHealth = {
  model: string;
  state: "healthy" | "degraded" | "down";
  /** When the circuit breaker or a rate limit will let calls through again; null if it does now. */
  available_at: string | null;
  p50_latency_ms: number | null;
  p95_latency_ms: number | null;
  error_rate: number;
  calls: number;
};

export type ProviderRow = {
  id: string;
  name: string;
  services: string[];
  key_variables: string[];
  configured: boolean;
  enabled: boolean;
  source: "environment" | "file" | "dashboard" | "discovered" | null;
  base_url: string | null;
  /** The last four characters of each key. */
  key_ends: string[];
  stored_here: boolean;
  models: number;
  health: TargetHealth[];
};

/** `search_order_fixed`: signalbox.yaml sets the order. */
export type ProvidersAnswer = { providers: ProviderRow[]; search_order: string[]; search_order_fixed: boolean };

export type ModelRow = {
  id: string;
  name: string;
  provider: string;
  callable: boolean;
  enabled: boolean;
  /** signalbox.yaml sets `enabled`, so the dashboard cannot change it. */
  fixed: boolean;
  /** What was typed in if it was added in the dashboard, where it can be changed and removed; else null. */
  added: AddedModel | null;
  context_window: number;
  abilities: string[];
  /** USD per million tokens; null if unknown. */
  prices: { input_usd: number; cached_usd: number; output_usd: number } | null;
  shutdown_date: string | null;
  state: TargetHealth["state"];
};

export type ModelsAnswer = { models: ModelRow[] };

export type MediaModelRow = {
  id: string;
  kind: "image" | "video" | "speech" | "transcription" | "rerank" | "moderation";
  price_usd: number;
  price_for: "an image" | "a second" | "1,000 characters" | "a minute" | "a search" | "1,000,000 tokens";
  /** For images. `custom_sizes`: other sizes are accepted, too. `hd_price_usd`: null if quality and style cannot be chosen. */
  sizes: string[];
  custom_sizes: boolean;
  max_images: number | null;
  hd_price_usd: number | null;
  /** For videos. */
  max_seconds: number | null;
  /** For speech: the longest input. */
  max_characters: number | null;
  /** In the order in which they are tried. */
  targets: MediaTargetRow[];
  /** Those that edit pictures, or translate speech, as well; under the name of their model that does. */
  editors: MediaTargetRow[];
  translators: MediaTargetRow[];
};
type MediaTargetRow = { provider: string; model: string; configured: boolean };

/** `ok` is null if the provider has nothing to test. `models` has the provider's own ids. */
export type ProviderTest = { ok: boolean | null; latency_ms: number | null; models: string[] | null; message: string | null };

/** Only the figures that are counted for the group; null: no limit. */
export type GroupLimits = NonNullable<ProjectSettingsBody["limits"][LimitGroup]>;

export type ProjectRow = {
  id: string;
  name: string;
  tier: Tier;
  created_at: string;
  /** Its own ones; the others have their defaults. */
  settings: ReturnType<typeof toSettingsBody>;
};

/** A tier's limits, which a project's own ones override. */
export type TierRow = {
  groups: Record<LimitGroup, GroupLimits>;
  requests_per_month: number | null;
  log_retention_days: number;
  log_exports: string[];
  max_policies: number;
  documents: { count: number; bytes: number; collections: number } | null;
  content_policies: boolean;
};

/** What projects share is told once, because there may be thousands of them. */
export type ProjectsAnswer = {
  projects: ProjectRow[];
  tiers: Record<Tier, TierRow>;
  default_settings: ProjectSettingsBody;
};

export type KeyRow = ReturnType<typeof toWireTerms> & {
  id: string;
  mode: Mode;
  last_four: string;
  /** Identifies the key in the log (`metadata.api_key_hash`). */
  log_hash: string;
  /** In the current period of its budget. */
  spent_usd: number;
  revoked_at: string | null;
  last_used_at: string | null;
};

/** `key` is shown only this once. */
export type NewKey = { key: string; record: KeyRow };

export type MemberRow = ReturnType<typeof toMemberRow>;

/** `token` is part of the link with which the member sets a password; it is told only this once. */
export type Invitation = { member: MemberRow; token: string };

export type SchemaTry = { passed: boolean; value?: unknown; repaired: string[]; errors: { path: string; message: string }[] };
