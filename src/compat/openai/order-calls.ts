/**
 * Chunks in the order that OpenAI's helpers need: they take a tool call as complete, and read its arguments, when a piece of another
 * comes. Text passes at once; a call whose pieces come in turns with another's waits until that one is complete.
 */

import { createChunkEncoder, type EncodeOptions } from "../../chat/response/encode-stream.ts";
import { isThinkingPart, type StreamEncoder, type StreamFacts } from "../../chat/response/outlet.ts";
import { type BlockEvent, createBlockOrder } from "../order-blocks.ts";

export const orderedChunks =
  (options: EncodeOptions) =>
  (stream: StreamFacts): StreamEncoder => {
    const chunks = createChunkEncoder(stream, options);
    /** Few streams have calls. */
    let order: ReturnType<typeof createBlockOrder> | undefined;
    let openIndex = 0;
    const render = (event: BlockEvent): string => {
      if (event.type === "stop" || event.type === "signature") return "";
      if (event.type === "piece") return chunks.part({ type: "tool-arguments", index: openIndex, text: event.text });
      // Only calls are put in order here.
      if (event.block.type !== "tool-start") return "";
      openIndex = event.block.index;
      return chunks.part(event.block);
    };
    return {
      part: (part) => {
        if (part.type === "text" || isThinkingPart(part)) return chunks.part(part);
        if (part.type === "final") return (order?.end() ?? []).map(render).join("") + chunks.part(part);
        order ??= createBlockOrder();
        return order.push(part).map(render).join("");
      },
      failure: chunks.failure,
    };
  };
