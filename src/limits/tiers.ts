/** THE tier table: every figure of spec.md "Limits" and decisions §3, and nothing else decides them. `null` = no limit. */

export const TIERS = ["free", "starter", "pro", "growth", "team", "enterprise"] as const;
export type Tier = (typeof TIERS)[number];

/** For projects without a given tier; it includes everything. */
export const DEFAULT_TIER: Tier = "enterprise";

export type GroupLimit = {
  /** Requests in any 60 seconds. */
  perMinute: number | null;
  /** Requests (transcription: minutes of audio) in a UTC day. */
  perDay: number | null;
  /** Things under way at once (streams, video jobs). */
  concurrent: number | null;
};

export type Figure = keyof GroupLimit;

export type ExportFormat = "json" | "jsonl" | "csv" | "parquet";

export type TierLimits = {
  groups: Record<LimitGroup, GroupLimit>;
  /** Reported; enforced only where the project's setting says so. */
  requestsPerMonth: number | null;
  searchPriceNanoUsd: number;
  logRetentionDays: number;
  logExports: readonly ExportFormat[];
  logsPerPage: number;
  maxPolicies: number;
  /** Gap: no figure is given for them. */
  maxSchemas: number;
  /** null: the feature is not part of the tier. */
  documents: { count: number; bytes: number; collections: number } | null;
  /** `tokens` is per session. */
  memory: { tokens: number; sessions: number; retentionDays: number } | null;
  contentPolicies: boolean;
};

const GB = 1_000_000_000;
const USD = 1_000_000_000;
const limit = (perMinute: number | null, perDay: number | null = null, concurrent: number | null = null): GroupLimit => ({
  perMinute,
  perDay,
  concurrent,
});

type Row = {
  chat: [number | null, number | null];
  streams: number | null;
  images: [number | null, number | null];
  video: [concurrent: number | null, perDay: number | null];
  speech: number | null;
  transcription: number | null;
  metrics: number | null;
  logs: number | null;
  store: number | null;
  search: number | null;
};

const REQUESTS = ["perMinute", "perDay"] as const;

/**
 * Names under which limits are counted and reported (decisions §11), each with its figures. `isWork`: makes work for providers, counts
 * towards the month's quota, and is not free for the operator. `counted`: the figures that can limit it, in a tier or a project of its own.
 */
const GROUPS = {
  chat: { isWork: true, counted: REQUESTS, limitOf: ({ chat }) => limit(...chat) },
  streams: { isWork: false, counted: ["concurrent"], limitOf: ({ streams }) => limit(null, null, streams) },
  embeddings: { isWork: true, counted: REQUESTS, limitOf: ({ chat }) => limit(...chat) },
  images: { isWork: true, counted: REQUESTS, limitOf: ({ images }) => limit(...images) },
  video: {
    isWork: true,
    counted: [...REQUESTS, "concurrent"],
    limitOf: ({ video: [concurrent, perDay] }) => limit(null, perDay, concurrent),
  },
  speech: { isWork: true, counted: REQUESTS, limitOf: ({ speech }) => limit(speech) },
  transcription: { isWork: true, counted: ["perDay"], limitOf: ({ transcription }) => limit(null, transcription) },
  search: { isWork: true, counted: REQUESTS, limitOf: ({ search }) => limit(search) },
  documents: { isWork: false, counted: REQUESTS, limitOf: ({ store }) => limit(store) },
  memory: { isWork: false, counted: REQUESTS, limitOf: ({ store }) => limit(store) },
  policies: { isWork: false, counted: REQUESTS, limitOf: ({ store }) => limit(store) },
  schemas: { isWork: false, counted: REQUESTS, limitOf: ({ store }) => limit(store) },
  metrics: { isWork: false, counted: REQUESTS, limitOf: ({ metrics }) => limit(metrics) },
  logs: { isWork: false, counted: REQUESTS, limitOf: ({ logs }) => limit(logs) },
} satisfies Record<string, { isWork: boolean; counted: readonly Figure[]; limitOf(row: Row): GroupLimit }>;
export type LimitGroup = keyof typeof GROUPS;
export const LIMIT_GROUPS = Object.keys(GROUPS) as readonly LimitGroup[];
export const isWork = (group: LimitGroup): boolean => GROUPS[group].isWork;
export const countedFigures = (group: LimitGroup): readonly Figure[] => GROUPS[group].counted;
/** Without figures that nothing counts for the group, which would be shown and hold nobody back. */
export const countedOnly = (group: LimitGroup, own: Partial<GroupLimit>): Partial<GroupLimit> =>
  Object.fromEntries(Object.entries(own).filter(([figure]) => countedFigures(group).includes(figure as Figure)));

