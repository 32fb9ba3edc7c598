/** What a request asks for: its task, whether it wants media made, how hard it is and how sure we are (spec §2 rules 1 and 6). */
import type { MediaIntent, TaskType, TextTask } from "../catalog/task-type.ts";
import type { Encoder } from "../encoder/encoder.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { detectMedia } from "./detect-media.ts";
import { type ReadRequest, readRequest } from "./read-request.ts";

export type ClassifyInput = { messages: ChatMessage[]; hasSchema: boolean; hasTools: boolean };

export type DetectedFormat = "text" | "json" | "code" | "table" | "list";

export type Classification = {
  task: TaskType;
  media: MediaIntent;
  /** Calibrated probability that a weak model fails, 0-1. */
  complexity: number;
  /** Calibrated probability that `task` is right. */
  confidence: number;
  mediaConfidence: number;
  detectedFormat: DetectedFormat;
  evidence: Record<string, number | string>;
};

const CUES: Record<TextTask, RegExp> = {
  extraction: /\b(extract|pull out|list all|find all|parse|identify the|what is the name|according to|fill in)\b/g,
  classification: /\b(classify|categori[sz]e|label|sentiment|which category|spam|true or false|triage|tag)\b/g,
  summarization: /\b(summari[sz]e|summary|tl;?dr|recap|key points|condense|in short|takeaways|shorten)\b/g,
  reasoning: /\b(why|how many|calculate|explain|solve|prove|compare|should i|what is|who|which|when)\b/g,
  code: /\b(function|code|python|javascript|typescript|sql|regex|bug|script|class|api|bash|compile|refactor)\b|```/g,
  writing: /\b(write|draft|rewrite|translate|story|poem|email|compose|proofread|brainstorm|slogan|rephrase)\b/g,
};
/** Cues that name their task beyond doubt weigh more than question words. */
const WEIGHT: Record<TextTask, number> = {
  extraction: 2,
  classification: 2,
  summarization: 2.5,
  reasoning: 0.6,
  code: 1.6,
  writing: 1.4,
};

export function classify(encoder: Encoder, input: ClassifyInput): Classification {
  const request = readRequest(input.messages);
  const { media, confidence: mediaConfidence } = detectMedia(encoder, request.instruction);
  const scores = scoreTasks(request, input.hasSchema);
  const total = Object.values(scores).reduce((sum, score) => sum + Math.exp(score), 0);
  const [best, score] = Object.entries(scores).reduce((a, b) => (b[1] > a[1] ? b : a));
  const parts = request.hasImage ? "vision" : request.hasAudio ? "audio" : undefined;
  return {
    task: parts ?? (best as TextTask),
    media,
    complexity: estimateComplexity(request, best as TextTask),
    confidence: parts ? 1 : Math.exp(score) / total,
    mediaConfidence,
    detectedFormat: detectFormat(request, input.hasSchema),
    evidence: { instruction: request.instruction.slice(0, 200), characters: request.characters, schema: Number(input.hasSchema) },
  };
}

function scoreTasks(request: ReadRequest, hasSchema: boolean): Record<TextTask, number> {
  const text = `${request.system}\n${request.instruction}`.toLowerCase();
  const scores = { extraction: hasSchema ? 1.5 : 0, classification: 0, summarization: 0, reasoning: 0.5, code: 0, writing: 0 };
  for (const task of Object.keys(CUES) as TextTask[]) {
    scores[task] += Math.min(3, text.match(CUES[task])?.length ?? 0) * WEIGHT[task];
  }
  return scores;
}

const HARDNESS: Record<TextTask, number> = {
  extraction: 0.15,
  classification: 0.15,
  summarization: 0.2,
  reasoning: 0.45,
  code: 0.45,
  writing: 0.25,
};

const estimateComplexity = (request: ReadRequest, task: TextTask): number =>
  Math.min(0.95, HARDNESS[task] + Math.min(0.2, request.characters / 20_000));

/** The shape the answer is asked to have. */
function detectFormat(request: ReadRequest, hasSchema: boolean): DetectedFormat {
  const text = `${request.system}\n${request.instruction}`.toLowerCase();
  if (hasSchema || /\bjson\b/.test(text)) return "json";
  if (/\b(markdown table|table|csv|tabular)\b/.test(text)) return "table";
  if (/\b(bullet|bulleted|numbered list|list of|as a list)\b/.test(text)) return "list";
  if (/```|\b(function|sql query|regex|python|javascript|code)\b/.test(text)) return "code";
  return "text";
}
