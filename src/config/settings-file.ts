/** `signalbox.yaml`: its shape, checked strictly (unknown keys are errors) and published as a JSON Schema for editors. */

import { type ObjectOptions, type Static, type TProperties, Type } from "@sinclair/typebox";
import { oneOf } from "../lib/one-of.ts";
import { DEFAULTS } from "./defaults.ts";
import { HEADER_NAME, SECRET_URL, TOKEN } from "./read-setting.ts";
import { ABILITIES, OPENAI_DIALECTS, SPOKEN_DIALECTS, TEXT_TASKS } from "./vocabulary.ts";

/** A day. The runtime's timers are limited to about 24 days, and fire at once beyond that. */
const LONGEST_MS = 86_400_000;

export const DURABILITIES = ["full", "normal"] as const;
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

const { timeouts } = DEFAULTS;
const Closed = { additionalProperties: false } as const;
/** Settings that may all be left out. */
const Options = <Members extends TProperties>(members: Members, options: ObjectOptions = {}) =>
  Type.Partial(Type.Object(members, { ...Closed, ...options }));
const Milliseconds = (description: string) => Type.Integer({ minimum: 1, maximum: LONGEST_MS, description });
const Usd = (description: string) => Type.Number({ minimum: 0, description });
const Text = (description: string) => Type.String({ minLength: 1, description });
const Texts = (description: string) => Type.Array(Type.String({ minLength: 1 }), { description });
const Count = (description: string) => Type.Integer({ minimum: 1, description });
const Switch = (description: string) => Type.Boolean({ description });
const Strength = Type.Number({
  minimum: 0,
  maximum: 1,
  description: "Expected share of such tasks of middling difficulty done well.",
});
const Key = Text("The key, or env:NAME to read it from the environment.");

const ProviderKey = Type.Object(
  {
    key: Key,
    weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: "Share of the calls this key gets; 1 by default." })),
  },
  Closed,
);

const ProviderSettings = Options({
  dialect: oneOf(SPOKEN_DIALECTS, {
    description:
      "The wire format it speaks; `openai` (chat completions) unless the catalog knows the provider. `openai-responses`: OpenAI's Responses API.",
  }),
  base_url: Type.String({
    pattern: "^(?:https?://|env:)",
    description: "Ends in /v1 for both openai dialects; or env:NAME to read it from the environment.",
  }),
  key: Key,
  keys: Type.Array(ProviderKey, { minItems: 1, description: "Several keys, used by weight." }),
  headers: Type.Record(Type.String(), Type.String(), { description: "Additional headers for each request." }),
  enabled: Switch("`false`: the provider is not used even if its key is set."),
});

const ModelSettings = Type.Object(
  {
    id: Text("The id that callers use; a known id changes that model."),
    ...Options({
      provider: Text("The provider that serves it; required for a new model."),
      base_model: Text("For a new model: the catalog's model that it is; that model's figures apply where none are given here."),
      upstream_model: Text("The provider's own id."),
      name: Type.String({ description: "A name for people to read." }),
      context_window: Count("Tokens of prompt and answer together."),
      max_output_tokens: Count("Tokens of one answer."),
      dimensions: Type.Integer({
        minimum: 1,
        maximum: 8192,
        description: "Of a model of /v1/embeddings that the catalog does not know: how many numbers a vector has.",
      }),
      input_usd_per_million: Usd("USD per 1,000,000 prompt tokens."),
      cached_input_usd_per_million: Usd("USD per 1,000,000 prompt tokens read from the provider's cache."),
      cache_write_usd_per_million: Usd("USD per 1,000,000 prompt tokens written to the provider's cache."),
      output_usd_per_million: Usd("USD per 1,000,000 generated tokens."),
      abilities: Type.Array(oneOf(ABILITIES), { description: "What the model can do." }),
      strength: Options(
        Object.fromEntries(TEXT_TASKS.map((task) => [task, Strength])) as Record<(typeof TEXT_TASKS)[number], typeof Strength>,
        { description: "In place of the catalog's figures; feedback and checks still adjust them." },
      ),
      shutdown_date: Type.Union([Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }), Type.Null()], {
        description: "The first day on which it is no longer served, such as 2027-01-14; `null`: it stays.",
      }),
      first_byte_ms: Milliseconds(
        "Replaces timeouts.first_byte_ms for this model, for example because it thinks for a long time.",
      ),
      dialect: oneOf(OPENAI_DIALECTS, {
        description: "Replaces the provider's dialect, if that is one of these two as well.",
      }),
      enabled: Switch("`false`: the model is not offered."),
    }).properties,
  },
  Closed,
);

