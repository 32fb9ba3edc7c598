/** `signalbox doctor`: what a person would check first when something does not work. */

import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Config, type Environment, readConfig } from "../../config/config.ts";
import { SettingError } from "../../config/read-setting.ts";
import { tryToWrite } from "../../database/settings.ts";
import { explained, findDamage } from "../../database/unusable-file.ts";
import { DAY_MS, toIso } from "../../lib/clock.ts";
import { explainAddress } from "../../listen.ts";
import type { Platform } from "../../platform.ts";
import type { Provider } from "../../providers/provider.ts";
import { singleAttempt } from "../../providers/upstream/single-attempt.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { newestBackup } from "../../take-backups.ts";
import { certificateEndsAtMs } from "../../tls-files.ts";
import { refreshDiscovery } from "../../watch-settings.ts";
import { type Given, tell } from "../command.ts";
import { withEmptyPlatform, withPlatform } from "../with-platform.ts";
import { askWhetherReady } from "./healthcheck.ts";

/** `note`: worth knowing, but nothing is broken. */
type Finding = { check: string; ok: boolean; note?: true; detail: string };

const fine = (check: string, detail: string): Finding => ({ check, ok: true, detail });
const noted = (check: string, detail: string): Finding => ({ check, ok: true, note: true, detail });
const broken = (check: string, detail: string): Finding => ({ check, ok: false, detail });

const PROVIDER_TIMEOUT_MS = 10_000;
const LEAST_FREE_BYTES = 500_000_000;
const CLOCKS_DIFFER_MS = 60_000;
/** What renews certificates should have done it by then. */
const RENEWED_BEFORE_MS = 10 * DAY_MS;

export const doctor = async (given: Given, environment: Environment): Promise<number> => {
  const findings = await examine({ ...readConfig(environment, given.values), logLevel: "silent" });
  tell(given, findings, findings.map(inWords).join("\n"));
  return findings.every(({ ok }) => ok) ? 0 : 1;
};

const inWords = ({ check, ok, note, detail }: Finding): string =>
  `${ok ? (note ? "note" : "ok  ") : "FAIL"}  ${check}: ${detail}`;

/** An unusable database is a finding like others, and does not prevent the rest. */
const examine = async (config: Config): Promise<Finding[]> => {
  const path = config.databasePath;
  if (!existsSync(path)) return withPlatform(config, (platform) => findingsOf(platform, config, noDatabase(path)));
  try {
    return await withPlatform(config, async (platform) => findingsOf(platform, config, await database(platform)));
  } catch (error) {
    if (error instanceof SettingError) throw error;
    return withEmptyPlatform(config, (platform) => findingsOf(platform, config, unusable(path, error)));
  }
};

const findingsOf = async (platform: Platform, config: Config, database: Finding): Promise<Finding[]> => {
  await refreshDiscovery(platform);
  const patients = eachKeyAlone(platform);
  return [
    database,
    vectorExtension(platform),
    disk(config.databasePath),
    ...backups(config, platform.clock.now()),
    clock(platform),
    await port(config),
    ...certificate(config, platform.clock.now()),
    ...(patients.length > 0 ? await Promise.all(patients.map(provider)) : [noProvider]),
  ];
};

const noProvider = noted(
  "providers",
  "none is configured, only test keys are answered: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama",
);

