/** Assembles the running program from its configuration; the one place that knows how the parts fit together. */

import { createAccounts } from "./accounts/authenticate.ts";
import { createBudgets } from "./accounts/budgets.ts";
import { createBackground } from "./background/background.ts";
import { createCatalog } from "./catalog/catalog.ts";
import { quirksOf } from "./catalog/model.ts";
import { collectBuffers } from "./collect-garbage.ts";
import type { Config } from "./config/config.ts";
import { openDatabase } from "./database/database.ts";
import { createDocumentEngine } from "./documents/document-engine.ts";
import { loadEncoder } from "./encoder/encoder.ts";
import { createBodyRoom } from "./http/body-room.ts";
import { createExchanges } from "./http/exchange.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { createSemaphore } from "./lib/semaphore.ts";
import { createLimits } from "./limits/limits.ts";
import { countedSince, requestsOfKeySince, tokensOfKeySince } from "./logs/counted-store.ts";
import { spentInDays } from "./logs/sums/spent-store.ts";
import { createOpenSessions } from "./memory/open-sessions.ts";
import type { Platform } from "./platform.ts";
import { createActivePolicies } from "./policies/active-policies.ts";
import { createProcessLog, describeError } from "./process-log.ts";
import { createHealth } from "./providers/health/health.ts";
import { logBreakers } from "./providers/health/log-breakers.ts";
import { localEmbedder } from "./providers/local-embedder.ts";
import { createProviders } from "./providers/registry.ts";
import { localReranker, type ScoreTexts } from "./providers/rerank/local-reranker.ts";
import { createSandbox } from "./providers/sandbox/sandbox.ts";
import { fetchTransport } from "./providers/transport/fetch-transport.ts";
import { createSocketTransport } from "./providers/transport/socket-transport.ts";
import { createConversations } from "./router/conversations.ts";
import { createLearning } from "./router/learning/learning.ts";
import { createClassifier } from "./router/recent-classifications.ts";
import { createSchemaCache } from "./schemas/schema-cache.ts";
import { createAlerts } from "./telemetry/alerts.ts";
import { createTelemetry } from "./telemetry/telemetry.ts";
import { listUnderWay } from "./video/store.ts";
import { applySettings } from "./watch-settings.ts";

/** Enough to share a commit. */
const LONG_ANSWERS_AT_ONCE = 4;
const COLLECTED_BODY_BYTES = 128 * 1024 * 1024;
/** What each leaves as garbage, on the heap twice. */
const LONG_ANSWER_BYTES = 8_000_000;

export type PlatformOptions = { clock?: Clock };

/** Throws SettingError for an unusable setting, and NewerDatabaseError for a file of a later version. */
export const createPlatform = async (config: Config, options: PlatformOptions = {}): Promise<Platform> => {
  const clock = options.clock ?? systemClock(config.clockOffsetMs);
  const written = createProcessLog(config.logLevel, clock.now);
  const onAlertFailure = (reason: string) => written.warn("An alert could not be sent", { reason });
  const alerts = config.alertUrl === undefined ? undefined : createAlerts(config.alertUrl, clock, onAlertFailure);
  const log = alerts === undefined ? written : createProcessLog(config.logLevel, clock.now, alerts.tell);
  const db = await openDatabase(config.databasePath, {
    durability: config.durability,
    onCommitFailure: (error) => log.error("The database refused a commit", describeError(error)),
    onMigrated: (copy) => log.info("The database was migrated; a copy of it as it was is kept", { copy }),
  });
  const encoder = await loadEncoder({ asNeeded: true });
  const catalog = createCatalog({ overrides: [] });
  const health = logBreakers(createHealth({ clock, cooldownMs: config.cooldownMs }), log);
  const sockets = createSocketTransport();
  // Loaded with the first ranking: a search otherwise runs in a thread of its own.
  const scoreTexts: ScoreTexts = async (...ranking) =>
    (await import("./documents/corpus/score-texts.ts")).scoreTexts(encoder, ...ranking);
  const providers = createProviders({
    connections: [],
    sandbox: createSandbox({ clock, encoder, firstByteMs: config.timeouts.firstByteMs, scoreTexts }),
    local: { ...localReranker(scoreTexts), ...localEmbedder(encoder) },
    health,
    transport: config.isBehindProxy ? fetchTransport : sockets,
    localTransport: sockets,
    timeouts: config.timeouts,
    clock,
    log,
    quirksOf: (provider, upstream) => quirksOf(catalog.findUpstream(provider, upstream)),
    contextWindowOf: (provider, upstream) => catalog.findUpstream(provider, upstream)?.contextWindow,
  });
  const background = createBackground(db, clock, log);
  const collectAnswers = collectBuffers(LONG_ANSWERS_AT_ONCE * LONG_ANSWER_BYTES);
  const platform: Platform = {
    instance: crypto.randomUUID(),
    config,
    db,
    clock,
    log,
    telemetry: createTelemetry(config, clock, log, alerts),
    background,
    documents: createDocumentEngine(db),
    accounts: createAccounts(db, clock),
    budgets: createBudgets(db, clock, log, (projectId, mode, days) => spentInDays(db, projectId, mode, days)),
    limits: createLimits(
      db,
      clock,
      ({ project, mode }, group, sinceMs) => countedSince(db, project.id, mode, group, sinceMs),
      {
        requests: (key, sinceMs) => requestsOfKeySince(db, key, sinceMs),
        tokens: (key, sinceMs) => tokensOfKeySince(db, key, sinceMs),
      },
      ({ project, mode }, group) => (group === "video" ? listUnderWay(db, project.id, mode).length : 0),
    ),
    learning: createLearning(db, clock, catalog),
    conversations: createConversations(),
    catalog,
    providers,
    encoder,
    classify: createClassifier(encoder),
    policies: createActivePolicies(db),
    schemas: createSchemaCache(),
    openSessions: createOpenSessions(db),
    longAnswers: createSemaphore(LONG_ANSWERS_AT_ONCE, () => collectAnswers(LONG_ANSWER_BYTES, 0)),
    exchanges: createExchanges(clock.now),
    bodyRoom: createBodyRoom(collectBuffers(COLLECTED_BODY_BYTES)),
    discovered: { models: [], connections: [] },
    draining: false,
    cutOff: new AbortController(),
  };
  try {
    await applySettings(platform);
  } catch (error) {
    await closePlatform(platform);
    throw error;
  }
  return platform;
};

/** Hands jobs back, writes what is pending, empties the write-ahead log. */
export const closePlatform = async (platform: Platform): Promise<void> => {
  await platform.background.stop();
  await platform.documents.stop();
  try {
    await platform.accounts.flushLastUsed();
    await platform.learning.flush();
    await platform.limits.flush();
  } catch (error) {
    // A full disk must not keep the file open, nor the program running.
    platform.log.error("What was waiting could not be written", describeError(error));
  }
  await platform.telemetry.close();
  await platform.db.close();
  platform.encoder.close();
};