const MediaModelSettings = Type.Object(
  {
    provider: Text("Catalog id of the upstream provider."),
    model: Text("The provider's own model id."),
    voices: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "Our voice names → the provider's." })),
    translator: Type.Optional(Text("The provider's own id of its model that translates speech into English.")),
    editor: Type.Optional(
      Type.Object(
        {
          model: Text("The provider's own id of its model that edits pictures."),
          pictures: Type.Optional(Count("How many it takes at once; 1 by default.")),
          masks: Type.Optional(Switch("Whether it reads masks as OpenAI's models do; false by default.")),
        },
        Closed,
      ),
    ),
  },
  Closed,
);

export const SettingsFile = Options(
  {
    host: Text(`Address to listen on; ${DEFAULTS.host} by default.`),
    port: Type.Integer({ minimum: 0, maximum: 65535, description: `${DEFAULTS.port} by default; 0 picks a free port.` }),
    database: Text(`The SQLite file; ${DEFAULTS.databasePath} by default.`),
    public_url: Type.String({ pattern: "^https?://", description: "How callers reach this server; used in links." }),
    tls: Options(
      {
        certificate: Text("The certificate's file in PEM format, with those of its issuers behind it."),
        key: Text("The file of its key in PEM format, without a passphrase."),
      },
      { description: "With both the server speaks https itself; a renewed certificate is taken within seconds." },
    ),
    durability: oneOf(DURABILITIES, {
      description:
        "`full` (the default): an answered call survives a power cut; `normal`: it survives a crash, and writing is faster.",
    }),
    log_level: oneOf(LOG_LEVELS, {
      description:
        "How much the process log on standard error contains; `info` by default. `debug` writes a line for each request. Prompts and keys never appear.",
    }),
    drain_seconds: Type.Integer({
      minimum: 0,
      maximum: 3600,
      description: `Seconds that a stop waits for what is in flight; ${DEFAULTS.drainSeconds} by default.`,
    }),
    backups: Type.Object(
      {
        folder: Text("Where the running server puts backups; none are made without it."),
        every_hours: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 8784, description: `How often; ${DEFAULTS.backups.everyHours} by default.` }),
        ),
        keep: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 10_000,
            description: `How many of them stay, the newest; ${DEFAULTS.backups.keep} by default.`,
          }),
        ),
      },
      Closed,
    ),
    timeouts: Options({
      connect_ms: Milliseconds(`Until the connection is established; ${timeouts.connectMs} by default.`),
      first_byte_ms: Milliseconds(
        `Until the first content; ${timeouts.firstByteMs} by default. A whole answer, which begins when its last token is made, ` +
          "has up to four times as long, by its `max_tokens`.",
      ),
      idle_ms: Milliseconds(`Between two chunks of a stream; ${timeouts.idleMs} by default.`),
      total_ms: Milliseconds(`For the whole call with all its attempts; ${timeouts.totalMs} by default.`),
    }),
    cooldown_ms: Milliseconds(`How long a failing model rests; ${DEFAULTS.cooldownMs} by default.`),
    allowed_hosts: Texts("Hosts that callers' URLs may name even though they are private or plain http."),
    cors_origins: Texts(
      "Origins whose pages may call /v1 from a browser, such as https://app.example.com; `*` means all; none by default.",
    ),
    trusted_proxies: Texts(
      "Addresses and networks, such as 10.0.0.0/8, of proxies whose X-Forwarded-For says who the caller is; none by default.",
    ),
    user_header: Type.String({
      pattern: HEADER_NAME.source,
      description:
        "The header by which a program tells whose call it is, such as X-OpenWebUI-User-Id, where the body does not; none by default.",
    }),
    providers: Type.Record(Type.String(), ProviderSettings),
    models: Type.Array(ModelSettings, { description: "New chat models, or changes to known ones." }),
    media_models: Type.Record(Type.String(), Type.Array(MediaModelSettings, { minItems: 1 }), {
      description: "Neutral media id → upstreams, tried in order.",
    }),
    media_aliases: Type.Record(Type.String(), Type.String(), {
      description: "Other names of media models, such as whisper-1: transcribe-1, for programs that cannot be told ours.",
    }),
    search: Type.Array(Type.String(), { description: "Search providers in the order they are tried." }),
    documents: Options({
      embedding: Type.Object(
        {
          provider: Text("The provider that embeds documents, in place of the local encoder; a change embeds them again."),
          model: Text("Its own id of the embedding model."),
        },
        Closed,
      ),
    }),
    alert_url: Type.String({
      pattern: SECRET_URL.source,
      description: "Where warnings and errors of the process log are posted, such as a webhook of Slack, Mattermost or Discord.",
    }),
    admin_token: Type.String({
      pattern: TOKEN.source,
      description: "Bearer token for programs that manage projects, keys and policies; at least 24 characters without blanks.",
    }),
    metrics_token: Text("Bearer token for reading /metrics from another machine."),
  },
  { $id: "signalbox-settings", title: "Signalbox settings" },
);

export type SettingsFile = Static<typeof SettingsFile>;
export type ProviderSettings = Static<typeof ProviderSettings>;
export type ModelSettings = Static<typeof ModelSettings>;
