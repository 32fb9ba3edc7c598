/** Many calls at the same moment on every limited group, and how many of them were let in. Used by the test beside it and by bench/load. */

import type { LimitGroup, Tier } from "../../src/limits/tiers.ts";
import { type Gateway, type GatewayOptions, startGateway, type TestKey } from "../support/gateway.ts";
import { heldStreams, sseBody, startUpstreamStub } from "../support/upstream-stub.ts";

type Case = {
  group: LimitGroup;
  tier: Tier;
  /** Answered by the provider and not by the sandbox. */
  live?: true;
  /** What the tier lets in at once, by the table of decisions §3. */
  admits: number;
  send(gateway: Gateway, key: TestKey): Promise<Response>;
};

const QUESTION = { messages: [{ role: "user", content: "Which trains were late?" }] };
const post =
  (path: string, body: unknown) =>
  (gateway: Gateway, key: TestKey): Promise<Response> =>
    gateway.send(key, "POST", path, body);
const get =
  (path: string) =>
  (gateway: Gateway, key: TestKey): Promise<Response> =>
    gateway.send(key, "GET", path);

/** Half a minute of silence: 8 bits, 1 kHz. */
const wav = (): Uint8Array => {
  const seconds = 30;
  const rate = 1_000;
  const bytes = Buffer.alloc(44 + seconds * rate, 128);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(36 + seconds * rate, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(seconds * rate, 40);
  return new Uint8Array(bytes);
};
const transcribe = (gateway: Gateway, key: TestKey): Promise<Response> => {
  const form = new FormData();
  form.append("file", new File([wav() as Uint8Array<ArrayBuffer>], "silence.wav", { type: "audio/wav" }));
  form.append("model", "transcribe-1");
  return gateway.send(key, "POST", "/v1/audio/transcriptions", form);
};

export const CASES: Case[] = [
  { group: "chat", tier: "free", admits: 60, send: post("/v1/chat", QUESTION) },
  {
    group: "streams",
    tier: "pro",
    live: true,
    admits: 10,
    send: post("/v1/chat/stream", { ...QUESTION, model: "gpt-4o" }),
  },
  { group: "embeddings", tier: "free", admits: 60, send: post("/v1/embeddings", { model: "embed-local", input: "late" }) },
  { group: "images", tier: "free", admits: 5, send: post("/v1/images/generations", { prompt: "a signal lamp" }) },
  { group: "video", tier: "pro", admits: 5, send: post("/v1/video/generations", { prompt: "a train [[sandbox:slow=60000]]" }) },
  {
    group: "speech",
    tier: "free",
    admits: 10,
    send: post("/v1/audio/speech", { model: "tts-1", voice: "alloy", input: "Late." }),
  },
  { group: "transcription", tier: "free", admits: 20, send: transcribe },
  { group: "search", tier: "free", admits: 30, send: post("/v1/tools/search", { query: "late trains" }) },
  { group: "documents", tier: "pro", admits: 120, send: get("/v1/documents") },
  { group: "memory", tier: "pro", admits: 120, send: get("/v1/memory") },
  { group: "policies", tier: "pro", admits: 120, send: get("/v1/policies") },
  { group: "schemas", tier: "free", admits: 30, send: get("/v1/schemas") },
  { group: "metrics", tier: "free", admits: 10, send: get("/v1/metrics/overview") },
  { group: "logs", tier: "free", admits: 30, send: get("/v1/logs") },
];

type Hammered = { admitted: number; refused: number; other: number[]; hints: boolean };

export type Hammering = { gateway: Gateway; letGo(): void; stop(): Promise<void> };

/** A gateway whose provider keeps its streams open until it is told: none makes room before the last caller was let in or refused. */
export const startHammering = async (options: Pick<GatewayOptions, "folder"> = {}): Promise<Hammering> => {
  const frame = (delta: object, finish: string | null) =>
    JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] });
  const { answer, letGo } = heldStreams(
    sseBody([frame({ content: "Late. " }, null)], { done: false }),
    sseBody([frame({}, "stop")]),
  );
  const upstream = startUpstreamStub();
  upstream.answer(answer);
  const environment = { OPENAI_API_KEY: "sk-hammer", OPENAI_BASE_URL: `${upstream.url}/v1` };
  const gateway = await startGateway({ ...options, environment });
  const stop = async () => {
    await gateway.stop();
    upstream.stop();
  };
  return { gateway, letGo, stop };
};

/** `calls` requests at once with a fresh project's key. `hints`: each 429 said when to come again. */
export const hammer = async (
  { gateway, letGo }: Hammering,
  { group, tier, live, send }: Case,
  calls: number,
): Promise<Hammered> => {
  const key = await gateway.key({ project: `${group}-${crypto.randomUUID()}`, tier, mode: live ? "live" : "test" });
  const responses = await Promise.all(Array.from({ length: calls }, () => send(gateway, key)));
  letGo();
  const refused = responses.filter(({ status }) => status === 429);
  const hints = refused.every(({ headers }) => Number(headers.get("retry-after")) >= 1 && headers.has("x-ratelimit-limit"));
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return {
    admitted: responses.filter(({ ok }) => ok).length,
    refused: refused.length,
    other: responses.filter(({ ok, status }) => !ok && status !== 429).map(({ status }) => status),
    hints,
  };
};
