/** Converts the items of a Responses request's `input` to messages. */

import { invalidRequest } from "../../api-error.ts";
import { toArguments } from "../../chat/custom-tools.ts";
import { readImage } from "../../chat/request/check-media.ts";
import { textOrParts } from "../../chat/request/message-content.ts";
import type { ChatMessage, ToolCall } from "../../providers/provider.ts";
import { SUMMARY_REQUEST, summaryMessage } from "./compaction.ts";
import { foundNames, joinNames, TOOL_SEARCH } from "./declared-tools.ts";
import { isKnownItem, isReference, type ResponsesItem, type ResponsesMessage, type ResponsesPart } from "./input-wire.ts";
import { joinText, readParts } from "./read-parts.ts";
import type { Past } from "./recall.ts";
import type { ResponsesBody } from "./wire.ts";

/** What was read of the input so far, and what is known from before it. */
type Reading = {
  messages: ChatMessage[];
  /** Ids of the calls among them. */
  called: Set<string>;
  /** Ids of calls that are ignored with their outputs; Codex sends the output of OpenAI's shell tool as that of a function. */
  leftOut: Set<string>;
  /** What was thought in this turn since its last call. */
  thought: string;
  past: Past;
  /** A session may prepend remembered messages. */
  hasSession: boolean;
};

/** Consecutive items of the assistant, calls included, become one message. */
export const readInput = ({ input, session_id: sessionId }: ResponsesBody, past: Past): ChatMessage[] => {
  if (typeof input === "string") return [...past.conversation, { role: "user", content: input }];
  const reading: Reading = {
    messages: [...past.conversation],
    called: new Set(past.conversation.flatMap((message) => (message.role === "assistant" ? callIdsOf(message) : []))),
    leftOut: new Set(),
    thought: "",
    past,
    hasSession: sessionId != null,
  };
  for (const [index, item] of input.entries()) addItem(reading, item, `input.${index}`);
  if (reading.messages.length === 0) throw invalidRequest("`input` is empty, so there is nothing to answer.", "input");
  return reading.messages;
};

const addItem = (reading: Reading, item: ResponsesItem, at: string): void => {
  if (!isKnownItem(item)) throw otherItem(item, at);
  if (isReference(item)) {
    addReferenced(reading, item.id, at);
    return;
  }
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      addOutput(reading, item, at);
      break;
    case "function_call":
    case "custom_tool_call": {
      const text = item.type === "function_call" ? item.arguments : toArguments(item.input);
      addCall(reading, { id: item.call_id, name: joinNames(item.namespace, item.name), arguments: text });
      break;
    }
    case "tool_search_call":
      if (item.execution === "client" && item.call_id)
        addCall(reading, { id: item.call_id, name: TOOL_SEARCH, arguments: JSON.stringify(item.arguments ?? {}) });
      break;
    case "tool_search_output":
      if (item.execution === "client" && item.call_id)
        addOutput(reading, { call_id: item.call_id, output: foundNames(item).join("\n") || "No tools were found." }, at);
      break;
    case "reasoning":
      reading.thought += (item.summary ?? []).map(({ text }) => text ?? "").join("\n\n");
      break;
    case "image_generation_call":
      if (item.result)
        reading.messages.push({
          role: "assistant",
          // Base64, or the URL that a vendor gave in its place.
          content: [
            readImage(/^https?:/.test(item.result) ? item.result : `data:image/png;base64,${item.result}`, `${at}.result`),
          ],
        });
      break;
    case "compaction": {
      const summary = summaryMessage(item.encrypted_content);
      if (summary === undefined) throw sealedElsewhere(`${at}.encrypted_content`);
      reading.messages.push(summary);
      break;
    }
    case "compaction_trigger":
      if (reading.messages.length > 0) reading.messages.push(SUMMARY_REQUEST);
      break;
    case "agent_message":
      addMessage(reading, { role: "user", content: item.content }, `${at}.content`);
      break;
    case "local_shell_call":
      if (item.call_id) reading.leftOut.add(item.call_id);
      break;
    case "message":
    case null:
    case undefined:
      addMessage(reading, item, `${at}.content`);
  }
};

const addReferenced = (reading: Reading, id: string, at: string): void => {
  const earlier = reading.past.itemOf(id);
  if (earlier === undefined) throw unknownItem(at);
  if ("call" in earlier) addCall(reading, earlier.call);
  else joinTurn(reading.messages, earlier.text, []);
};

const addCall = (reading: Reading, call: ToolCall): void => {
  reading.called.add(call.id);
  joinTurn(reading.messages, "", [call]);
  const turn = reading.messages.at(-1)!;
  if (turn.role === "assistant" && reading.thought !== "")
    turn.thoughts ??= [{ thought: { text: reading.thought }, partsBefore: 0, callsBefore: 0 }];
  reading.thought = "";
};

type Output = { call_id: string; output: string | ResponsesPart[] };

const addOutput = (reading: Reading, { call_id: id, output }: Output, at: string): void => {
  if (reading.leftOut.has(id)) return;
  if (!reading.called.has(id) && !reading.hasSession) throw unasked(`${at}.call_id`);
  const content = typeof output === "string" ? output : textOrParts(readParts(output, `${at}.output`));
  reading.messages.push({ role: "tool", toolCallId: id, content });
};

const addMessage = (reading: Reading, { role, content }: ResponsesMessage, at: string): void => {
  const { messages } = reading;
  if (content.length === 0 && typeof content !== "string") return;
  // What was thought before an answer without calls goes back to nobody.
  if (role !== "assistant") reading.thought = "";
  if (role === "assistant") joinTurn(messages, joinText(content, at), []);
  else if (role !== "user") messages.push({ role: "system", content: joinText(content, at) });
  else messages.push({ role, content: typeof content === "string" ? content : readParts(content, at) });
};

const callIdsOf = ({ toolCalls = [] }: Extract<ChatMessage, { role: "assistant" }>): string[] => toolCalls.map(({ id }) => id);

const unknownItem = (at: string) =>
  invalidRequest(
    `\`${at}.id\` is not the id of an item that is still in the log unchanged: send the item itself (the Vercel AI SDK does so with its provider option \`store: false\`).`,
    `${at}.id`,
  );

const sealedElsewhere = (param: string) =>
  invalidRequest(`\`${param}\` was not made here, so it cannot be read: send what it stands for.`, param);

const otherItem = ({ type }: ResponsesItem, at: string) =>
  invalidRequest(
    `\`${at}.type\` must be "message", a call or its output, or "reasoning"; it was "${String(type).slice(0, 40)}".`,
    `${at}.type`,
  );

const unasked = (param: string) =>
  invalidRequest(
    `\`${param}\` has no function_call before it: \`input\` must have the whole conversation, or \`previous_response_id\` or \`session_id\` must name what came before.`,
    param,
  );

/** Adds to the last message if that is the assistant's; in place, because a turn may be long. */
const joinTurn = (messages: ChatMessage[], text: string, calls: ToolCall[]): void => {
  const last = messages.at(-1);
  if (last?.role === "assistant" && typeof last.content === "string" && (calls.length > 0 || last.toolCalls !== undefined)) {
    last.content += last.content === "" || text === "" ? text : `\n${text}`;
    last.toolCalls ??= [];
    last.toolCalls.push(...calls);
  } else if (text !== "" || calls.length > 0) {
    messages.push({ role: "assistant", content: text, ...(calls.length > 0 && { toolCalls: calls }) });
  }
};