const noDatabase = (path: string): Finding => {
  try {
    // With the dot, the system refuses a file that stands where a folder should be.
    accessSync(`${existingFolderOf(path)}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    return unusable(path, error);
  }
  return noted("database", `there is none at ${path} yet; the first start makes it`);
};

const unusable = (path: string, error: unknown): Finding => broken("database", (explained(path, error) as Error).message);

/** Throws if the file cannot be written. */
const database = async ({ db, clock }: Platform): Promise<Finding> => {
  await tryToWrite(db, clock.now());
  const damage = findDamage(db);
  if (damage === undefined) return fine("database", `${db.path}: ok`);
  return broken("database", `${db.path}: it is damaged (${damage}); restore a backup`);
};

const vectorExtension = ({ db }: Platform): Finding => {
  try {
    return fine("vector extension", `sqlite-vec ${db.get<{ version: string }>("SELECT vec_version() AS version")!.version}`);
  } catch {
    return fine("vector extension", "sqlite-vec cannot be loaded here: SQL has no vector functions; search does without them");
  }
};

/** The folder of the file, or the nearest existing one above it. */
const existingFolderOf = (databasePath: string): string => {
  let folder = dirname(resolve(databasePath));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
};

const disk = (databasePath: string): Finding => {
  const { bavail, bsize } = statfsSync(existingFolderOf(databasePath));
  const free = bavail * bsize;
  return (free > LEAST_FREE_BYTES ? fine : broken)("disk", `${(free / 1e9).toFixed(1)} GB free`);
};

const backups = ({ backups, databasePath }: Config, now: number): Finding[] => {
  if (backups === undefined) return [];
  const { folder, everyMs } = backups;
  let newest: number | undefined;
  try {
    newest = newestBackup(folder, databasePath);
  } catch (error) {
    return [broken("backups", `${folder} cannot be read: ${(error as Error).message}`)];
  }
  if (newest === undefined) return [noted("backups", `there is none in ${folder} yet; the running server makes it`)];
  const detail = `the newest in ${folder} is of ${toIso(newest)}`;
  return [now - newest < 2 * everyMs ? fine("backups", detail) : broken("backups", `${detail}, and the next was due long ago`)];
};

/** Limits, expiry, budgets and retention depend on the clock; if it was set back, they all stall. */
const clock = ({ db, clock, config }: Platform): Finding => {
  const now = clock.now();
  const last = db.get<{ at: number }>("SELECT started_at AS at FROM calls ORDER BY seq DESC LIMIT 1")?.at ?? 0;
  const detail = `${new Date(now).toISOString()}${config.clockOffsetMs === 0 ? "" : ", shifted by SIGNALBOX_CLOCK_OFFSET_S"}`;
  if (last <= now + CLOCKS_DIFFER_MS) return fine("clock", detail);
  return broken("clock", `${detail}, which is before the last call in the log (${new Date(last).toISOString()})`);
};

const certificate = ({ tls }: Config, now: number): Finding[] => {
  if (tls === undefined) return [];
  try {
    const endsAt = certificateEndsAtMs(tls);
    const detail = `${tls.certificate} ends ${toIso(endsAt)}`;
    if (endsAt <= now) return [broken("certificate", `${detail}: it is too old`)];
    return [(endsAt - now < RENEWED_BEFORE_MS ? noted : fine)("certificate", detail)];
  } catch (error) {
    return [broken("certificate", (error as Error).message)];
  }
};

const port = async (config: Config): Promise<Finding> => {
  const { host, port } = config;
  try {
    void Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response() }).stop(true);
    return fine("port", `${port} is free`);
  } catch (error) {
    const { isOurs } = await askWhetherReady(config);
    if (isOurs) return fine("port", `${port} is in use by a running Signalbox`);
    return broken("port", (explainAddress(error, host, port) as Error).message);
  }
};

type Patient = { name: string; provider: Provider };

/** Tests each key separately, because the others would hide one that is refused. */
const eachKeyAlone = ({ providers }: Platform): Patient[] =>
  providers.connections().flatMap((connection) => {
    const { entry, keys } = connection;
    const alone = keys.length > 1 ? keys.map((key) => ({ ...connection, keys: [key] })) : [connection];
    return alone.map((single, index) => {
      // This platform is temporary, and nobody else's.
      providers.replace([single]);
      const which = alone.length > 1 ? `, key ${index + 1} of ${alone.length}` : "";
      return { name: `provider ${entry.id}${which}`, provider: providers.find("live", entry.id)! };
    });
  });

const provider = async ({ name, provider: asked }: Patient): Promise<Finding> => {
  if (asked.listModels === undefined) return fine(name, "configured; it lists no models to try");
  const startedAt = performance.now();
  try {
    const models = await asked.listModels(singleAttempt("doctor", PROVIDER_TIMEOUT_MS));
    const listed = `${models.length} ${models.length === 1 ? "model" : "models"}`;
    return fine(name, `answers in ${Math.round(performance.now() - startedAt)} ms, lists ${listed}`);
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === "model_gone") return noted(name, NO_LIST);
    return broken(name, (error as Error).message);
  }
};

const NO_LIST = "answers, but has no list of models to try; should calls fail, check its address, which usually ends in /v1";
