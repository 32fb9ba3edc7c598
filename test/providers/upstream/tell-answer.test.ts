import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { openAiDialect } from "../../../src/providers/openai/openai-dialect.ts";
import type { ChatEvent } from "../../../src/providers/provider.ts";
import { pieceOf } from "../../../src/providers/transport/piece.ts";
import { createCollector } from "../../../src/providers/upstream/collect-answer.ts";
import type { OpenCall } from "../../../src/providers/upstream/open-call.ts";
import { tellAnswer } from "../../../src/providers/upstream/tell-answer.ts";
import { askFor } from "../../support/chat-provider.ts";

const frame = (content: string): string => `data: {"choices":[{"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;
const END = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

const ASKED = { provider: "Stub", request: askFor("hi"), quirks: {}, dialect: openAiDialect, form: "stream" } as const;

/** A call whose body comes in exactly these pieces. */
const callOf = (pieces: Uint8Array[]): OpenCall => {
  const left = [...pieces];
  return {
    head: () => new Response(null, { headers: { "content-type": "text/event-stream" } }),
    async flow(take) {
      for (let piece = left.shift(); piece !== undefined; piece = left.shift()) await take(pieceOf(piece));
    },
    json: () => Promise.reject(new Error("It is a stream.")),
    contentSeen: () => undefined,
    finish: () => undefined,
    close: () => undefined,
  };
};

const textOf = async (pieces: Uint8Array[]): Promise<string> => {
  let text = "";
  await tellAnswer(
    async () => callOf(pieces),
    ASKED,
    (events) => {
      for (const event of events) if (event.type === "text") text += event.text;
      return true;
    },
  );
  return text;
};

test("of a flood no piece stays in memory once it is decoded, and no character is lost", async () => {
  const flood = new TextEncoder().encode(frame("ab€".repeat(500)).repeat(100));
  // Cut within a character too.
  const pieces = [flood.slice(0, 70_001), flood.slice(70_001, 150_003), flood.slice(150_003), new TextEncoder().encode(END)];
  const sizes = pieces.map(({ byteLength }) => byteLength);
  expect(await textOf(pieces)).toBe("ab€".repeat(500).repeat(100));
  expect(sizes.slice(0, 3).every((size) => size > 64 * 1024)).toBe(true);
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0, sizes[3]!]);
});

test("a piece that shares its memory with others is left alone", async () => {
  const shared = new TextEncoder().encode(frame("x".repeat(90_000)) + END);
  const cut = 80_000;
  expect(await textOf([shared.subarray(0, cut), shared.subarray(cut)])).toBe("x".repeat(90_000));
  expect(shared.byteLength).toBeGreaterThan(90_000);
});

test("the first content is handed on before what came with it is read", async () => {
  const pieces = [new TextEncoder().encode(frame("é".repeat(200)).repeat(20) + END)];
  const lists: string[][] = [];
  await tellAnswer(
    async () => callOf(pieces),
    ASKED,
    (events) => lists.push(events.flatMap((event) => (event.type === "text" ? [event.text] : []))) > 0,
  );
  expect(lists[0]!.length).toBeLessThan(4);
  expect(lists.flat()).toEqual(new Array(20).fill("é".repeat(200)));
});

test("between two pieces a stream holds nothing of the last, neither its frame nor its events", async () => {
  const STREAMS = 30;
  const CHARACTERS = 200_000;
  const heldBytes = (): number => {
    Bun.gc(true);
    return heapStats().extraMemorySize;
  };
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  let seen = 0;
  const stream = (index: number): Promise<boolean> => {
    const flow: OpenCall["flow"] = async (take) => {
      await take(pieceOf(new TextEncoder().encode(frame(String(index).repeat(CHARACTERS)))));
      await goesOn;
      await take(pieceOf(new TextEncoder().encode(END)));
    };
    return tellAnswer(
      async () => ({ ...callOf([]), flow }),
      ASKED,
      (events) => {
        seen += events.length;
        return true;
      },
    );
  };
  const before = heldBytes();
  const streams = Array.from({ length: STREAMS }, (_, index) => stream(index % 10));
  while (seen < STREAMS) await new Promise(setImmediate);
  const held = heldBytes() - before;
  goOn();
  await Promise.all(streams);
  expect(held).toBeLessThan((STREAMS * CHARACTERS) / 4);
});

test("a stream that goes on without content fails", async () => {
  const ignored = new TextEncoder().encode(
    `data: {"choices":[{"index":1,"delta":{"content":"${"x".repeat(30_000)}"}}],"usage":{"prompt_tokens":7,"completion_tokens":1}}\n\n`,
  );
  const pieces = [new TextEncoder().encode(frame("a")), ...Array.from({ length: 2_500 }, () => ignored)];
  await expect(textOf(pieces)).rejects.toMatchObject({ kind: "server", details: { usage: { input: 7 } } });
  expect(await textOf([...pieces.slice(0, 50), new TextEncoder().encode(frame("b") + END)])).toBe("ab");
});

test("a collected answer is bounded, whatever it is made of", () => {
  const long = "x".repeat(1_000_000);
  const floods: ChatEvent[] = [
    { type: "text", text: long },
    { type: "thought", thought: { redacted: long } },
    { type: "thinking-end", signature: long },
    { type: "tool-start", index: 0, id: "a", name: long },
  ];
  for (const event of floods) {
    const { take } = createCollector();
    expect(() => take(Array(20).fill(event))).toThrow("size limit");
  }
});
