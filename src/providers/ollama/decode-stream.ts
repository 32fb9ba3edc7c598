/** Decodes Ollama's stream: one JSON object a line, the last with `done: true`. */

import { isRecord } from "../../lib/is-record.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import type { ReadOptions, StreamDecoder } from "../dialect/wire-dialect.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { newReading, readLine } from "./read-line.ts";

export const createOllamaDecoder = ({ provider }: ReadOptions): StreamDecoder => {
  const reading = newReading(provider);
  return {
    decode(frame, events) {
      const line = parseFrame(frame, provider);
      if (!isRecord(line)) throw brokenAnswer("server", provider);
      return readLine(reading, line, events);
    },
    end() {
      throw brokenAnswer("truncated", provider);
    },
  };
};
