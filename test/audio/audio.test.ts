import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import OpenAI, { toFile } from "openai";
import { passThrough } from "../../src/audio/speak.ts";
import { readDuration } from "../../src/lib/duration/read-duration.ts";
import type { TestKey } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";
import { mediaStubOfFile, says, sends } from "../support/media-stub.ts";
import { parseSse } from "../support/read-sse.ts";

const SPEECH = "/v1/audio/speech";
const TRANSCRIPTION = "/v1/audio/transcriptions";
const stub = mediaStubOfFile();

const gateway = await gatewayOfFile({
  environment: { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: `${stub.url}/v1` },
  settings: `providers:\n  kokoro:\n    base_url: ${stub.url}/kokoro/v1\nmedia_models:\n  tts-1-hd:\n    - provider: kokoro\n      model: kokoro-82m\n      voices: { alloy: af_alloy }\n`,
});
const key = await gateway.key();
const live = await gateway.key({ mode: "live" });
const tone = await Bun.file(join(import.meta.dir, "../fixtures/audio/tone.wav")).bytes();

const hello = { model: "tts-1", input: "Hello there.", voice: "alloy" };
const say = (changes: Record<string, unknown> = {}, as: TestKey = key) =>
  gateway.send(as, "POST", SPEECH, { ...hello, ...changes });
const logOf = async (response: Response, as: TestKey): Promise<any> =>
  gateway.read(as, `/v1/logs/${response.headers.get("x-svc-request-id")}`);

/** Once the row is there. Looks at intervals: the log answers 600 requests a minute. */
const loggedOf = async (response: Response, as: TestKey): Promise<any> => {
  for (;;) {
    const row = await logOf(response, as);
    if (row.execution !== undefined) return row;
    await Bun.sleep(100);
  }
};

