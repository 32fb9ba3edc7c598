import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULTS } from "../../../src/config/defaults.ts";
import { fal } from "../../../src/providers/media/fal.ts";
import { openAiAudio } from "../../../src/providers/media/openai-audio.ts";
import { readTranscription, toLanguageCode } from "../../../src/providers/media/read-transcription.ts";
import type { TranscriptionRequest } from "../../../src/providers/media-calls.ts";
import { contextFor, endpointAt, failureOf, mediaStubOfFile, says } from "../../support/media-stub.ts";

const stub = mediaStubOfFile();
const endpoint = { ...endpointAt(stub.url), baseUrl: `${stub.url}/v1` };
const audio = openAiAudio(endpoint);
const recordings = join(import.meta.dir, "../../../../shared/data/wire");

const recording: TranscriptionRequest = {
  bytes: new Uint8Array([1, 2, 3]),
  filename: "audio.mp3",
  mediaType: "audio/mpeg",
  durationSeconds: 3,
  language: "de",
  prompt: "Ada",
};

describe("speech", () => {
  const request = { input: "Hello.", voice: "nova", format: "opus", speed: 1 } as const;

  test("the bytes come through as they are, a speed of one is left out", async () => {
    stub.answer({
      "POST /v1/audio/speech": () => new Response(new Uint8Array(300_000).fill(7), { headers: { "content-type": "audio/opus" } }),
    });
    const stream = await audio.speech("tts-1", request, contextFor());
    expect((await new Response(stream).bytes()).length).toBe(300_000);
    expect(stub.asks[0]!.json).toEqual({ model: "tts-1", input: "Hello.", voice: "nova", response_format: "opus" });
    await audio.speech("tts-1", { ...request, speed: 1.5 }, contextFor());
    expect(stub.asks[1]!.json.speed).toBe(1.5);
  });

  test("text in place of audio is the server's failure", async () => {
    stub.answer({ "POST /v1/audio/speech": says({ message: "hm" }) });
    expect((await failureOf(audio.speech("tts-1", request, contextFor()))).kind).toBe("server");
  });

  test("a server that says nothing is given up at the first-byte deadline", async () => {
    stub.answer({ "POST /v1/audio/speech": () => new Promise<Response>(() => {}) });
    const hurried = openAiAudio({ ...endpoint, timeouts: { ...DEFAULTS.timeouts, firstByteMs: 50 } });
    expect((await failureOf(hurried.speech("tts-1", request, contextFor()))).kind).toBe("timeout");
  });

  test("a reader that goes away ends the upstream's answer", async () => {
    let cancelled: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    stub.answer({
      "POST /v1/audio/speech": () =>
        new Response(
          new ReadableStream({
            pull: async (controller) => {
              controller.enqueue(new Uint8Array(1000));
              await Bun.sleep(5);
            },
            cancel: () => cancelled!(),
          }),
          { headers: { "content-type": "audio/mpeg" } },
        ),
    });
    const reader = (await audio.speech("tts-1", request, contextFor())).getReader();
    await reader.read();
    await reader.cancel();
    await gone;
  });
});

