/** In which form an answer comes. Some servers use the other form than was requested, and some models know only one. */

import type { WireDialect } from "../dialect/wire-dialect.ts";
import type { AnswerHead } from "./open-call.ts";
import type { AnswerForm } from "./upstream-request.ts";

const hasType = ({ headers }: AnswerHead, type: RegExp): boolean => type.test(headers.get("content-type") ?? "");

export const isEventStream = (head: AnswerHead): boolean => hasType(head, /^text\/event-stream/i);

/**
 * Whether the answer comes whole: as it was `asked` for, unless its type says otherwise. NDJSON that was asked for as a stream is one
 * whatever its type, because a whole answer in it is simply its last line.
 */
export const comesWhole = (head: AnswerHead, asked: AnswerForm, { framing }: WireDialect): boolean =>
  asked === "whole" ? !isEventStream(head) : framing === "sse" && hasType(head, /^application\/json/i);
