import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDuration, readFilmDuration } from "../../../src/lib/duration/read-duration.ts";
import type { SpeechRequest, VideoRequest } from "../../../src/providers/media-calls.ts";
import { sandboxMedia } from "../../../src/providers/sandbox/media/sandbox-media.ts";
import { contextFor, failureOf } from "../../support/media-stub.ts";

let now = 1_000_000;
const sandbox = sandboxMedia({ clock: { now: () => now }, firstByteMs: 60_000, scoreTexts: () => Promise.resolve([]) });
const ffprobe = Bun.which("ffprobe");
const ffmpeg = Bun.which("ffmpeg");

/** Decoding takes its time on a busy machine. */
const PLAYING_MS = 120_000;

type Probe = { format: { duration?: string }; streams: { codec_name: string; width?: number; height?: number }[] };

/** What a player finds in the file; with `decode`, it also plays it to the end and must not complain. */
const probe = async (bytes: Uint8Array, extension: string): Promise<Probe> => {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-media-test-"));
  const path = join(folder, `file.${extension}`);
  try {
    await Bun.write(path, bytes);
    const play = Bun.spawnSync([ffmpeg!, "-v", "error", "-i", path, "-f", "null", "-"]);
    expect(play.stderr.toString()).toBe("");
    return JSON.parse(
      Bun.spawnSync([ffprobe!, "-v", "error", "-show_format", "-show_streams", "-of", "json", path]).stdout.toString(),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const say = async (changes: Partial<SpeechRequest> = {}, attempt = 1, remainingMs = 5_000) => {
  const request: SpeechRequest = { input: "x".repeat(60), voice: "alloy", format: "wav", speed: 1, ...changes };
  return new Response(await sandbox.speech("tts-1", request, contextFor({ attempt, remainingMs }))).bytes();
};

describe("speech", () => {
  test("lasts as long as the text takes, and half as long at double speed", async () => {
    expect(readDuration(await say())).toBe(4);
    expect(readDuration(await say({ speed: 2 }))).toBe(2);
    expect(readDuration(await say({ input: "x".repeat(120) }))).toBe(8);
  });

  test("is the same for the same request and another for another voice", async () => {
    expect(await say()).toEqual(await say());
    expect(await say({ voice: "onyx" })).not.toEqual(await say());
  });

  test("of a long text lets others be served while it is made", async () => {
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const spoken = await say({ input: "x".repeat(4_096), format: "flac" });
    clearImmediate(timer);
    // A frame has some nine kilobytes.
    expect(turns).toBeGreaterThan(spoken.length / 9_300 / 32 - 1);
  });

  test("that never begins is given up as early as a stream is, whatever time the call has left", async () => {
    const impatient = sandboxMedia({ clock: { now: () => now }, firstByteMs: 5, scoreTexts: () => Promise.resolve([]) });
    const request: SpeechRequest = { input: "Hi [[sandbox:timeout]]", voice: "alloy", format: "wav", speed: 1 };
    const error = await failureOf(impatient.speech("tts-1", request, contextFor({ remainingMs: 600_000 })));
    expect(error.kind).toBe("timeout");
  });

  test.skipIf(!ffprobe || !ffmpeg)(
    "a player agrees about codec and length in all six formats (needs ffmpeg)",
    async () => {
      for (const [format, codec] of [
        ["mp3", "mp3"],
        ["opus", "opus"],
        ["aac", "aac"],
        ["flac", "flac"],
        ["wav", "pcm_s16le"],
      ] as const)
        for (const input of ["hi", "x".repeat(177)]) {
          const seconds = Math.max(0.4, input.length / 15);
          const found = await probe(await say({ format, input }), format);
          expect(found.streams.map(({ codec_name }) => codec_name)).toEqual([codec]);
          expect(Math.abs(Number(found.format.duration) - seconds)).toBeLessThan(0.05);
        }
      expect(await say({ format: "pcm" })).toHaveLength(4 * 24_000 * 2);
    },
    PLAYING_MS,
  );
});

describe("images", () => {
  const draw = (prompt: string, width: number, height: number, n = 1, context = contextFor()) =>
    sandbox.image("m", { prompt, n, width, height, quality: "standard", style: "vivid" }, context);

  test("that nobody waits for any more are not drawn", async () => {
    const caller = new AbortController();
    const images = draw("a fox", 256, 256, 10, contextFor({ signal: caller.signal }));
    caller.abort();
    await expect(images).rejects.toBe(caller.signal.reason);
  });

  test("are PNGs of the asked size that open, n different ones", async () => {
    for (const [width, height] of [
      [256, 256],
      [1792, 1024],
      [264, 2048],
    ] as const) {
      const [image] = await draw("a fox", width, height);
      expect(await new Bun.Image((image as { bytes: Uint8Array }).bytes).metadata()).toMatchObject({
        width,
        height,
        format: "png",
      });
    }
    const four = await draw("a fox", 256, 256, 4);
    expect(new Set(four.map((image) => Bun.hash((image as { bytes: Uint8Array }).bytes))).size).toBe(4);
  });
});

describe("video", () => {
  const request: VideoRequest = { prompt: "a train", durationSeconds: 3.5, resolution: "720p", aspectRatio: "16:9" };
  const make = async (changes: Partial<VideoRequest> = {}): Promise<Uint8Array> => {
    const id = await sandbox.startVideo("m", { ...request, ...changes }, contextFor());
    now += 10_000;
    const status = await sandbox.videoStatus("m", id, contextFor());
    return (status as { bytes: Uint8Array }).bytes;
  };

  test("goes from pending over processing to complete, and survives a restart in between", async () => {
    const id = await sandbox.startVideo("m", request, contextFor());
    expect(await sandbox.videoStatus("m", id, contextFor())).toEqual({ state: "pending" });
    now += 1_100;
    const restarted = sandboxMedia({ clock: { now: () => now }, firstByteMs: 60_000, scoreTexts: () => Promise.resolve([]) });
    expect(await restarted.videoStatus("m", id, contextFor())).toEqual({ state: "processing", progressPercent: 50 });
    now += 700;
    expect((await restarted.videoStatus("m", id, contextFor())).state).toBe("complete");
  });

  test("fails when told to, and slowly when told to", async () => {
    const failing = await sandbox.startVideo("m", { ...request, prompt: "x [[sandbox:fail]]" }, contextFor());
    const slow = await sandbox.startVideo("m", { ...request, prompt: "x [[sandbox:slow=60000]]" }, contextFor());
    now += 10_000;
    expect((await sandbox.videoStatus("m", failing, contextFor())).state).toBe("failed");
    expect((await sandbox.videoStatus("m", slow, contextFor())).state).toBe("pending");
  });

  test("is an MP4 of the asked length", async () => {
    expect(readFilmDuration(await make())).toBe(3.5);
  });

  test.skipIf(!ffprobe || !ffmpeg)(
    "a player agrees about codec, shape and length of every shape (needs ffmpeg)",
    async () => {
      const sizes = { "16:9": [1920, 1080], "9:16": [1080, 1920], "1:1": [1080, 1080], "4:3": [1440, 1080] } as const;
      for (const [aspectRatio, [width, height]] of Object.entries(sizes))
        for (const resolution of ["720p", "1080p"] as const) {
          const found = await probe(
            await make({ aspectRatio: aspectRatio as VideoRequest["aspectRatio"], resolution, durationSeconds: 1.5 }),
            "mp4",
          );
          const scale = resolution === "720p" ? 720 / 1080 : 1;
          expect(found.streams[0]).toMatchObject({ codec_name: "h264", width: width * scale, height: height * scale });
          expect(Number(found.format.duration)).toBe(1.5);
        }
    },
    PLAYING_MS,
  );
});

describe("transcription", () => {
  const listen = (durationSeconds: number, prompt?: string) =>
    sandbox.transcribe(
      "m",
      {
        bytes: new Uint8Array(1),
        filename: "a.wav",
        mediaType: "audio/wav",
        durationSeconds,
        ...(prompt && { prompt }),
      },
      contextFor(),
    );

  test("its segments cover the recording from the first moment to the last, without a gap", async () => {
    for (const seconds of [0.4, 3, 17.3, 400]) {
      const { text, segments } = await listen(seconds);
      expect(segments![0]!.start).toBe(0);
      expect(segments!.at(-1)!.end).toBe(seconds);
      for (const [index, segment] of segments!.entries()) if (index > 0) expect(segment.start).toBe(segments![index - 1]!.end);
      expect(text).toBe(segments!.map((segment) => segment.text).join(" "));
    }
  });

  test("says exactly what it is told to say", async () => {
    expect((await listen(3, "[[sandbox:reply=My SSN is 123-45-6789.]]")).text).toBe("My SSN is 123-45-6789.");
  });
});

describe("search", () => {
  const look = (changes = {}) =>
    sandbox.search(
      { query: "red foxes", maxResults: 4, depth: "basic", includeDomains: [], excludeDomains: [], ...changes },
      contextFor(),
    );

  test("gives as many results as asked, best first, on topic", async () => {
    const results = await look();
    expect(results).toHaveLength(4);
    expect(results.every(({ title, relevanceScore }) => title.includes("red foxes") && relevanceScore <= 1)).toBe(true);
    expect(results.map(({ relevanceScore }) => relevanceScore)).toEqual(
      results.map(({ relevanceScore }) => relevanceScore).sort((a, b) => b - a),
    );
  });

  test("keeps to domains in and out", async () => {
    expect((await look({ includeDomains: ["mozilla.org"] })).every(({ url }) => new URL(url).hostname === "mozilla.org")).toBe(
      true,
    );
    const without = await look({ excludeDomains: ["example.com"], maxResults: 10 });
    expect(without).toHaveLength(10);
    expect(without.some(({ url }) => new URL(url).hostname.endsWith("example.com"))).toBe(false);
  });
});

describe("faults", () => {
  const KINDS = {
    refuse: "content_filter",
    "error-500": "server",
    fail: "server",
    "rate-limit": "rate_limit",
    "bad-json": "server",
    timeout: "timeout",
  } as const;

  test("each is acted out on the first attempt only, unless it says always", async () => {
    for (const [name, kind] of Object.entries(KINDS)) {
      expect(
        (
          await failureOf(
            sandbox.search(
              { query: `x [[sandbox:${name}]]`, maxResults: 1, depth: "basic", includeDomains: [], excludeDomains: [] },
              contextFor({ remainingMs: 20 }),
            ),
          )
        ).kind,
      ).toBe(kind);
      expect((await failureOf(say({ input: `x [[sandbox:${name}:always]]` }, 2, 20))).kind).toBe(kind);
      expect((await say({ input: `x [[sandbox:${name}]]` }, 2)).length).toBeGreaterThan(44);
    }
  });

  test("a dropped connection gives no picture at all, and breaks the audio off in the middle", async () => {
    const image = {
      prompt: "x [[sandbox:disconnect]]",
      n: 1,
      width: 256,
      height: 256,
      quality: "standard",
      style: "vivid",
    } as const;
    expect((await failureOf(sandbox.image("m", image, contextFor()))).kind).toBe("network");
    const stream = await sandbox.speech(
      "m",
      { input: "x [[sandbox:disconnect]]", voice: "alloy", format: "mp3", speed: 1 },
      contextFor(),
    );
    await expect(new Response(stream).bytes()).rejects.toThrow();
  });

  test("the trigger itself is neither spoken nor drawn", async () => {
    expect(await say({ input: `${"x".repeat(60)}[[sandbox:slow=1]]` })).toEqual(await say());
  });
});