describe("speech", () => {
  test("carries spec.md's headers and the type of each format", async () => {
    for (const response_format of ["mp3", "opus", "aac", "flac", "wav", "pcm"]) {
      const response = await say({ response_format });
      const type = `audio/${response_format === "mp3" ? "mpeg" : response_format}`;
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
      expect((await response.bytes()).length).toBeGreaterThan(500);
    }
    const { headers } = await say();
    expect([headers.get("content-type"), headers.get("x-svc-model-used"), headers.get("x-svc-cost-usd")]).toEqual([
      "audio/mpeg",
      "tts-1",
      "0.00018",
    ]);
    expect(headers.get("x-svc-request-id")).toStartWith("call_");
    expect(Number(headers.get("x-svc-latency-ms"))).toBeGreaterThanOrEqual(0);
    expect((await say({ model: "tts-1-hd" })).headers.get("x-svc-cost-usd")).toBe("0.00036");
  });

  test("that its upstream breaks off breaks off, costs nothing, and is no attempt that succeeded", async () => {
    const response = await say({ input: "Hello. [[sandbox:disconnect]]" });
    await expect(response.bytes()).rejects.toThrow();
    const { execution } = await logOf(response, key);
    expect(execution).toMatchObject({ status: 503, cost_usd: 0, attempts: [{ success: false, failure: "truncated" }] });
  });

  test("is refused where a field is wrong", async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ input: undefined }, "input"],
      [{ input: "" }, "input"],
      [{ input: " \n" }, "input"],
      [{ input: "x".repeat(4097) }, "input"],
      [{ model: undefined }, "model"],
      [{ model: "tts-2" }, "model"],
      [{ voice: undefined }, "voice"],
      [{ voice: "darth" }, "voice"],
      [{ response_format: "midi" }, "response_format"],
      [{ speed: 0.2 }, "speed"],
      [{ speed: 4.1 }, "speed"],
      [{ speed: "fast" }, "speed"],
    ];
    for (const [changes, param] of cases) {
      const response = await say(changes);
      expect([response.status, ((await response.json()) as any).error]).toMatchObject([400, { type: "invalid_request", param }]);
    }
    expect((await say({ input: "x".repeat(4096), speed: 4 })).status).toBe(200);
  });

  test("counts requests a minute", async () => {
    const free = await gateway.key({ project: "free-speech", tier: "free" });
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await say({}, free)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  test("goes through from a real upstream byte by byte, its row written before the last of them", async () => {
    const audio = new Uint8Array(200_000).fill(3);
    stub.answer({ "POST /v1/audio/speech": sends(audio, "audio/mpeg") });
    const response = await say({ user: "ann" }, live);
    expect(await response.bytes()).toEqual(audio);
    const row = await logOf(response, live);
    expect(row).toMatchObject({
      prompt: { text: "Hello there." },
      metadata: { user_id: "ann" },
      execution: { cost_usd: 0.00018 },
      routing: { model_selected: "tts-1", provider: "openai" },
    });
  });

  test("a local server gets its own names of the voices", async () => {
    stub.answer({ "POST /kokoro/v1/audio/speech": sends(new Uint8Array(9), "audio/mpeg") });
    expect((await say({ model: "tts-1-hd" }, live)).status).toBe(200);
    expect((await say({ model: "tts-1-hd", voice: "nova" }, live)).status).toBe(200);
    expect(stub.asks.map(({ json }) => [json.model, json.voice])).toEqual([
      ["kokoro-82m", "af_alloy"],
      ["kokoro-82m", "nova"],
    ]);
  });

  test("an upstream that fails before its first byte is replaced, one that says nothing too", async () => {
    const spoken = sends(new Uint8Array(9), "audio/mpeg");
    const silent = sends(new Uint8Array(), "audio/mpeg");
    for (const failing of [() => new Response("no", { status: 500 }), silent]) {
      stub.answer({ "POST /v1/audio/speech": (ask) => (ask.json.model === "tts-1" ? failing() : spoken()) });
      const response = await say({}, live);
      expect([response.status, response.headers.get("x-svc-model-used")]).toEqual([200, "tts-1"]);
      await response.bytes();
      expect(stub.asks.at(-1)!.json.model).toBe("gpt-4o-mini-tts");
    }
  });

  test("a caller that hangs up while more is awaited has not heard it all, as events neither", async () => {
    stub.answer({
      "POST /v1/audio/speech": () =>
        new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1_000)) }), {
          headers: { "content-type": "audio/mpeg" },
        }),
    });
    for (const stream_format of ["audio", "sse"]) {
      const response = await say({ stream_format }, live);
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
      const row = await loggedOf(response, live);
      expect(row.execution).toMatchObject({ status: 499, error_type: "client_closed_request" });
    }
  });

  test("audio that does not end breaks off, and its upstream is let go", async () => {
    const piece = new Uint8Array(10_000_000);
    let isLetGo = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(piece),
      cancel: () => {
        isLetGo = true;
      },
    });
    let heard = 0;
    const hear = async () => {
      for await (const { length } of passThrough({ first: piece, rest: endless.getReader() })) heard += length;
    };
    await expect(hear()).rejects.toThrow("does not end");
    expect([heard, isLetGo]).toEqual([200_000_000, true]);
  });

  test("a caller that hangs up is logged, and the key's budget is free again", async () => {
    const thrifty = await gateway.key({ project: "thrifty-speech", budgetUsd: 0.07 });
    const long = { input: "x".repeat(4000), response_format: "wav", speed: 0.25 };
    const response = await say(long, thrifty);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    const row = await loggedOf(response, thrifty);
    expect(row.execution.cost_usd).toBe(0.06);
    // The row can be read a moment before what was reserved is given back.
    let next = await say({ input: "x" }, thrifty);
    while (next.status === 429) next = await say({ input: "x" }, thrifty);
    expect(next.status).toBe(200);
    expect((await say(long, thrifty)).status).toBe(429);
  });
});

const form = (fields: Record<string, string | File>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};
const wav = (name = "tone.wav", bytes: Uint8Array = tone) => new File([bytes as Uint8Array<ArrayBuffer>], name);
const transcribe = (fields: Record<string, string | File> = {}, as: TestKey = key) =>
  gateway.send(as, "POST", TRANSCRIPTION, form({ file: wav(), model: "transcribe-1", ...fields }));

