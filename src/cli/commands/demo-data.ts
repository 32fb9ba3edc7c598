/**
 * `signalbox demo-data`: fills a project with a month of plausible calls, documents, sessions, policies, schemas and media,
 * all through the product's own API and answered by the sandbox; nothing leaves the machine. The dashboard's tests look at it.
 */

import { UNLIMITED } from "../../accounts/key-terms.ts";
import { insertKey, upsertProject } from "../../accounts/store.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import { byCommand } from "../../history/author.ts";
import { type Clock, DAY_MS } from "../../lib/clock.ts";
import { DEFAULT_TIER } from "../../limits/tiers.ts";
import { startServer } from "../../server.ts";
import { type Given, readCount, requireName, tell } from "../command.ts";
import { holdDatabase } from "../hold-database.ts";
import { DEMO_DOCUMENTS, DEMO_PROMPTS, DEMO_SCHEMAS, type DemoPrompt } from "./demo-texts.ts";

/** The sandbox answers in milliseconds; on this clock its answers take as long as a real model's. */
const TIME_FLIES = 45;

type Api = (method: string, path: string, body?: unknown) => Promise<any>;
/** Deterministic, so that two runs tell the same story. */
type Dice = { next(): number; pick<T>(from: readonly T[]): T };

export const demoData = async (given: Given, environment: Environment): Promise<number> => {
  const { values } = given;
  const name = requireName("--project", values.project ?? "demo");
  const days = readCount("--days", values.days ?? "30", 90);
  const perDay = readCount("--calls-per-day", values["calls-per-day"] ?? "24", 2_000);
  const config = { ...readConfig(environment, values), host: "127.0.0.1", port: 0, logLevel: "error" as const };
  // Everything is asked of this machine: a proxy that the environment names has another.
  environment["no_proxy"] = "*";
  using _lock = holdDatabase(config.databasePath);
  const clock = flyingClock(Date.now() + config.clockOffsetMs - days * DAY_MS);
  const server = await startServer(config, { clock });
  try {
    const { db, accounts } = server.platform;
    const by = byCommand(clock.now());
    const project = await upsertProject(db, by, name, DEFAULT_TIER);
    const { text } = await insertKey(db, by, { ...UNLIMITED, projectId: project.id, name: "demo data", mode: "test" });
    accounts.forget();
    const api = apiOf(server.url, text);
    const dice = diceOf(20_261_120);
    await makeStock(api);
    const calls = await makeCalls(api, clock, dice, { days, perDay });
    await makeMedia(api);
    await server.platform.background.idle();
    return tell(
      given,
      { project: project.name, project_id: project.id, calls, key: text },
      `Project "${project.name}" now holds ${calls} calls of ${days} days (mode: test). Its key: ${text}`,
    );
  } finally {
    clock.rest();
    await server.stop();
  }
};

/** Runs faster than the world, and can be set forward; `rest` makes it an ordinary clock again. */
const flyingClock = (startMs: number): Clock & { jumpTo(ms: number): void; rest(): void } => {
  let base = startMs;
  let since = performance.now();
  let speed = TIME_FLIES;
  const now = () => Math.round(base + (performance.now() - since) * speed);
  return {
    now,
    jumpTo: (ms) => {
      base = Math.max(ms, now());
      since = performance.now();
    },
    rest: () => {
      base = now();
      since = performance.now();
      speed = 1;
    },
  };
};

const apiOf =
  (url: string, key: string): Api =>
  async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && !isForm && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const type = response.headers.get("content-type") ?? "";
    return type.startsWith("application/json")
      ? { status: response.status, ...(await response.json()) }
      : { status: response.status, text: await response.text() };
  };

const diceOf = (seed: number): Dice => {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return { next, pick: (from) => from[Math.floor(next() * from.length)]! };
};

const makeStock = async (api: Api): Promise<void> => {
  for (const { filename, content, collection } of DEMO_DOCUMENTS)
    await api("POST", "/v1/documents", { filename, content, encoding: "utf8", collection_id: collection });
  for (const schema of DEMO_SCHEMAS) await api("POST", "/v1/schemas", schema);
  await api("POST", "/v1/policies", {
    name: "Half a dollar a call",
    policy_type: "routing",
    config: { cost_ceiling_usd: 0.5, on_violation: "soft_block" },
    priority: 20,
  });
  await api("POST", "/v1/policies", { template: "budget-mode", priority: 30, enabled: false });
  await api("POST", "/v1/policies", { template: "pii-protection", priority: 10 });
  await api("POST", "/v1/policies", { template: "vendor-c-only", priority: 50, enabled: false });
};

const USERS = ["ada", "ben", "chiara", "dmitri", "emeka", "fatima", "goran"];

/** More on working days and in office hours, a little more every week. */
const makeCalls = async (
  api: Api,
  clock: ReturnType<typeof flyingClock>,
  dice: Dice,
  { days, perDay }: { days: number; perDay: number },
): Promise<number> => {
  const startMs = clock.now();
  let made = 0;
  for (let day = 0; day < days; day++) {
    const dayMs = startMs + day * DAY_MS;
    const weekend = [0, 6].includes(new Date(dayMs).getUTCDay());
    const count = Math.max(
      1,
      Math.round(perDay * (weekend ? 0.35 : 1) * (0.8 + 0.4 * dice.next()) * (0.75 + (0.5 * day) / days)),
    );
    const times = Array.from({ length: count }, () => dayMs + (dice.next() + dice.next()) * 0.5 * DAY_MS * 0.95).sort(
      (a, b) => a - b,
    );
    for (const at of times) {
      clock.jumpTo(at);
      await makeCall(api, dice);
      made++;
    }
  }
  clock.jumpTo(startMs + days * DAY_MS);
  return made;
};

const makeCall = async (api: Api, dice: Dice): Promise<void> => {
  const { path = "/v1/chat", text, ...rest } = dice.pick<DemoPrompt>(DEMO_PROMPTS);
  const user = dice.pick(USERS);
  const body = {
    messages: [{ role: "user", content: text }],
    user,
    ...(dice.next() < 0.3 && { session_id: `support-${user}` }),
    ...(dice.next() < 0.12 && { max_cost_per_call: 0.002 }),
    metadata: { team: dice.pick(["support", "search", "growth"]) },
    ...rest,
  };
  const answer = await api("POST", path, body);
  const id = answer.svc?.request_id;
  if (id !== undefined && dice.next() < 0.15)
    await api("POST", `/v1/logs/${id}/feedback`, { score: dice.next() < 0.8 ? 1 : 0, comment: "Marked in the support tool." });
};

const makeMedia = async (api: Api): Promise<void> => {
  await api("POST", "/v1/images/generations", { prompt: "A signal box at dusk, gouache, warm lamp light", model: "image-a-3" });
  await api("POST", "/v1/images/generations", {
    prompt: "Icon of a railway switch, flat, two colours",
    model: "image-c-dev",
    n: 2,
  });
  await api("POST", "/v1/audio/speech", {
    model: "tts-1",
    input: "The train on platform four is ready to leave.",
    voice: "nova",
  });
  await api("POST", "/v1/video/generations", { prompt: "A freight train crosses a viaduct in the fog", duration_seconds: 4 });
  await api("POST", "/v1/video/generations", { prompt: "A station clock at noon [[sandbox:fail]]", duration_seconds: 4 });
  await api("POST", "/v1/tools/search", { query: "history of mechanical railway signalling", max_results: 3 });
};
