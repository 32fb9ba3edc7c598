import { expect, test } from "bun:test";
import { renderSrt, renderText, renderVtt, toTranscript } from "../../src/audio/render-transcript.ts";

const transcript = toTranscript(
  "Hello there. Goodbye.",
  [
    { start: 3661.5, end: 9999, text: " Goodbye. " },
    { start: -1, end: 2.0456, text: "Hello\n\nthere --> now." },
  ],
  4000,
);

test("SubRip: numbered from one, commas before milliseconds, no blank line inside a cue", () => {
  expect(renderSrt(transcript)).toBe(
    "1\n00:00:00,000 --> 00:00:02,046\nHello\nthere -> now.\n\n2\n01:01:01,500 --> 01:06:40,000\nGoodbye.\n",
  );
});

test("WebVTT: its head, points before milliseconds", () => {
  expect(renderVtt(transcript)).toBe(
    "WEBVTT\n\n00:00:00.000 --> 00:00:02.046\nHello\nthere -> now.\n\n01:01:01.500 --> 01:06:40.000\nGoodbye.\n",
  );
});

test("text is the text and a line end", () => {
  expect(renderText(transcript)).toBe("Hello there. Goodbye.\n");
});

test("an upstream without timestamps gives one segment over the whole recording, silence none", () => {
  expect(toTranscript(" Hi. ", undefined, 2.5).segments).toEqual([{ id: 0, start: 0, end: 2.5, text: "Hi." }]);
  expect(toTranscript("", undefined, 2.5)).toEqual({ text: "", segments: [] });
  expect(renderSrt(toTranscript("", [], 2.5))).toBe("");
  expect(toTranscript("", [{ start: 0, end: 1, text: "Hi." }], 2).text).toBe("Hi.");
});
