/**
 * Puts chunks into the order that OpenAI's SDK helpers need: they consider a tool call complete, and parse its arguments, when a piece of
 * another arrives. Text passes at once; an interleaved call waits until the one before it is complete.
 */

import { createChunkEncoder, type EncodeOptions } from "../../chat/response/encode-stream.ts";
import { isThinkingPart, type StreamEncoder, type StreamFacts } from "../../chat/response/outlet.ts";
import { type BlockEvent, createBlockOrder } from "../order-blocks.ts";

export const orderedChunks =
  (options: EncodeOptions) =>
  (stream: StreamFacts): StreamEncoder => {
    const chunks = createChunkEncoder(stream, options);
    /** Created at the first call; few streams have any. */
    let order: ReturnType<typeof createBlockOrder> | undefined;
    let openIndex = 0;
    const render = (event: BlockEvent): string => {
      if (event.type === "stop") return chunks.endCalls();
      if (event.type === "signature") return "";
      if (event.type === "piece") return chunks.part({ type: "tool-arguments", index: openIndex, text: event.text });
      // Only calls are reordered.
      if (event.block.type !== "tool-start") return "";
      openIndex = event.block.index;
      return chunks.part(event.block);
    };
    return {
      part: (part) => {
        if (part.type === "text" || part.type === "picture" || isThinkingPart(part)) return chunks.part(part);
        if (part.type === "final") return (order?.end() ?? []).map(render).join("") + chunks.part(part);
        order ??= createBlockOrder();
        return order.push(part).map(render).join("");
      },
      failure: chunks.failure,
    };
  };