describe("transcription", () => {
  test("Whisper is asked for verbose JSON with segments, the GPT transcribers for plain JSON", async () => {
    stub.answer({
      "POST /v1/audio/transcriptions": says({
        text: " Hallo. ",
        language: "german",
        duration: 2.9,
        segments: [{ id: 0, start: 0, end: 2.9, text: " Hallo.", avg_logprob: -0.2, no_speech_prob: null, tokens: [50364] }],
      }),
    });
    expect(await audio.transcribe("whisper-1", recording, contextFor())).toEqual({
      text: "Hallo.",
      language: "de",
      segments: [{ start: 0, end: 2.9, text: " Hallo.", figures: { avg_logprob: -0.2 } }],
    });
    const form = stub.asks[0]!.form!;
    expect(["model", "language", "prompt", "response_format", "timestamp_granularities[]"].map((name) => form.get(name))).toEqual(
      ["whisper-1", "de", "Ada", "verbose_json", "segment"],
    );
    expect((form.get("file") as unknown as File).name).toBe("audio.mp3");
    await audio.transcribe("gpt-4o-transcribe", recording, contextFor());
    expect(stub.asks[1]!.form!.get("response_format")).toBe("json");
    expect(stub.asks[1]!.form!.has("timestamp_granularities[]")).toBe(false);
  });

  test("the languages that a GPT transcriber has heard", async () => {
    const heardIn = async (languages: unknown) => {
      stub.answer({ "POST /v1/audio/transcriptions": says({ text: "Hallo. Hi.", languages }) });
      return (await audio.transcribe("gpt-transcribe", recording, contextFor())).language;
    };
    expect(await heardIn([{ code: "de" }, { code: "en" }])).toBe("de");
    expect(await heardIn([])).toBeUndefined();
  });

  test("Whisper is asked when each word was spoken, if somebody wants to know", async () => {
    const words = [{ word: " Hello", start: 0, end: 0.4 }, { word: "", start: 1, end: 2 }, { word: "there" }];
    stub.answer({ "POST /v1/audio/transcriptions": says({ text: "Hello", words }) });
    const heard = await audio.transcribe("whisper-1", { ...recording, words: true }, contextFor());
    expect(stub.asks[0]!.form!.getAll("timestamp_granularities[]")).toEqual(["segment", "word"]);
    expect(heard.words).toEqual([{ word: "Hello", start: 0, end: 0.4 }]);
  });

  test("a server that has no timestamps is asked for the text alone, and from then on at once", async () => {
    const refusals = [
      says({ object: "error", message: "Currently only support response_format `text` or `json`", code: 400 }, 400),
      says({ error: { message: "Currently do not support verbose_json for mistralai/Voxtral-Mini", code: 400 } }, 400),
      says(
        { detail: [{ type: "literal_error", loc: ["body", "response_format"], msg: "Input should be 'json' or 'text'" }] },
        422,
      ),
    ];
    for (const refusal of refusals) {
      const server = openAiAudio(endpoint);
      stub.answer({
        "POST /v1/audio/transcriptions": (ask) =>
          ask.form!.get("response_format") === "json" ? Response.json({ text: "Hello." }) : refusal(ask),
      });
      const heard = () => server.transcribe("openai/whisper-tiny", { ...recording, words: true }, contextFor());
      expect(await heard()).toEqual({ text: "Hello." });
      expect(await heard()).toEqual({ text: "Hello." });
      expect(stub.asks.map(({ form }) => form!.get("response_format"))).toEqual(["verbose_json", "json", "json"]);
      expect(stub.asks[1]!.form!.has("timestamp_granularities[]")).toBe(false);
    }
  });

  test("a server that has no times of words is still asked for those of segments", async () => {
    const server = openAiAudio(endpoint);
    const segments = [{ start: 0, end: 1, text: "Hello." }];
    stub.answer({
      "POST /v1/audio/transcriptions": ({ form }) => {
        if (form!.getAll("timestamp_granularities[]").includes("word"))
          return Response.json({ error: { message: "timestamp_granularities: word is not supported" } }, { status: 400 });
        return Response.json({ text: "Hello.", ...(form!.get("response_format") === "verbose_json" && { segments }) });
      },
    });
    expect(await server.transcribe("w", { ...recording, words: true }, contextFor())).toEqual({ text: "Hello." });
    expect(await server.transcribe("w", recording, contextFor())).toEqual({ text: "Hello.", segments });
  });

  test("a refusal for another reason is not asked again", async () => {
    stub.answer({ "POST /v1/audio/transcriptions": says({ error: { message: "Invalid file format." } }, 400) });
    expect((await failureOf(audio.transcribe("whisper-1", recording, contextFor()))).kind).toBe("bad_request");
    expect(stub.asks.length).toBe(1);
  });

  test("a translation is asked for at its own endpoint, which has neither a language nor granularities", async () => {
    const segments = [{ start: 0, end: 2.9, text: " Hello." }];
    stub.answer({ "POST /v1/audio/translations": says({ task: "translate", language: "english", text: " Hello.", segments }) });
    const { language: _, ...spoken } = recording;
    expect(await audio.translate("whisper-1", { ...spoken, temperature: 0.2 }, contextFor())).toMatchObject({
      text: "Hello.",
      segments,
    });
    const form = stub.asks[0]!.form!;
    expect([...form.keys()].sort()).toEqual(["file", "model", "prompt", "response_format", "temperature"]);
    expect(["model", "prompt", "response_format", "temperature"].map((name) => form.get(name))).toEqual([
      "whisper-1",
      "Ada",
      "verbose_json",
      "0.2",
    ]);
  });

  test("a server that has no timestamps of translations is asked for the text alone", async () => {
    stub.answer({
      "POST /v1/audio/translations": ({ form }) =>
        form!.get("response_format") === "json"
          ? Response.json({ text: "Hello." })
          : Response.json({ error: { message: "response_format must be one of json, text" } }, { status: 400 }),
    });
    expect(await openAiAudio(endpoint).translate("Whisper-Large-v3", recording, contextFor())).toEqual({ text: "Hello." });
    expect(stub.asks).toHaveLength(2);
  });

  test("a server that answers bare text is understood", async () => {
    stub.answer({
      "POST /v1/audio/transcriptions": () =>
        new Response(" Hello there.\n", { headers: { "content-type": "text/plain; charset=UTF-8" } }),
    });
    expect(await audio.transcribe("whisper-large-v3", recording, contextFor())).toEqual({ text: "Hello there." });
  });

  test("silence is an empty text; an answer without any is an error that came as a success", async () => {
    stub.answer({ "POST /v1/audio/transcriptions": says({ text: "" }) });
    expect(await audio.transcribe("whisper-1", recording, contextFor())).toEqual({ text: "" });
    for (const body of [{}, { error: { message: "try later" } }, { text: null }, []]) {
      stub.answer({ "POST /v1/audio/transcriptions": says(body) });
      expect((await failureOf(audio.transcribe("whisper-1", recording, contextFor()))).kind).toBe("server");
    }
  });

  test("fal hears the file as a data URL and answers chunks", async () => {
    stub.answer({
      "POST /fal-ai/wizper": says({ request_id: "r1" }),
      "GET /fal-ai/wizper/requests/r1/status": says({ status: "COMPLETED" }),
      "GET /fal-ai/wizper/requests/r1": says({
        text: "Hello.",
        chunks: [
          { timestamp: [0, 2.5], text: "Hello." },
          { timestamp: [null, null], text: "?" },
        ],
        languages: ["en"],
      }),
    });
    expect(await fal(endpointAt(stub.url)).transcribe("fal-ai/wizper", recording, contextFor())).toEqual({
      text: "Hello.",
      language: "en",
      segments: [{ start: 0, end: 2.5, text: "Hello." }],
    });
    expect(stub.asks[0]!.json).toMatchObject({ audio_url: "data:audio/mpeg;base64,AQID", language: "de" });
    // Left out, it would be English.
    const { language: _, ...unnamed } = recording;
    await fal(endpointAt(stub.url)).transcribe("fal-ai/wizper", unnamed, contextFor());
    expect(stub.asks.find(({ method, json }) => method === "POST" && json.language !== "de")!.json.language).toBeNull();
    stub.asks.length = 0;
    await fal(endpointAt(stub.url)).translate("fal-ai/wizper", unnamed, contextFor());
    expect(stub.asks[0]!.json).toMatchObject({ task: "translate", language: null });
  });

  test.skipIf(!existsSync(recordings))(
    "the recorded answers of fal, Mistral and Groq are read in full (needs the shared recordings)",
    async () => {
      const read = (path: string) => JSON.parse(readFileSync(join(recordings, path), "utf8"));
      expect(readTranscription(read("fal/fal-transcription-result.json"))).toEqual({
        text: "Hello from the Versal AISDK.",
        language: "en",
        segments: [{ start: 0, end: 2.508, text: "Hello from the Versal AISDK." }],
      });
      const mistral = readTranscription(read("mistral/mistral-transcription.json"));
      expect(mistral.text).toStartWith("Galileo was an American");
      expect(mistral.segments![1]).toMatchObject({ start: 9.1, end: 17.3 });
      expect(mistral.segments![1]!.text.trim()).toStartWith("Named after");
      const groq = read("groq/groq-transcription-text.json");
      stub.answer({ "POST /v1/audio/transcriptions": () => new Response(groq.body, groq) });
      expect(await audio.transcribe("whisper-large-v3-turbo", recording, contextFor())).toEqual({
        text: "Hello from the Versal AISDK.",
      });
    },
  );

  test("language names become ISO-639-1 codes", () => {
    expect(["english", "German", "Bengali", "haitian creole", "en-US", "pt", "klingon"].map(toLanguageCode)).toEqual([
      "en",
      "de",
      "bn",
      "ht",
      "en",
      "pt",
      "klingon",
    ]);
  });
});
