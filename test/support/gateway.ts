/** A gateway on a temporary file for one test: real app, real database, listening on a free port of loopback. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mode, Scope } from "../../src/accounts/api-key.ts";
import { type KeyTerms, UNLIMITED } from "../../src/accounts/key-terms.ts";
import type { Project, ProjectSettings } from "../../src/accounts/project.ts";
import { changeProject, insertKey, upsertProject } from "../../src/accounts/store.ts";
import { type Environment, readConfig } from "../../src/config/config.ts";
import { byCommand } from "../../src/history/author.ts";
import type { Tier } from "../../src/limits/tiers.ts";
import type { Platform } from "../../src/platform.ts";
import { startServer } from "../../src/server.ts";

export type TestKey = { text: string; id: string; project: Project };
export type Gateway = {
  platform: Platform;
  url: string;
  /** The folder of the database. */
  folder: string;
  /** After `stop`, time stands still (where it is, or at `atMs`) but for `advance`: for what a slow machine must not change. */
  clock: { now(): number; advance(ms: number): void; stop(atMs?: number): void };
  /** Creates the project if needed; `test` mode by default. */
  key(options?: {
    project?: string;
    tier?: Tier;
    mode?: Mode;
    scopes?: Scope[];
    budgetUsd?: number;
    expiresAtMs?: number;
    terms?: Partial<KeyTerms>;
    settings?: ProjectSettings;
  }): Promise<TestKey>;
  /** A request with that key; objects are sent as JSON. */
  send(
    key: TestKey | string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** What a GET with that key answers. */
  read(key: TestKey | string, path: string): Promise<any>;
  /** Creates a policy with that key; returns its id. */
  policy(key: TestKey, policyType: "routing" | "content", config: object): Promise<string>;
  /** From now on each commit fails, until the returned function is called. */
  fillDisk(): () => void;
  /** `await using` does so at the end of a test. */
  stop(): Promise<void>;
} & AsyncDisposable;

/** `startsAtMs`: noon of a Friday, unless said. */
export type GatewayOptions = { environment?: Environment; settings?: string; folder?: string; startsAtMs?: number };

/** Far from the end of any hour, day or month, and before any model of the catalog shuts down, whatever the machine's clock says. */
export const NOON = Date.UTC(2026, 10, 20, 12);
const began = performance.now();
/** Goes on from one gateway to the next, as it would over a restart. */
const ownTime = (): number => NOON + Math.floor(performance.now() - began);

export const startGateway = async (options: GatewayOptions = {}): Promise<Gateway> => {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "signalbox-test-"));
  if (options.settings !== undefined) await Bun.write(join(folder, "signalbox.yaml"), options.settings);
  const config = readConfig(
    {
      LOG_LEVEL: "silent",
      SIGNALBOX_ADMIN_PASSWORD: "correct horse battery",
      SIGNALBOX_DRAIN_S: "2",
      OLLAMA_HOST: "127.0.0.1:1",
      ...options.environment,
    },
    {
      db: join(folder, "signalbox.db"),
      port: "0",
      ...(options.settings !== undefined && { config: join(folder, "signalbox.yaml") }),
    },
  );
  let offset = options.startsAtMs === undefined ? 0 : options.startsAtMs - ownTime();
  let stoppedAt: number | undefined;
  const clock = {
    now: () => (stoppedAt ?? ownTime()) + offset,
    advance: (ms: number) => {
      offset += ms;
    },
    stop: (atMs?: number) => {
      stoppedAt ??= ownTime();
      if (atMs !== undefined) offset = atMs - stoppedAt;
    },
  };
  const server = await startServer(config, { clock });
  const { platform, url } = server;
  const send: Gateway["send"] = (key, method, path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${typeof key === "string" ? key : key.text}` }),
        ...(isPlain(body) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isPlain(body) ? JSON.stringify(body) : (body as BodyInit) }),
    });
  const stop = async (): Promise<void> => {
    await server.stop();
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };

  return {
    platform,
    url,
    folder,
    clock,
    key: async ({
      project: name = "test",
      tier = "enterprise",
      mode = "test",
      scopes,
      budgetUsd,
      expiresAtMs,
      terms,
      settings,
    } = {}) => {
      const by = byCommand(clock.now());
      let project = await upsertProject(platform.db, by, name, tier);
      if (settings !== undefined) project = (await changeProject(platform.db, by, project.id, () => ({ settings })))!;
      const { record, text } = await insertKey(platform.db, by, {
        ...UNLIMITED,
        projectId: project.id,
        name: "test",
        mode,
        scopes: scopes ?? null,
        budgetNanoUsd: budgetUsd === undefined ? null : Math.round(budgetUsd * 1e9),
        expiresAtMs: expiresAtMs ?? null,
        ...terms,
      });
      platform.accounts.forget();
      return { text, id: record.id, project };
    },
    send,
    read: async (key, path) => (await send(key, "GET", path)).json(),
    policy: async (key, policyType, config) => {
      const response = await send(key, "POST", "/v1/policies", { name: "policy", policy_type: policyType, config });
      if (response.status !== 201) throw new Error(`The policy was answered ${response.status}: ${await response.text()}`);
      return ((await response.json()) as { id: string }).id;
    },
    fillDisk: () => {
      let isFull = true;
      platform.db.onCommit(() => {
        if (isFull) throw Object.assign(new Error("disk full"), { code: "SQLITE_FULL" });
      });
      return () => {
        isFull = false;
      };
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

const isPlain = (body: unknown): body is object =>
  typeof body === "object" &&
  body !== null &&
  !(body instanceof FormData) &&
  !(body instanceof Uint8Array) &&
  !(body instanceof Blob) &&
  !(body instanceof ReadableStream);