describe("transcription", () => {
  test("as json has the text and what it cost by the real length", async () => {
    const response = await transcribe();
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(await response.json()).toEqual({
      text: expect.any(String),
      svc: {
        request_id: response.headers.get("x-svc-request-id"),
        model_used: "transcribe-1",
        audio_duration_seconds: 1.5,
        cost_usd: 0.00015,
        latency_ms: expect.any(Number),
      },
    });
  });

  test("as verbose_json adds segments and the language", async () => {
    const body = (await (await transcribe({ response_format: "verbose_json", language: "de" })).json()) as any;
    expect(body).toMatchObject({
      language: "de",
      duration: 1.5,
      segments: [{ id: 0, start: 0, end: 1.5, text: expect.any(String), avg_logprob: 0, compression_ratio: 1, tokens: [] }],
    });
  });

  test("as text, srt and vtt is that format, its price in the headers", async () => {
    const text = await transcribe({ response_format: "text" });
    expect(text.headers.get("content-type")).toStartWith("text/plain");
    expect(await text.text()).toEndWith("\n");
    expect(await (await transcribe({ response_format: "srt" })).text()).toStartWith("1\n00:00:00,000 --> 00:00:01,500\n");
    const vtt = await transcribe({ response_format: "vtt" });
    expect(await vtt.text()).toStartWith("WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n");
    expect([
      vtt.headers.get("x-svc-model-used"),
      vtt.headers.get("x-svc-cost-usd"),
      vtt.headers.get("x-svc-audio-duration-seconds"),
    ]).toEqual(["transcribe-1", "0.00015", "1.5"]);
  });

  test("is refused where a field is wrong", async () => {
    const cases: [Record<string, string | File>, string][] = [
      [{ file: wav("tone.txt") }, "file"],
      [{ file: wav("tone") }, "file"],
      [{ file: wav("tone.wav", new Uint8Array()) }, "file"],
      [{ file: wav("tone.mp3", new TextEncoder().encode("no sound at all, only words")) }, "file"],
      [{ file: "not a file" }, "file"],
      [{ model: "whisper-1" }, "model"],
      [{ language: "german" }, "language"],
      [{ language: "xx" }, "language"],
      [{ response_format: "docx" }, "response_format"],
      [{ user: "u".repeat(513) }, "user"],
      [{ response_format: "srt", stream: "true" }, "stream"],
      [{ "timestamp_granularities[]": "syllable" }, "timestamp_granularities[].0"],
      [{ stream: "perhaps" }, "stream"],
    ];
    for (const [fields, param] of cases) {
      const response = await transcribe(fields);
      expect([response.status, ((await response.json()) as any).error]).toMatchObject([400, { type: "invalid_request", param }]);
    }
    const without = await gateway.send(key, "POST", TRANSCRIPTION, form({ file: wav() }));
    expect(((await without.json()) as any).error.param).toBe("model");
    expect((await gateway.send(key, "POST", TRANSCRIPTION, { model: "transcribe-1" })).status).toBe(415);
  });

  test("a file over 25 MB is 400, however much larger it is", async () => {
    for (const size of [25 * 1_048_576 + 1, 30_000_000]) {
      const response = await transcribe({ file: wav("big.wav", new Uint8Array(size)) });
      expect([response.status, ((await response.json()) as any).error]).toMatchObject([
        400,
        { type: "invalid_request", param: "file" },
      ]);
    }
  });

  test("counts minutes of the day, fractions too, and gives back what failed", async () => {
    const free = await gateway.key({ project: "free-transcription", tier: "free" });
    const minutes = (count: number) => {
      const bytes = Buffer.alloc(44 + 8_000 * 60 * count);
      Buffer.from(tone).copy(bytes, 0, 0, 44);
      bytes.write("data", 36);
      return wav("long.wav", bytes);
    };
    const first = await transcribe({ file: minutes(6) }, free);
    expect([first.status, first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual([
      200,
      "10",
      "4",
    ]);
    expect((await transcribe({ file: minutes(3), prompt: "[[sandbox:error-500:always]]" }, free)).status).toBe(503);
    const over = await transcribe({ file: minutes(5) }, free);
    expect([over.status, over.headers.get("x-should-retry")]).toEqual([429, "false"]);
    expect((await transcribe({ file: minutes(4) }, free)).status).toBe(200);
    expect((await transcribe({}, free)).status).toBe(429);
  });

  test("an upstream hears what a file is, whatever its name says", async () => {
    stub.answer({ "POST /v1/audio/transcriptions": says({ text: "Hi." }) });
    const names: string[] = [];
    const blob = new File([tone as Uint8Array<ArrayBuffer>], "blob", { type: "audio/wav" });
    for (const file of [wav("tone.mp3"), wav("Meeting with Ann.WAV"), wav("voice.oga"), wav("voice.opus"), blob]) {
      expect((await transcribe({ file }, live)).status).toBe(200);
      names.push((stub.asks.at(-1)!.form!.get("file") as unknown as File).name);
    }
    expect(names).toEqual(Array(5).fill("audio.wav"));
  });

  test("an upstream that says neither times nor language still gives subtitles, and the language asked for", async () => {
    stub.answer({ "POST /v1/audio/transcriptions": sends("Hello from upstream.", "text/plain") });
    const verbose = await transcribe({ response_format: "verbose_json", language: "de" }, live);
    expect(((await verbose.json()) as any).language).toBe("de");
    const response = await transcribe({ response_format: "srt" }, live);
    expect(await response.text()).toBe("1\n00:00:00,000 --> 00:00:01,500\nHello from upstream.\n");
    const row = await logOf(response, live);
    expect(row).toMatchObject({ output: { text: "Hello from upstream." }, execution: { cost_usd: 0.00015 } });
  });

  test("the length is billed as measured, whatever upstream or header say", async () => {
    stub.answer({
      "POST /v1/audio/transcriptions": says({
        text: "Hi.",
        duration: 9_000,
        language: "english",
        segments: [{ start: 0, end: 9_000, text: "Hi.", avg_logprob: -0.3, tokens: [1] }],
      }),
    });
    const lying = Buffer.from(tone);
    lying.writeUInt32LE(100, lying.indexOf("data") + 4);
    const body = (await (
      await transcribe({ response_format: "verbose_json", file: wav("lying.wav", lying) }, live)
    ).json()) as any;
    expect(body).toMatchObject({
      language: "en",
      segments: [{ end: 1.5, avg_logprob: -0.3, tokens: [] }],
      svc: { audio_duration_seconds: 1.5, cost_usd: 0.00015 },
    });
  });
});

describe("OpenAI's SDK, unchanged", () => {
  const client = () => new OpenAI({ apiKey: key.text, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

  test("speaks", async () => {
    const response = await client().audio.speech.create({
      model: "tts-1",
      voice: "nova",
      input: "Hello.",
      response_format: "wav",
    });
    expect(readDuration(new Uint8Array(await response.arrayBuffer()))).toBeCloseTo(0.4, 3);
  });

  test("transcribes, in every format it types", async () => {
    const asked = async () => ({ file: await toFile(tone, "tone.wav"), model: "transcribe-1" });
    const { transcriptions } = client().audio;
    expect((await transcriptions.create(await asked())).text).toBeString();
    const verbose = { ...(await asked()), response_format: "verbose_json" } as const;
    const timed = await transcriptions.create({ ...verbose, timestamp_granularities: ["segment"] });
    expect([timed.duration, timed.segments![0]!.end, timed.words]).toEqual([1.5, 1.5, undefined]);
    const { words, text } = await transcriptions.create({ ...verbose, timestamp_granularities: ["word", "segment"] });
    expect(words!.map(({ word }) => word).join(" ")).toBe(text);
    expect([words![0]!.start, words!.at(-1)!.end]).toEqual([0, 1.5]);
    const srt: unknown = await transcriptions.create({ ...(await asked()), response_format: "srt" });
    expect(srt).toStartWith("1\n");
  });

  test("hears a transcript as events", async () => {
    const stream = await client().audio.transcriptions.create({
      file: await toFile(tone, "tone.wav"),
      model: "transcribe-1",
      stream: true,
    });
    const events: any[] = await Array.fromAsync(stream);
    expect(events.map(({ type }) => type)).toEqual(["transcript.text.delta", "transcript.text.done"]);
    expect(events[0].delta).toBe(events[1].text);
    expect(events[1].svc).toMatchObject({ audio_duration_seconds: 1.5, cost_usd: 0.00015 });
  });

  test("hears speech as events: the same bytes, or an error where they break off", async () => {
    const spoken = async (input: string, stream_format: "audio" | "sse") =>
      client().audio.speech.create({ model: "tts-1", voice: "nova", input, stream_format });
    const events = async (input: string): Promise<any[]> =>
      parseSse(await (await spoken(input, "sse")).text()).map(({ data }) => data);
    const heard = await events("Hello there.");
    const bytes = heard.flatMap(({ type, audio }) => (type === "speech.audio.delta" ? [Buffer.from(audio, "base64")] : []));
    expect(Buffer.concat(bytes)).toEqual(Buffer.from(await (await spoken("Hello there.", "audio")).arrayBuffer()));
    expect(heard.slice(-2)).toMatchObject([{ type: "speech.audio.done", svc: { cost_usd: 0.00018 } }, "[DONE]"]);
    const broken = await events("x [[sandbox:disconnect]]");
    expect(broken.at(-1)).toMatchObject({ error: { type: "service_unavailable", message: "The upstream broke off the audio." } });
  });

  test("throws its own class for a bad request", async () => {
    const refused = await client()
      .audio.speech.create({ model: "tts-9", voice: "nova", input: "x" })
      .catch((error) => error);
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
    expect(refused.param).toBe("model");
  });
});
