/** Everything the sandbox does besides chat: real files, made here, free, the same for the same request; and the faults it is asked to act out. */

import type { Clock } from "../../../lib/clock.ts";
import { emptyAnswer } from "../../media/media-error.ts";
import type { CallContext, Provider } from "../../provider.ts";
import { actOut } from "./act-out.ts";
import { drawImage } from "./draw-image.ts";
import { searchWeb } from "./search-web.ts";
import { speak } from "./speak.ts";
import { transcribe } from "./transcribe.ts";
import { readJob, statusOf, toJobId } from "./video-job.ts";

type SandboxMedia = Required<Pick<Provider, "image" | "speech" | "transcribe" | "startVideo" | "videoStatus" | "search">>;

export const sandboxMedia = ({ clock, firstByteMs }: { clock: Clock; firstByteMs: number }): SandboxMedia => ({
  image: async (_model, request, context) => {
    const script = await actOut(request.prompt, context);
    if (script.has("empty")) throw emptyAnswer("image");
    const prompt = script.reply ?? script.text;
    const images = Array.from({ length: request.n }, (_, index) => drawImage(prompt, request.width, request.height, index));
    return (await Promise.all(images)).map((bytes) => ({ bytes, revisedPrompt: prompt }));
  },
  speech: async (_model, request, context) => {
    // Audio flows while it is made: one that does not begin is given up as a stream is, not as a file that takes its time.
    const script = await actOut(request.input, { ...context, remainingMs: Math.min(context.remainingMs, firstByteMs) });
    if (script.has("empty")) throw emptyAnswer("audio");
    const stream = await speak({ ...request, input: script.reply ?? script.text });
    return script.has("disconnect") || script.has("truncate") ? breakOff(stream) : stream;
  },
  transcribe: async (_model, request, context) => {
    const script = await actOut(request.prompt ?? "", context);
    if (script.has("empty")) return { text: "", durationSeconds: request.durationSeconds };
    return transcribe(request, script.reply);
  },
  startVideo: async (_model, request, context) => {
    const script = await actOut(request.prompt, context, { slowly: false });
    const { durationSeconds, resolution, aspectRatio } = request;
    return toJobId({
      durationSeconds,
      resolution,
      aspectRatio,
      startedAtMs: clock.now(),
      slowMs: script.slowMs,
      fails: script.has("fail"),
    });
  },
  videoStatus: (_model, id) => statusOf(readJob(id), clock.now()),
  search: async (request, context: CallContext) => {
    const script = await actOut(request.query, context);
    return script.has("empty") ? [] : searchWeb({ ...request, query: script.text }, script.reply);
  },
});

/** Passes the first piece on and then fails, as a connection that drops does. */
const breakOff = (stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const reader = stream.getReader();
  let sent = false;
  return new ReadableStream({
    pull: async (controller) => {
      const { value } = await reader.read();
      if (value !== undefined && !sent) {
        sent = true;
        return controller.enqueue(value.subarray(0, Math.ceil(value.length / 2)));
      }
      await reader.cancel();
      controller.error(new Error("The sandbox broke the connection off."));
    },
  });
};
