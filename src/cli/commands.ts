/** Every command. Each is loaded when it is called, so that `serve` starts without the others. */

import { SCOPES } from "../accounts/api-key.ts";
import { BUDGET_PERIODS, USER_BUDGET_PERIODS } from "../accounts/budget-period.ts";
import { ROLES } from "../accounts/member.ts";
import { DEFAULTS } from "../config/defaults.ts";
import { KINDS } from "../history/change.ts";
import { DEFAULT_TIER, TIERS } from "../limits/tiers.ts";
import { PERSONAL_DATA_TYPES } from "../policies/content/personal-data-type.ts";
import { COMMON_OPTIONS, type Command, FILE_OPTIONS, JSON_OPTION, type Option } from "./command.ts";

const KEY_OPTIONS: readonly Option[] = [
  ["--name TEXT", "what the key is for"],
  ["--scopes a,b", `${SCOPES.join(", ")} (default all)`],
  ["--models a,b", "ids of models, or provider/* for all models of a provider (default all)"],
  ["--budget USD", "the most that it may spend in a period"],
  ["--budget-period PERIOD", `${BUDGET_PERIODS.join(", ")}, in UTC (default month)`],
  ["--requests-per-minute N", "of its own, within the project's limits"],
  ["--tokens-per-minute N", "of prompts and answers"],
  ["--expires WHEN", "30d, 12h, or an ISO date"],
];

