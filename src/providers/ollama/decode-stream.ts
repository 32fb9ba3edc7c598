/** Decodes Ollama's stream: one JSON object a line, the last with `done: true`. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, textAt } from "../../lib/json-at.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import type { ReadOptions, StreamDecoder } from "../dialect/wire-dialect.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapOllamaError } from "./map-error.ts";
import { finishReasonOf, readToolCalls, readUsage } from "./read-line.ts";

export const createOllamaDecoder = ({ provider }: ReadOptions): StreamDecoder => {
  let toolCount = 0;
  return {
    decode(frame, events) {
      const line = parseFrame(frame, provider);
      if (!isRecord(line)) throw brokenAnswer("server", provider);
      if (line["error"]) throw mapOllamaError({ provider, status: 0, body: line, accepted: true });
      const message = recordAt(line, "message");
      const reasoning = textAt(message, "thinking");
      const text = textAt(message, "content");
      if (reasoning) events.push({ type: "reasoning", text: reasoning });
      if (text) events.push({ type: "text", text });
      for (const call of readToolCalls(message)) {
        const index = toolCount++;
        events.push({ type: "tool-start", index, id: call.id, name: call.name });
        events.push({ type: "tool-arguments", index, text: call.arguments });
      }
      if (line["done"] !== true) return false;
      const usage = readUsage(line);
      if (usage) events.push({ type: "usage", usage });
      events.push({ type: "finish", reason: finishReasonOf(line["done_reason"], toolCount > 0) });
      return true;
    },
    end() {
      throw brokenAnswer("truncated", provider);
    },
  };
};
