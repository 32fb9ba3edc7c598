/** What a start prints. The first one makes the project and its keys and shows them this once (decisions §1). */

import { UNLIMITED } from "../../accounts/key-terms.ts";
import { createSetupToken, hasAdminPassword } from "../../accounts/operator.ts";
import { insertKey, listKeys, listProjects, upsertProject } from "../../accounts/store.ts";
import { byServer } from "../../history/author.ts";
import { isEveryAddress } from "../../lib/host-in-url.ts";
import { DEFAULT_TIER } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import type { RunningServer } from "../../server.ts";
import { VERSION } from "../../version.ts";

export const firstStart = async ({ platform, url }: RunningServer): Promise<string> => {
  const { host, publicUrl, tls } = platform.config;
  const lines = [
    `Signalbox ${VERSION} listens on ${url}${isEveryAddress(host) ? " and all other addresses of this machine" : ""}`,
    `Database: ${platform.db.path}`,
    providersLine(platform),
    "",
  ];
  const keys = await makeFirstKeys(platform);
  if (keys !== undefined) lines.push(...keysLines(tls === undefined ? url : (publicUrl ?? url), keys, hasLiveModel(platform)));
  lines.push(...(await dashboardLines(platform, publicUrl ?? url)), "");
  return lines.join("\n");
};

const providersLine = (platform: Platform): string => {
  const configured = platform.providers.configured();
  return configured.length > 0
    ? `Providers: ${configured.join(", ")}`
    : "Providers: none yet. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama; the test key works without.";
};

export const hasLiveModel = ({ catalog, providers }: Platform): boolean =>
  catalog.chatModels().some((model) => providers.find("live", model.provider)?.chat !== undefined);

const makeFirstKeys = async (platform: Platform): Promise<{ live: string; test: string } | undefined> => {
  const { db, clock } = platform;
  if ((await listProjects(db)).length > 0 || (await listKeys(db)).length > 0) return undefined;
  const by = byServer(clock.now());
  const project = await upsertProject(db, by, "default", DEFAULT_TIER);
  const make = async (mode: "live" | "test") =>
    (await insertKey(db, by, { ...UNLIMITED, projectId: project.id, name: `first ${mode} key`, mode })).text;
  const keys = { live: await make("live"), test: await make("test") };
  platform.accounts.forget();
  return keys;
};

/** Some shells take the brackets of an IPv6 address for a pattern. */
const inShell = (url: string): string => (url.includes("[") ? `"${url}"` : url);

const keysLines = (url: string, keys: { live: string; test: string }, hasProvider: boolean): string[] => [
  "Your API keys (shown this once; project `default`):",
  `  live  ${keys.live}`,
  `  test  ${keys.test}   (answers from the built-in sandbox, free)`,
  "",
  "Try it:",
  `  curl ${inShell(`${url}/v1/chat`)} -H "Authorization: Bearer ${hasProvider ? keys.live : keys.test}" -H "Content-Type: application/json" -d '{"messages":[{"role":"user","content":"Summarize in one sentence: a signal box is where the routes of a railway are set."}]}'`,
  "",
];

const dashboardLines = async (platform: Platform, url: string): Promise<string[]> => {
  if (platform.config.adminPassword !== undefined || (await hasAdminPassword(platform.db)))
    return [`Dashboard: ${url}/dashboard`];
  const token = await createSetupToken(platform.db, platform.clock.now());
  return ["Set the dashboard's password (this link works once):", `  ${url}/dashboard/setup?token=${token}`];
};
