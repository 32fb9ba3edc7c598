import { expect, test } from "bun:test";
import { sniffImage, sniffVideo } from "../../src/lib/sniff-media.ts";

const bytesOf = (latin1: string) => Buffer.from(latin1, "latin1");

test("a file is what its first bytes say, and nothing where they say nothing known", () => {
  for (const [bytes, picture] of [
    ["\x89PNG\r\n\x1a\n....", "image/png"],
    ["\xff\xd8\xff\xe0....", "image/jpeg"],
    ["RIFF....WEBPVP8 ", "image/webp"],
    ["GIF89a....", "image/gif"],
    ["\x89PNG\n....", undefined],
    ["\xff\xfb\x90\x00....", undefined],
    ["\xff\xd8\x00....", undefined],
    ["RIFF....WAVEfmt ", undefined],
    ["<svg onload=alert(1)>", undefined],
    ["", undefined],
  ] as const)
    expect([bytes, sniffImage(bytesOf(bytes))?.mediaType]).toEqual([bytes, picture]);
  for (const [bytes, film] of [
    ["\0\0\0\x18ftypisom", "video/mp4"],
    ["\x1a\x45\xdf\xa3....", "video/webm"],
    ["<html>....", undefined],
    ["", undefined],
  ] as const)
    expect([bytes, sniffVideo(bytesOf(bytes))?.mediaType]).toEqual([bytes, film]);
});
