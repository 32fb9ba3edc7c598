/** Converts Anthropic's Messages requests to a `ChatInput`. */

import { invalidRequest } from "../../api-error.ts";
import type { ChatInput } from "../../chat/request/chat-input.ts";
import { ignoredFields } from "../../chat/request/ignored-fields.ts";
import { readOwnFields } from "../../chat/request/own-fields.ts";
import { readCacheWish } from "../../chat/request/read-cache-wish.ts";
import { given } from "../../lib/given.ts";
import type { ChatRequest, ReasoningEffort, ThinkingWish } from "../../providers/provider.ts";
import { effortOfBudget } from "../effort-of-budget.ts";
import { offeredTools, readChoice, readTool } from "./read-declared-tools.ts";
import { readMessage } from "./read-message.ts";
import { attributionOf, readSystem } from "./read-system.ts";
import { type AnthropicMessage, type CountBody, MessagesBody } from "./wire.ts";

/** `betas`: the header with Anthropic's beta features. */
export const readMessagesBody = (
  body: MessagesBody,
  knows: (model: string) => boolean,
  betas: string | null = null,
): ChatInput => {
  refuseServers(body);
  const format = body.output_config?.format ?? body.output_format;
  const userId = body.metadata?.user_id || null;
  const stop = body.stop_sequences?.filter((sequence) => sequence !== "");
  const thinking = thinkingOf(body);
  return {
    request: {
      ...readConversation(body),
      maxOutputTokens: body.max_tokens,
      thinking,
      forAnthropic: readForAnthropic(body, betas),
      ...given({
        temperature: body.temperature,
        topP: body.top_p,
        topK: body.top_k,
        stop: stop?.length ? stop : null,
        user: userId,
        outputFormat: format && { type: "schema" as const, name: "answer", schema: format.schema, strict: true },
        reasoningEffort: effortOf(body),
        cachePrompt: readCacheWish(body),
      }),
    },
    route: "/v1/messages",
    ...readOwnFields(body),
    schemaStrict: false,
    ignored: ignoredFields(body, MessagesBody, placesLeftOut(body)),
    ...given({
      pinnedModel: pins(body.model, knows) ? body.model : null,
      schemaField: format && (body.output_config?.format ? "output_config.format.schema" : "output_format.schema"),
      userId,
      showsThinking: isShown(thinking) ? ("as-content" as const) : null,
    }),
  };
};

/** Claude Code names models that the catalog may not know yet; those are routed instead of refused. */
const pins = (model: MessagesBody["model"], knows: (model: string) => boolean): model is string =>
  !!model && model !== "auto" && (knows(model) || !model.startsWith("claude-"));

const SHOWN: readonly ThinkingWish["mode"][] = ["enabled", "adaptive", "between_tools"];

/** Who says what becomes of earlier thinking wants to have it. */
const isShown = ({ mode, blockBinding }: ThinkingWish): boolean => SHOWN.includes(mode) || blockBinding !== undefined;

const refuseServers = ({ mcp_servers: servers }: MessagesBody): void => {
  if (servers?.length)
    throw invalidRequest(
      "`mcp_servers` is not supported: call these servers yourself, and declare their tools in `tools`.",
      "mcp_servers",
    );
};

/** Ignored: tools that run at Anthropic, where no ceiling holds; citations; edits that would change the answer's form; a turn's settings. */
const placesLeftOut = ({ tools, messages, context_management: management }: MessagesBody): string[] => {
  const unread = (tools ?? []).flatMap((tool, at) => (readTool(tool, `tools.${at}`) === undefined ? [`tools.${at}`] : []));
  const uncited = messages.flatMap(({ content }, index) =>
    (typeof content === "object" ? content : []).flatMap((block, at) =>
      "citations" in block && block.citations?.enabled ? [`messages.${index}.content.${at}.citations`] : [],
    ),
  );
  const unedited = (management?.edits ?? []).flatMap((edit, at) => (onlyClears(edit) ? [] : [`context_management.edits.${at}`]));
  const unset = messages.flatMap((message, index) => (message.output_config ? [`messages.${index}.output_config`] : []));
  return [...unread, ...uncited, ...unedited, ...unset];
};

/** Messages, system and tools: what `count_tokens` counts too. */
export const readConversation = (body: CountBody): ChatRequest => {
  const system = readSystem(body.system);
  const declared = body.tools ?? [];
  const shown = shownMessages(body);
  const tools = offeredTools(declared, shown);
  const choice = body.tool_choice;
  const messages = shown.flatMap((message, index) => readMessage(message, `messages.${index}`));
  if (messages.length === 0)
    throw invalidRequest("`messages.0.content` is empty, so there is nothing to answer.", "messages.0.content");
  return {
    messages: [...(system !== "" ? [{ role: "system" as const, content: system }] : []), ...messages],
    ...(tools.length > 0 && { tools }),
    ...(choice && tools.length > 0 && { toolChoice: readChoice(choice, tools, declared) }),
    ...(choice && "disable_parallel_tool_use" in choice && choice.disable_parallel_tool_use && { parallelToolCalls: false }),
  };
};

/** The text of a system message may be meant for its own turn only, and it may have none. */
const shownMessages = ({ messages }: CountBody): AnthropicMessage[] => {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, index) => {
    const { role, content, clear_at: clearAt } = message;
    if (role === "system" && clearAt === "next_user_message" && index < lastUser)
      return { ...message, content: typeof content === "string" ? [] : (content ?? []).filter(({ type }) => type !== "text") };
    if (content !== undefined) return message as AnthropicMessage;
    if (role === "system") return { ...message, content: [] };
    throw invalidRequest(`\`messages.${index}.content\` is required.`, `messages.${index}.content`);
  });
};

const EFFORTS: readonly ReasoningEffort[] = ["low", "medium", "high", "xhigh", "max"];

const effortOf = ({ thinking, output_config: config }: MessagesBody): ReasoningEffort | undefined => {
  const effort = EFFORTS.find((known) => known === config?.effort);
  if (effort !== undefined) return effort;
  if (thinking?.type === "disabled" || thinking?.type === "between_tools") return "none";
  return thinking?.type === "enabled" ? effortOfBudget(thinking.budget_tokens || 1) : undefined;
};

const MODES = ["enabled", "adaptive", "between_tools", "disabled"] as const;

const thinkingOf = ({ thinking }: MessagesBody): ThinkingWish => {
  const { type, budget_tokens: budgetTokens, display, block_binding: blockBinding } = thinking ?? {};
  return {
    mode: MODES.find((known) => known === type) ?? "default",
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...((display === "summarized" || display === "omitted" || display === "updates") && { display }),
    ...(blockBinding && { blockBinding }),
  };
};

const BETA = /^[A-Za-z0-9][\w.-]{0,63}$/;
const MOST_BETAS = 32;

/** Edits of the context that only remove something. */
const onlyClears = ({ type }: { type: string }): boolean => type.startsWith("clear_");

/** Settings that are used only if one of Anthropic's models answers. */
const readForAnthropic = (
  { context_management: management, system }: MessagesBody,
  header: string | null,
): NonNullable<ChatRequest["forAnthropic"]> => {
  const betas = (header ?? "")
    .slice(0, MOST_BETAS * 65)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => BETA.test(name))
    .slice(0, MOST_BETAS);
  const edits = management?.edits?.filter(onlyClears) ?? [];
  const attribution = attributionOf(system);
  return { ...(betas.length > 0 && { betas }), ...(edits.length > 0 && { edits }), ...(attribution && { attribution }) };
};
