/** What the running program provides to its features. Everything that outlives a request is here; modules hold no state. */

import type { Accounts } from "./accounts/authenticate.ts";
import type { Budgets } from "./accounts/budgets.ts";
import type { Background } from "./background/background.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { Config } from "./config/config.ts";
import type { Db } from "./database/database.ts";
import type { DocumentEngine } from "./documents/document-engine.ts";
import type { Encoder } from "./encoder/encoder.ts";
import type { BodyRoom } from "./http/body-room.ts";
import type { ExchangeRegistry } from "./http/exchange.ts";
import type { Clock } from "./lib/clock.ts";
import type { Semaphore } from "./lib/semaphore.ts";
import type { Limits } from "./limits/limits.ts";
import type { OpenSessions } from "./memory/open-sessions.ts";
import type { ActivePoliciesOf } from "./policies/active-policies.ts";
import type { ProcessLog } from "./process-log.ts";
import type { Discovery } from "./providers/local/discovered-model.ts";
import type { Providers } from "./providers/registry.ts";
import type { Conversations } from "./router/conversations.ts";
import type { Learning } from "./router/learning/learning.ts";
import type { Classifier } from "./router/recent-classifications.ts";
import type { SchemaCache } from "./schemas/schema-cache.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export type Platform = {
  /** Tells two platforms in one process apart. */
  instance: string;
  config: Config;
  db: Db;
  clock: Clock;
  log: ProcessLog;
  telemetry: Telemetry;
  background: Background;
  accounts: Accounts;
  budgets: Budgets;
  limits: Limits;
  catalog: Catalog;
  providers: Providers;
  encoder: Encoder;
  /** Classifies requests; recent results are cached. */
  classify: Classifier;
  documents: DocumentEngine;
  /** What the calls of each project have taught the router. */
  learning: Learning;
  /** Which model answered which conversation last. */
  conversations: Conversations;
  /** The policies in force for a project, compiled. */
  policies: ActivePoliciesOf;
  /** Callers' schemas that were compiled recently. */
  schemas: SchemaCache;
  /** Memory sessions in use by calls. */
  openSessions: OpenSessions;
  /** For long answers that were cut off: each takes a megabyte or more while it is read and recorded. */
  longAnswers: Semaphore;
  exchanges: ExchangeRegistry;
  bodyRoom: BodyRoom;
  /** The local servers that are there, with the models of all that have been. */
  discovered: Discovery;
  /** True after SIGTERM: /readyz says so and new work is refused. */
  draining: boolean;
  /** Aborts what is still running when the drain's time is over, with the error for its callers. */
  cutOff: AbortController;
};
