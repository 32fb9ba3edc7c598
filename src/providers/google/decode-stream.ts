/** Decodes a stream of Gemini's frames. */

import { isRecord } from "../../lib/is-record.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import type { ReadOptions, StreamDecoder } from "../dialect/wire-dialect.ts";
import { finishReading, newReading, readFrame } from "./read-frame.ts";

/** There is no closing frame: the stream is complete if it ends after a finish reason. */
export const createGoogleDecoder = ({ provider }: ReadOptions): StreamDecoder => {
  const reading = newReading(provider);
  return {
    decode(frame, events) {
      const value = parseFrame(frame, provider, reading.usage);
      for (const record of Array.isArray(value) ? value : [value]) if (isRecord(record)) readFrame(reading, record, events);
      return false;
    },
    end: (events) => finishReading(reading, events),
  };
};
