/** Checks an answer to a call, with what the draft knows about the question. */

import type { Platform } from "../../platform.ts";
import type { ChatRequest, ChatResult } from "../../providers/provider.ts";
import type { CallDraft } from "../call-draft.ts";
import { askedText } from "../request/last-user-text.ts";
import { checkOutput, type OutputCheck } from "./check-output.ts";

/** `request`: as the model was asked. `schemaPassed`: undefined without a schema. */
export const checkAnswer = (
  { encoder }: Platform,
  { caller, input, classification }: CallDraft,
  request: ChatRequest,
  result: ChatResult,
  schemaPassed?: boolean,
): OutputCheck =>
  checkOutput(encoder, {
    request,
    result,
    task: classification.task,
    prompt: askedText(caller.mode, input.request.messages),
    ...(schemaPassed !== undefined && { schemaPassed }),
  });
