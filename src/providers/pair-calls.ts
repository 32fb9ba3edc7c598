/**
 * Pairs past tool calls with their results as vendors demand: each call has one result, directly after the message with the call, in the
 * order of the calls, and no two calls share an id. Histories that were cut have halves of pairs, which are left out; servers that number
 * their calls anew in each answer repeat ids.
 */

import { plainText } from "./dialect/message-parts.ts";
import { bareId, shortHash } from "./dialect/tool-call-ids.ts";
import type { ChatMessage, ChatRequest, ToolCall } from "./provider.ts";

type Answer = Extract<ChatMessage, { role: "assistant" }>;
type Result = Extract<ChatMessage, { role: "tool" }>;
type Pair = { call: ToolCall; result?: Result };

const ID_LENGTH = 9;

/** The pairs of each answer. A result belongs to the latest call with its id. */
const pairsOf = (messages: readonly ChatMessage[]): Map<ChatMessage, Pair[]> => {
  const pairs = new Map<ChatMessage, Pair[]>();
  /** Calls that wait for their result, the first one last. */
  const latest = new Map<string, Pair[]>();
  for (const message of messages) {
    if (message.role === "assistant" && message.toolCalls) {
      const made = message.toolCalls.map((call): Pair => ({ call }));
      pairs.set(message, made);
      for (const [id, same] of Map.groupBy(made, ({ call }) => call.id)) latest.set(id, same.reverse());
    }
    if (message.role !== "tool") continue;
    const pair = latest.get(message.toolCallId)?.pop();
    if (pair) pair.result = message;
  }
  return pairs;
};

const isWhole = (pair: Pair): pair is Required<Pair> => pair.result !== undefined;

/** Returns a function that replaces ids that an earlier call has, by the same id in every request. Signatures inside the id are kept. */
const createNamer = () => {
  const taken = new Set<string>();
  return ({ call, result }: Required<Pair>): Required<Pair> => {
    const own = bareId(call.id);
    const free = taken.has(own) ? shortHash(`${own} ${taken.size}`, ID_LENGTH) : own;
    taken.add(free);
    const id = free + call.id.slice(own.length);
    return { call: { ...call, id }, result: { ...result, toolCallId: id } };
  };
};

/** The answer with these calls alone, and their results; nothing if it has neither calls nor text. */
const withPairs = (answer: Answer, made: readonly Pair[], kept: readonly Required<Pair>[]): ChatMessage[] => {
  const { toolCalls: _, thoughts, ...rest } = answer;
  if (kept.length === 0 && plainText(answer.content).trim() === "") return [];
  const keptBefore = [0];
  for (const pair of made) keptBefore.push(keptBefore.at(-1)! + (isWhole(pair) ? 1 : 0));
  return [
    {
      ...rest,
      ...(kept.length > 0 && { toolCalls: kept.map(({ call }) => call) }),
      ...(thoughts && { thoughts: thoughts.map((past) => ({ ...past, callsBefore: keptBefore[past.callsBefore]! })) }),
    },
    ...kept.map(({ result }) => result),
  ];
};

const ofTools = (message: ChatMessage): boolean =>
  message.role === "tool" || (message.role === "assistant" && message.toolCalls !== undefined);

export const pairCalls = (request: ChatRequest): ChatRequest => {
  if (!request.messages.some(ofTools)) return request;
  const pairs = pairsOf(request.messages);
  const named = createNamer();
  const messages = request.messages.flatMap((message): ChatMessage[] => {
    if (message.role === "tool") return [];
    const made = pairs.get(message);
    return message.role === "assistant" && made ? withPairs(message, made, made.filter(isWhole).map(named)) : [message];
  });
  return { ...request, messages };
};
