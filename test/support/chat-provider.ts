/** A provider under test: one dialect pointed at the stub, and the collecting of what it says. */

import type { Dialect, ModelQuirks, ProviderEntry } from "../../src/catalog/model.ts";
import { DEFAULTS } from "../../src/config/defaults.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { createChatProvider } from "../../src/providers/chat-provider.ts";
import { createHealth } from "../../src/providers/health/health.ts";
import type {
  CallContext,
  ChatEvent,
  ChatRequest,
  FinishReason,
  Provider,
  TakeEvents,
  TokenUsage,
  ToolCall,
} from "../../src/providers/provider.ts";
import { createSocketTransport } from "../../src/providers/transport/socket-transport.ts";
import type { ChatProviderOptions } from "../../src/providers/upstream/upstream-channel.ts";

const entryFor = (dialect: Dialect, id: string = dialect): ProviderEntry => ({
  id,
  name: `Test ${id}`,
  dialect,
  keyVariables: [],
  baseUrlVariables: [],
  services: ["chat", "embeddings"],
});

const clock: Clock = { now: Date.now };

export const providerFor = (
  dialect: Dialect,
  baseUrl: string,
  options: Partial<ChatProviderOptions> = {},
  quirks: ModelQuirks = {},
): Provider =>
  createChatProvider(entryFor(dialect), {
    baseUrl,
    keys: [{ id: "first", key: "key-one", weight: 1 }],
    transport: createSocketTransport(),
    timeouts: DEFAULTS.timeouts,
    isVendors: true,
    headers: {},
    quirksOf: () => quirks,
    contextWindowOf: () => undefined,
    health: createHealth({ clock, cooldownMs: 30_000 }),
    clock,
    ...options,
  });

export const contextWith = (signal: AbortSignal = new AbortController().signal): CallContext => ({
  signal,
  remainingMs: 60_000,
  requestId: "req_test",
  attempt: 1,
});

/** A request body as it is sent. */
export const asSent = (body: object): any => JSON.parse(JSON.stringify(body));

export const askFor = (content: string): ChatRequest => ({ messages: [{ role: "user", content }], maxOutputTokens: 100 });

export type Collected = {
  text: string;
  reasoning: string;
  refusal: string;
  toolCalls: ToolCall[];
  usage: TokenUsage | undefined;
  finishReason: FinishReason | undefined;
  events: ChatEvent[];
};

/** The lists that a stream tells, for a reader who asks for one after the other; leaving early is wanting no more. */
export async function* listsOf(start: (take: TakeEvents) => Promise<void>): AsyncGenerator<readonly ChatEvent[]> {
  let told = Promise.withResolvers<ChatEvent[] | undefined>();
  let answer = (_goesOn: boolean): void => undefined;
  const take: TakeEvents = (events) => {
    told.resolve([...events]);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const over = start(take).then(
    () => told.resolve(undefined),
    (error) => told.reject(error),
  );
  try {
    for (let events = await told.promise; events !== undefined; events = await told.promise) {
      told = Promise.withResolvers();
      yield events;
      answer(true);
    }
  } finally {
    told.promise.catch(() => undefined);
    answer(false);
    await over;
  }
}

/** A stream's events one by one. */
export async function* eachEvent(lists: AsyncIterable<readonly ChatEvent[]>): AsyncGenerator<ChatEvent> {
  for await (const list of lists) yield* list;
}

/** Puts a stream together as a client would, and checks the order the seam promises. */
export const collect = async (lists: AsyncIterable<readonly ChatEvent[]>): Promise<Collected> => {
  const all: Collected = {
    text: "",
    reasoning: "",
    refusal: "",
    toolCalls: [],
    usage: undefined,
    finishReason: undefined,
    events: [],
  };
  for await (const event of eachEvent(lists)) {
    if (all.finishReason !== undefined) throw new Error(`an event after finish: ${JSON.stringify(event)}`);
    all.events.push(event);
    if (event.type === "text" || event.type === "reasoning" || event.type === "refusal") all[event.type] += event.text;
    else if (event.type === "thinking") all.reasoning += event.text;
    else if (event.type === "thinking-end" || event.type === "thought" || event.type === "held" || event.type === "picture")
      continue;
    else if (event.type === "usage") all.usage = event.usage;
    else if (event.type === "finish") all.finishReason = event.reason;
    else if (event.type === "tool-start") {
      if (event.index !== all.toolCalls.length) throw new Error(`tool call ${event.index} began out of order`);
      all.toolCalls.push({ id: event.id, name: event.name, arguments: "" });
    } else all.toolCalls[event.index]!.arguments += event.text;
  }
  return all;
};
