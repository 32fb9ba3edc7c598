/** Minutes of audio that no transcript came of do not count. */

import { expect, test } from "bun:test";
import type { Caller } from "../../src/accounts/authenticate.ts";
import { transcribe } from "../../src/audio/transcribe.ts";
import { TRANSCRIPTION_MODELS } from "../../src/catalog/media-models.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const DAY = 86_400_000;
const { platform, key } = await gatewayOfFile();

test("they are given back to the day on which they were counted, also where the upload began before midnight", async () => {
  const { project, text } = await key({ tier: "free" });
  const headers = new Headers({ authorization: `Bearer ${text}` });
  const asks = { project, mode: "test" as const };
  const caller: Caller = {
    ...asks,
    key: platform.accounts.authenticate(headers).key,
    requestId: "call_long_upload",
    startedAtMs: platform.clock.now() - DAY,
    startedAt: performance.now(),
    ip: null,
    userAgent: null,
    traceparent: null,
    origin: "http://127.0.0.1",
  };
  const order = {
    task: "transcribe" as const,
    model: TRANSCRIPTION_MODELS[0]!,
    bytes: new Uint8Array(1),
    filename: "audio.wav",
    mediaType: "audio/wav",
    format: "json" as const,
    prompt: "[[sandbox:error-500:always]]",
    durationSeconds: 300,
    signal: new AbortController().signal,
  };
  await expect(transcribe(platform, caller, order)).rejects.toThrow("No upstream");
  expect(platform.limits.usage(asks, "transcription").used).toBe(0);
});
