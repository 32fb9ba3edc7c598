import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findImageModel,
  findSpeechModel,
  findVideoModel,
  IMAGE_MODELS,
  imageNanoUsd,
  MEDIA_MODELS,
  readImageSize,
  SEARCH_TARGETS,
  speechNanoUsd,
  TRANSCRIPTION_MODELS,
  transcriptionNanoUsd,
  videoNanoUsd,
} from "../../src/catalog/media-models.ts";
import { checkMediaSettings, editorsOf, searchTargetsOf, targetsOf } from "../../src/catalog/media-targets.ts";
import { PROVIDERS } from "../../src/catalog/providers.ts";

test("every upstream is a provider that the catalog knows", () => {
  const known = new Set(PROVIDERS.map(({ id }) => id));
  const named = [...MEDIA_MODELS.flatMap(({ targets }) => targets), ...SEARCH_TARGETS].map(({ provider }) => provider);
  expect(named.filter((provider) => !known.has(provider))).toEqual([]);
});

test("the documentation's tables of upstreams, and of those that edit pictures, are the catalog's", () => {
  const text = readFileSync(join(import.meta.dir, "../../docs/media.md"), "utf8");
  const rows = MEDIA_MODELS.map(
    ({ id, targets }) => `| \`${id}\` | ${targets.map(({ provider, model }) => `${provider} \`${model}\``).join(", ")} |`,
  );
  const editing = IMAGE_MODELS.flatMap((model) => {
    const editors = editorsOf({}, model).map(
      ({ provider, model: name, editor }) =>
        `${provider} \`${name}\` (${editor!.pictures ?? 1}${editor!.masks ? ", with a mask" : ""})`,
    );
    return editors.length === 0 ? [] : [`| \`${model.id}\` | ${editors.join(", ")} |`];
  });
  expect(text.split("\n").filter((line) => line.startsWith("| `"))).toEqual([...rows, ...editing]);
});

describe("prices", () => {
  const usd = (nano: number) => nano / 1e9;

  test("are spec.md's", () => {
    expect(usd(imageNanoUsd(findImageModel("image-a-3")!, "1024x1024", "hd"))).toBe(0.08);
    expect(usd(imageNanoUsd(findImageModel("image-a-2")!, "256x256", "standard"))).toBe(0.016);
    expect(usd(videoNanoUsd(findVideoModel("video-a-3")!, 60))).toBe(21);
    expect(usd(speechNanoUsd(findSpeechModel("tts-1")!, "x".repeat(1_000)))).toBe(0.015);
    expect(usd(transcriptionNanoUsd(TRANSCRIPTION_MODELS[0]!, 60))).toBe(0.006);
  });

  test("count an emoji as one character and a fraction of a second as its fraction", () => {
    expect(speechNanoUsd(findSpeechModel("tts-1")!, "👍🏽")).toBe(30_000);
    expect(videoNanoUsd(findVideoModel("video-d")!, 1.5)).toBe(100_500_000);
    expect(transcriptionNanoUsd(TRANSCRIPTION_MODELS[0]!, 0.001)).toBe(100);
  });
});

test("a custom size has sides of multiples of 8 from 256 to 2048", () => {
  const model = findImageModel("image-b-3")!;
  expect(readImageSize(model, "256x2048")).toEqual({ width: 256, height: 2048 });
  for (const size of [
    "255x256",
    "257x256",
    "256x2056",
    "1024",
    "1024x",
    "x1024",
    "1024X1024",
    " 1024x1024",
    "01024x1024",
    "1e3x1024",
  ])
    expect(readImageSize(model, size)).toBeUndefined();
});

test("an operator's list takes the place of the catalog's, model by model", () => {
  const own = [{ provider: "mine", model: "m" }];
  const model = findSpeechModel("tts-1")!;
  expect(targetsOf({ media_models: { "tts-1": own } }, model)).toEqual(own);
  expect(targetsOf({ media_models: { "tts-1-hd": own } }, model)).toBe(model.targets);
  expect(searchTargetsOf({ search: ["searxng"] }).map(({ provider }) => provider)).toEqual(["searxng"]);
});

test("a setting for what does not exist is refused in one line that names it", () => {
  expect(() => checkMediaSettings({ media_models: { "tts-9": [{ provider: "openai", model: "x" }] } })).toThrow(
    'media_models names "tts-9"; it may name image-a-3',
  );
  expect(() => checkMediaSettings({ search: ["altavista"] })).toThrow('search names "altavista"; it may name tavily');
  expect(() => checkMediaSettings({ media_aliases: { "whisper-1": "whisper" } })).toThrow(
    'media_aliases.whisper-1 is "whisper"; it may be image-a-3',
  );
  expect(() => checkMediaSettings({ media_aliases: { "tts-1": "tts-1-hd" } })).toThrow('media_aliases has "tts-1", which is');
  expect(() => checkMediaSettings({ media_aliases: { "whisper-1": "transcribe-1" } })).not.toThrow();
  expect(() => checkMediaSettings({})).not.toThrow();
});