const groups = (row: Row) =>
  Object.fromEntries(LIMIT_GROUPS.map((group) => [group, GROUPS[group].limitOf(row)])) as Record<LimitGroup, GroupLimit>;

// biome-ignore format: a table
const RATES: Record<Tier, Row> = {
  free:       { chat: [60, 1_000],          streams: 3,    images: [5, 50],       video: [1, 5],       speech: 10,   transcription: 10,    metrics: 10,  logs: 30,  store: 30,   search: 30 },
  starter:    { chat: [120, 10_000],        streams: 5,    images: [10, 200],     video: [2, 20],      speech: 20,   transcription: 60,    metrics: 20,  logs: 60,  store: 60,   search: 60 },
  pro:        { chat: [300, 100_000],       streams: 10,   images: [30, 1_000],   video: [5, 100],     speech: 60,   transcription: 500,   metrics: 60,  logs: 120, store: 120,  search: 120 },
  growth:     { chat: [600, 250_000],       streams: 25,   images: [60, 2_500],   video: [10, 250],    speech: 120,  transcription: 1_500, metrics: 120, logs: 240, store: 240,  search: 240 },
  team:       { chat: [1_200, 1_000_000],   streams: 50,   images: [120, 10_000], video: [20, 1_000],  speech: 240,  transcription: 5_000, metrics: 200, logs: 400, store: 480,  search: 480 },
  enterprise: { chat: [null, null],         streams: null, images: [null, null],  video: [null, null], speech: null, transcription: null,  metrics: 300, logs: 600, store: null, search: null },
};

// biome-ignore format: a table
export const TIER_LIMITS: Record<Tier, TierLimits> = {
  free:       { groups: groups(RATES.free),       requestsPerMonth: 1_000,   searchPriceNanoUsd: 0.015 * USD, logRetentionDays: 7,   logExports: ["json", "jsonl"],                   logsPerPage: 100,    maxPolicies: 0,     maxSchemas: 50,    contentPolicies: false, documents: null, memory: null },
  starter:    { groups: groups(RATES.starter),    requestsPerMonth: 10_000,  searchPriceNanoUsd: 0.015 * USD, logRetentionDays: 30,  logExports: ["json", "jsonl"],                   logsPerPage: 500,    maxPolicies: 3,     maxSchemas: 100,   contentPolicies: false, documents: null, memory: null },
  pro:        { groups: groups(RATES.pro),        requestsPerMonth: 100_000, searchPriceNanoUsd: 0.012 * USD, logRetentionDays: 90,  logExports: ["json", "jsonl", "csv"],            logsPerPage: 1_000,  maxPolicies: 10,    maxSchemas: 200,   contentPolicies: true,  documents: { count: 500, bytes: 1 * GB, collections: 10 },            memory: { tokens: 100_000, sessions: 100, retentionDays: 30 } },
  growth:     { groups: groups(RATES.growth),     requestsPerMonth: null,    searchPriceNanoUsd: 0.011 * USD, logRetentionDays: 180, logExports: ["json", "jsonl", "csv"],            logsPerPage: 1_000,  maxPolicies: 25,    maxSchemas: 500,   contentPolicies: true,  documents: { count: 5_000, bytes: 10 * GB, collections: 50 },         memory: { tokens: 500_000, sessions: 1_000, retentionDays: 90 } },
  team:       { groups: groups(RATES.team),       requestsPerMonth: null,    searchPriceNanoUsd: 0.010 * USD, logRetentionDays: 365, logExports: ["json", "jsonl", "csv"],            logsPerPage: 1_000,  maxPolicies: 50,    maxSchemas: 1_000, contentPolicies: true,  documents: { count: 50_000, bytes: 100 * GB, collections: 500 },      memory: { tokens: 2_000_000, sessions: 10_000, retentionDays: 365 } },
  enterprise: { groups: groups(RATES.enterprise), requestsPerMonth: null,    searchPriceNanoUsd: 0.010 * USD, logRetentionDays: 730, logExports: ["json", "jsonl", "csv", "parquet"], logsPerPage: 10_000, maxPolicies: 1_000, maxSchemas: 5_000, contentPolicies: true,  documents: { count: 500_000, bytes: 1_000 * GB, collections: 5_000 }, memory: { tokens: 10_000_000, sessions: 100_000, retentionDays: 730 } },
};
