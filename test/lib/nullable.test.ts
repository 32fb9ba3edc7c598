/** OpenAI's types allow null where a field may be left out: on every media route it means the default. */

import { expect, test } from "bun:test";
import { Speech, toSpeechOrder } from "../../src/audio/speech-wire.ts";
import { checkShape } from "../../src/http/read-json.ts";
import { ImageGeneration, toImageOrder } from "../../src/images/wire.ts";
import { toSearchOrder, WebSearch } from "../../src/search/wire.ts";
import { toVideoOrder, VideoGeneration } from "../../src/video/wire.ts";

const prompt = "A red fox.";
const without = (names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

test("null is the same as nothing", () => {
  const image = without(["model", "n", "size", "quality", "style", "response_format", "user"]);
  expect(toImageOrder(checkShape(ImageGeneration, { prompt, ...image }))).toEqual(toImageOrder({ prompt }));
  const video = without(["model", "duration_seconds", "resolution", "aspect_ratio", "user"]);
  expect(toVideoOrder(checkShape(VideoGeneration, { prompt, ...video }))).toEqual(toVideoOrder({ prompt }));
  const speech = { model: "tts-1", input: "Hello.", voice: "alloy" as const };
  const spoken = checkShape(Speech, { ...speech, ...without(["response_format", "speed", "user"]) });
  expect(toSpeechOrder(spoken)).toEqual(toSpeechOrder(speech));
  const search = without(["max_results", "search_depth", "include_domains", "exclude_domains", "user"]);
  expect(toSearchOrder(checkShape(WebSearch, { query: "fox", ...search }))).toEqual(toSearchOrder({ query: "fox" }));
});
