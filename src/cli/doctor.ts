/** `signalbox doctor`: what a person would check first when something does not work. */

import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../config/config.ts";
import { closePlatform, createPlatform } from "../create-platform.ts";
import type { Platform } from "../platform.ts";
import { configFor, printJson, readWords } from "./command.ts";

/** `note`: worth knowing, but nothing is broken. */
type Finding = { check: string; ok: boolean; note?: true; detail: string };

const PROVIDER_TIMEOUT_MS = 10_000;
const LEAST_FREE_BYTES = 500_000_000;

export const doctor = async (words: string[], environment: Environment): Promise<number> => {
  const { values } = readWords(words, {});
  const platform = await createPlatform({ ...configFor(environment, values), logLevel: "silent" });
  try {
    const findings = [
      ...database(platform),
      disk(platform),
      port(platform),
      ...(await Promise.all(platform.providers.configured().map((id) => provider(platform, id)))),
    ];
    if (platform.providers.configured().length === 0) {
      findings.push({
        check: "providers",
        ok: true,
        note: true,
        detail: "none is configured, only test keys are answered: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY",
      });
    }
    if (values.json) printJson(findings);
    else
      for (const { check, ok, note, detail } of findings)
        process.stdout.write(`${ok ? (note ? "note" : "ok  ") : "FAIL"}  ${check}: ${detail}\n`);
    return findings.every(({ ok }) => ok) ? 0 : 1;
  } finally {
    await closePlatform(platform);
  }
};

const database = ({ db }: Platform): Finding[] => {
  const verdict = db.get<{ integrity_check: string }>("PRAGMA integrity_check")!.integrity_check;
  let vector = "sqlite-vec is not loaded: vectors are searched by a plain scan";
  try {
    vector = `sqlite-vec ${db.get<{ version: string }>("SELECT vec_version() AS version")!.version}`;
  } catch {
    // Said above: the scan stands in.
  }
  return [
    { check: "database", ok: verdict === "ok", detail: `${db.path}: ${verdict}` },
    { check: "vector extension", ok: true, detail: vector },
  ];
};

const disk = ({ db }: Platform): Finding => {
  const { bavail, bsize } = statfsSync(dirname(db.path));
  const free = bavail * bsize;
  return { check: "disk", ok: free > LEAST_FREE_BYTES, detail: `${(free / 1e9).toFixed(1)} GB free` };
};

const port = ({ config }: Platform): Finding => {
  try {
    void Bun.serve({ hostname: config.host, port: config.port, fetch: () => new Response() }).stop(true);
    return { check: "port", ok: true, detail: `${config.port} is free` };
  } catch {
    return { check: "port", ok: true, detail: `${config.port} is in use (by a running Signalbox, one hopes)` };
  }
};

const provider = async (platform: Platform, id: string): Promise<Finding> => {
  const found = platform.providers.find("live", id)!;
  if (found.listModels === undefined)
    return { check: `provider ${id}`, ok: true, detail: "configured; it lists no models to try" };
  const startedAt = performance.now();
  try {
    const models = await found.listModels({
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
      remainingMs: PROVIDER_TIMEOUT_MS,
      requestId: "doctor",
      attempt: 1,
    });
    return {
      check: `provider ${id}`,
      ok: true,
      detail: `answers in ${Math.round(performance.now() - startedAt)} ms, lists ${models.length} models`,
    };
  } catch (error) {
    return { check: `provider ${id}`, ok: false, detail: (error as Error).message };
  }
};