export const COMMANDS: readonly Command[] = [
  {
    name: "serve",
    summary: "Start the gateway (what happens without a command)",
    usage: "serve [--host ADDRESS] [--port PORT]",
    options: [
      ["--host ADDRESS", `address to listen on (default ${DEFAULTS.host})`],
      ["--port PORT", `port (default ${DEFAULTS.port}; 0 picks a free one)`],
      ...FILE_OPTIONS,
    ],
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  {
    name: "keys create",
    summary: "Make an API key (and its project); the key is printed once",
    usage: "keys create --project NAME [options]",
    options: [
      ["--project NAME", "created if it does not exist"],
      ["--tier TIER", `${TIERS.join(", ")}; sets the project's tier`],
      ["--live, --test", "mode (default live)"],
      ...KEY_OPTIONS,
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/keys.ts")).createKey,
  },
  {
    name: "keys update",
    summary: "Change the terms of an API key; a running server honours it within a second",
    usage: "keys update ID [options]   (the value none takes a term away)",
    words: ["ID"],
    options: [...KEY_OPTIONS, ...COMMON_OPTIONS],
    load: async () => (await import("./commands/keys.ts")).updateKey,
  },
  {
    name: "keys list",
    summary: "List API keys",
    usage: "keys list [--project NAME]",
    options: [["--project NAME", "only the keys of this project"], ...COMMON_OPTIONS],
    load: async () => (await import("./commands/keys.ts")).listAllKeys,
  },
  {
    name: "keys revoke",
    summary: "Revoke an API key, by its id or the key itself; a running server honours it within a second",
    words: ["ID"],
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/keys.ts")).revokeOneKey,
  },
  {
    name: "projects create",
    summary: "Make a project",
    usage: "projects create NAME [--tier TIER]",
    words: ["NAME"],
    options: [["--tier TIER", `${TIERS.join(", ")} (default ${DEFAULT_TIER})`], ...COMMON_OPTIONS],
    load: async () => (await import("./commands/projects.ts")).createProject,
  },
  {
    name: "projects list",
    summary: "List projects",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/projects.ts")).listAllProjects,
  },
  {
    name: "projects rename",
    summary: "Give a project another name",
    words: ["NAME", "NEW_NAME"],
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/projects.ts")).rename,
  },
  {
    name: "projects set-tier",
    summary: "Change a project's tier",
    words: ["NAME", "TIER"],
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/projects.ts")).setTier,
  },
  {
    name: "projects set-budget",
    summary: "Bound what a project, and what each of its users, may spend; a running server honours it within a second",
    usage: "projects set-budget NAME [options]   (the value none takes a bound away)",
    words: ["NAME"],
    options: [
      ["--budget USD", "the most that all keys of a mode may spend together in a period"],
      ["--budget-period PERIOD", `${BUDGET_PERIODS.join(", ")}, in UTC (default month)`],
      ["--user-budget USD", "the most that each user may spend whom calls name"],
      ["--user-budget-period PERIOD", `${USER_BUDGET_PERIODS.join(", ")}, in UTC (default month)`],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/projects.ts")).setBudget,
  },
  {
    name: "projects delete",
    summary: "Delete a project with its keys, calls, documents and all else it owns",
    usage: "projects delete NAME --force",
    words: ["NAME"],
    options: [["--force", "needed, because nothing of it can be brought back"], ...COMMON_OPTIONS],
    load: async () => (await import("./commands/projects.ts")).deleteOneProject,
  },
  {
    name: "history",
    summary: "Show who changed what: projects, keys, budgets, policies, providers, settings",
    usage: "history [--project NAME] [--kind KIND] [--since DATE] [--limit N]",
    options: [
      ["--project NAME", "only changes of this project, which may be deleted"],
      ["--kind KIND", KINDS.join(", ")],
      ["--since DATE", "an ISO date or time"],
      ["--limit N", "the newest so many (default 50)"],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/history.ts")).showHistory,
  },
  {
    name: "models list",
    summary: "List the models of the catalog with their prices and whether they can be called",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/models.ts")).listModels,
  },
  {
    name: "models check",
    summary: "Compare the catalog with what the configured providers list",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/models.ts")).checkModels,
  },
  {
    name: "providers forget-keys",
    summary: "Forget the provider keys typed into the dashboard, if what sealed them is lost",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/providers.ts")).forgetProviderKeys,
  },
  {
    name: "password reset",
    summary: "Give the dashboard's operator a new password, which is printed once, and sign out their browsers",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/password.ts")).resetPassword,
  },
  {
    name: "members invite",
    summary: "Let somebody sign in to the dashboard with a name of their own; prints the link that sets their password",
    usage: "members invite NAME [--role ROLE]   (again: another link, for a forgotten password)",
    words: ["NAME"],
    options: [
      ["--role ROLE", `${ROLES.join(", ")}, who sees everything and changes nothing (default viewer)`],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/members.ts")).inviteMember,
  },
  {
    name: "members list",
    summary: "List the dashboard's members",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/members.ts")).listAllMembers,
  },
  {
    name: "members remove",
    summary: "Remove a member, and sign them out",
    words: ["NAME"],
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/members.ts")).removeMember,
  },
  {
    name: "secret rotate",
    summary: "Seal the provider keys typed into the dashboard under another secret (with the server stopped)",
    options: [
      ["SIGNALBOX_NEW_SECRET", "in the environment: what SIGNALBOX_SECRET will be; without it, a new key file is made"],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/secret.ts")).rotateSecret,
  },
  {
    name: "backup",
    summary: "Write a consistent copy of the database, even while the server runs",
    words: ["FILE"],
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  {
    name: "restore",
    summary: "Put a backup in place of the database (with the server stopped)",
    usage: "restore FILE [--force]",
    words: ["FILE"],
    options: [
      ["--force", "give up what an earlier restore kept (the database it replaces is kept as ….replaced)"],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/backup.ts")).restore,
  },
  {
    name: "doctor",
    summary: "Check database, vector extension, disk, clock, port and providers",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "healthcheck",
    summary: "Ask the running server whether it is ready (for containers)",
    usage: "healthcheck [--host ADDRESS] [--port PORT]",
    options: [
      ["--host ADDRESS", "where it listens (default as for serve)"],
      ["--port PORT", "its port (default as for serve)"],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/healthcheck.ts")).healthcheck,
  },
  {
    name: "extract",
    summary: "Print a document's text by pages, as JSON (PDF, TXT, Markdown)",
    words: ["FILE"],
    load: async () => (await import("./commands/extract.ts")).extractCommand,
  },
  {
    name: "search",
    summary: "Rank a collection of JSON lines for queries, without a server",
    usage: "search --corpus FILE --queries FILE [--top-k 100]",
    options: [
      ["--corpus FILE", 'lines of {"id", "title"?, "text"}'],
      ["--queries FILE", 'lines of {"id", "text"}'],
      ["--top-k N", "documents for each query (default 100)"],
    ],
    load: async () => (await import("./commands/search.ts")).searchCommand,
  },
  {
    name: "extract-child",
    summary: "Read a PDF from standard input, in a process that may be killed",
    hidden: true,
    load: async () => (await import("../documents/extract/extract-child.ts")).extractChild,
  },
  {
    name: "config schema",
    summary: "Print the JSON Schema of signalbox.yaml, for editors",
    load: async () => (await import("./commands/config.ts")).printSchema,
  },
  {
    name: "config check",
    summary: "Check signalbox.yaml and the environment without starting",
    options: COMMON_OPTIONS,
    load: async () => (await import("./commands/config.ts")).checkConfig,
  },
  {
    name: "openapi",
    summary: "Print the OpenAPI document",
    load: async () => (await import("./commands/openapi.ts")).printOpenApi,
  },
  {
    name: "route",
    summary: "Explain how a prompt would be routed",
    usage: 'route "PROMPT" [--json]   or   route --jsonl < lines',
    words: ["[PROMPT]"],
    options: [
      ["--jsonl", 'read {"id"?, "text"} or {"id"?, "messages"} lines, write task, media, complexity, confidence'],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/line-tools.ts")).route,
  },
  {
    name: "refusal",
    summary: "Tell refusals from answers, line by line",
    usage: "refusal --jsonl < lines",
    options: [["--jsonl", 'read {"id"?, "response", "prompt"?} lines, write refusal and score']],
    load: async () => (await import("./commands/line-tools.ts")).refusal,
  },
  {
    name: "pii",
    summary: "Find personal data, line by line",
    usage: "pii --jsonl [--types a,b] < lines",
    options: [
      ["--jsonl", 'read {"id"?, "text"} lines, write entities with type, start, end (UTF-16) and value'],
      ["--types a,b", `${PERSONAL_DATA_TYPES.join(", ")} (default all)`],
    ],
    load: async () => (await import("./commands/line-tools.ts")).pii,
  },
  {
    name: "repair",
    summary: "Read the JSON that a model meant, line by line",
    usage: "repair --jsonl < lines",
    options: [["--jsonl", 'read {"id"?, "input", "schema"?} lines, write value, or error and message']],
    load: async () => (await import("./commands/line-tools.ts")).repair,
  },
  {
    name: "embed",
    summary: "Vectors of the local encoder, line by line",
    usage: "embed --jsonl < lines",
    options: [["--jsonl", 'read {"id"?, "text"} lines, write embedding']],
    load: async () => (await import("./commands/line-tools.ts")).embed,
  },
  {
    name: "demo-data",
    summary: "Fill a project with a month of invented calls, documents and media, answered by the sandbox",
    usage: "demo-data [--project NAME] [--days N] [--calls-per-day N]",
    options: [
      ["--project NAME", "created if it does not exist (default demo)"],
      ["--days N", "1 to 90 (default 30)"],
      ["--calls-per-day N", "1 to 2000 (default 24)"],
      ...COMMON_OPTIONS,
    ],
    load: async () => (await import("./commands/demo-data.ts")).demoData,
  },
  {
    name: "version",
    summary: "Print the version",
    options: [JSON_OPTION],
    load: async () => (await import("./commands/version.ts")).printVersion,
  },
];
