/** Whole answers as HTTP responses: the JSON body, and the headers that describe the answer (spec.md "Chat response"). */

import type { Caller } from "../../accounts/authenticate.ts";
import type { HeaderName } from "../../http/openapi/openapi-components.ts";
import type { Platform } from "../../platform.ts";
import { answerChat } from "../answer.ts";
import { readCacheControl } from "../cache/read-cache-control.ts";
import { type CallDraft, newDraft } from "../call-draft.ts";
import { type ChatInput, messagesAs } from "../request/chat-input.ts";
import type { Answer } from "./whole-answer.ts";

/** As the OpenAPI document names them. */
export const ANSWER_HEADERS: HeaderName[] = ["X-Svc-Model", "X-Svc-Fallback", "X-Svc-Latency-Ms", "X-Svc-Cache", "Age"];

/** A model id is an operator's own text, but a header can hold only visible ASCII. */
export const answerHeaders = (model: string, fallbackUsed: boolean, latencyMs: number): Record<string, string> => ({
  "x-svc-model": model.replace(/[^\x20-\x7e]/g, "?"),
  "x-svc-fallback": String(fallbackUsed),
  "x-svc-latency-ms": String(latencyMs),
});

/** Whether the answer is one given before, if one was looked for. */
export const reuseHeaders = ({ reuse, question, reused }: CallDraft): Record<string, string> => {
  if (reused !== undefined) return { "x-svc-cache": "hit", age: String(reused.ageS) };
  return question === undefined || reuse?.maxAgeMs === 0 ? {} : { "x-svc-cache": "miss" };
};

const JSON_TYPE = { "content-type": "application/json" };

/** Returns the body as text: if it were a Response, the framework would turn it into a stream to add headers. */
export const jsonAnswer = (set: { headers: object }, body: unknown): string => {
  Object.assign(set.headers, JSON_TYPE);
  return JSON.stringify(body);
};

/** What a draft takes from the HTTP request: its end, and whether an answer given before will do. */
export const askedBy = ({ project }: Caller, { signal, headers }: Request): Pick<CallDraft, "signal" | "reuse"> => {
  const reuse = readCacheControl(headers.get("cache-control"), project.settings.cache?.ttlS);
  return reuse === undefined ? { signal } : { signal, reuse };
};

/** Sends a whole answer in the form that `toBody` gives it. The headers that describe it are set once it may be sent. */
export const sendAnswer = async (
  platform: Platform,
  { caller, request, set }: { caller: Caller; request: Request; set: { headers: object } },
  input: ChatInput,
  toBody: (answer: Answer) => unknown,
): Promise<string> => {
  try {
    const draft = newDraft(platform, { caller, input, streamed: false, ...askedBy(caller, request) });
    const { svc, text } = await answerChat(platform, draft, (answer) => ({
      svc: answer.svc,
      text: JSON.stringify(toBody(answer)),
    }));
    const about = answerHeaders(svc.model_selected, svc.fallback_used, svc.latency_ms);
    Object.assign(set.headers, JSON_TYPE, about, reuseHeaders(draft));
    return text;
  } catch (error) {
    throw messagesAs(input, error);
  }
};
