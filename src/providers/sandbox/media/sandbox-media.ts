/** The sandbox's images, speech, transcriptions, videos, search results, rankings and moderation, and their faults. */

import type { Clock } from "../../../lib/clock.ts";
import { streamOf } from "../../../lib/stream-of.ts";
import type { MediaServices } from "../../media/connect-media.ts";
import { emptyAnswer, moderated } from "../../media/media-error.ts";
import type { GeneratedImage, ImageRequest } from "../../media-calls.ts";
import type { CallContext } from "../../provider.ts";
import { localReranker, type ScoreTexts } from "../../rerank/local-reranker.ts";
import { UpstreamError } from "../../upstream-error.ts";
import { actOut, type Patience, throwIfAborted } from "../act-out.ts";
import { type Faults, readFaults, slowMsOf, withoutTriggers } from "../read-faults.ts";
import { drawImage } from "./draw-image.ts";
import { judgeWords } from "./judge-words.ts";
import { searchWeb } from "./search-web.ts";
import { speak } from "./speak.ts";
import { transcribe } from "./transcribe.ts";
import { readJob, statusOf, toJobId } from "./video-job.ts";

type SandboxMediaOptions = { clock: Clock; firstByteMs: number; scoreTexts: ScoreTexts };

export const sandboxMedia = ({ clock, firstByteMs, scoreTexts }: SandboxMediaOptions): Required<MediaServices> => ({
  image: (_model, request, context) => draw(request, context),
  // Other pictures, or another mask, give another result.
  edit: (_model, { pictures, mask, ...request }, context) =>
    draw(request, context, [...pictures, ...(mask ? [mask] : [])].map(({ bytes }) => Bun.hash.crc32(bytes)).join()),
  speech: async (_model, request, context) => {
    const { text, faults } = await begin(request.input, context, { firstByteMs, isStream: true });
    if (faults.has("empty")) throw emptyAnswer("audio");
    const stream = await speak({ ...request, input: faults.get("reply") ?? text });
    return faults.has("disconnect") || faults.has("truncate") ? streamOf(brokenOff(stream)) : stream;
  },
  transcribe: hear,
  translate: hear,
  startVideo: async (_model, request, context) => {
    // Those concern the job, not its start.
    const { faults } = await begin(request.prompt, context, { later: ["slow", "fail"] });
    const { durationSeconds, resolution, aspectRatio } = request;
    return toJobId({
      durationSeconds,
      resolution,
      aspectRatio,
      startedAtMs: clock.now(),
      slowMs: slowMsOf(faults),
      fails: faults.has("fail"),
    });
  },
  videoStatus: (_model, id) => statusOf(readJob(id), clock.now()),
  search: async (request, context) => {
    const { text, faults } = await begin(request.query, context);
    return faults.has("empty") ? [] : searchWeb({ ...request, query: text }, faults.get("reply"));
  },
  moderate: async (_model, request, context) => {
    const parts = "parts" in request ? request.parts : [];
    const texts =
      "texts" in request ? request.texts : [parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n")];
    const { faults } = await begin(texts.join("\n"), context);
    if (faults.has("empty")) throw emptyAnswer("verdict");
    const kinds = (["text", "image"] as const).filter((kind) =>
      "texts" in request ? kind === "text" : parts.some(({ type }) => type === kind),
    );
    return { verdicts: texts.map((text) => judgeWords(withoutTriggers(text), kinds)) };
  },
  rerank: async (model, request, context) => {
    const { text, faults } = await begin(request.query, context);
    if (faults.has("empty")) throw emptyAnswer("ranking");
    return localReranker(scoreTexts).rerank(model, { ...request, query: text }, context);
  },
});

/** `of`: what else the pictures depend on than the prompt. */
const draw = async (request: ImageRequest, context: CallContext, of = ""): Promise<GeneratedImage[]> => {
  const { text, faults } = await begin(request.prompt, context);
  if (faults.has("empty")) throw emptyAnswer("image");
  const prompt = faults.get("reply") ?? text;
  // One after the other, because each takes megabytes until it is compressed.
  const images = [];
  for (let index = 0; index < request.n; index++) {
    throwIfAborted(context.signal);
    const bytes = await drawImage(prompt, request.width, request.height, `${index}${of}`);
    images.push({ bytes, revisedPrompt: prompt });
  }
  return images;
};

/** The sandbox's recordings are in English, so that a transcript is its own translation. */
const hear: Required<MediaServices>["transcribe"] = async (_model, request, context) => {
  const { faults } = await begin(request.prompt ?? "", context);
  if (faults.has("empty")) return { text: "" };
  return transcribe(request, faults.get("reply"));
};

type Beginning = Patience & { later?: readonly string[] };

/** Acts out the triggers but those for `later`. In chat, a refusal and invalid JSON are answers; here both are errors. */
const begin = async (said: string, context: CallContext, { later = [], ...patience }: Beginning = {}) => {
  const read = readFaults(said.trim(), context.attempt);
  const faults: Faults = new Map([...read.faults].filter(([name]) => !later.includes(name)));
  await actOut(faults, context, patience);
  if (faults.has("refuse")) throw moderated();
  if (faults.has("bad-json"))
    throw new UpstreamError("server", "The sandbox sent an answer that is not JSON.", { accepted: true });
  return read;
};

/** Passes on half of the first piece and then fails, as if the connection had dropped. */
async function* brokenOff(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    yield piece.subarray(0, Math.ceil(piece.length / 2));
    throw new Error("The sandbox dropped the connection, as the prompt asked for.");
  }
}
