/** The playground's state: kept while other pages are open and over a reload, until the tab is closed. */

import { signal } from "@preact/signals";
import { Failure } from "../../api.ts";
import { type Message, messageText } from "../../message-text.ts";
import type { Attached } from "../../parts/attachments.tsx";
import { here, queryOf, travelled, wasLeft } from "../../router.ts";
import type { Answer } from "../../stream-answer.ts";

/** What is being asked: the next message, the conversation before it, and the call's options. */
export type Draft = {
  system: string;
  turns: Message[];
  text: string;
  attached: Attached[];
  documents: string[];
  /** Functions as JSON, as typed. */
  tools: string;
  ceiling: number | null;
  temperature: number | null;
  maxTokens: number | null;
  sessionId: string;
};

export type Sheet = {
  draft: Draft;
  answers: (Answer | null)[];
  /** The content of the message being answered; null if the answers are to tool results. */
  asked: unknown;
};

/** The messages of a call that is repeated (call page, "Replay in the playground"). */
const replayed = (): Message[] => {
  if (queryOf("replay") === null) return [];
  try {
    return JSON.parse(sessionStorage.getItem("signalbox-replay") ?? "[]") as Message[];
  } catch {
    return [];
  }
};

const blank = (): Sheet => {
  const messages = replayed();
  const turns = messages.filter(({ role }) => role !== "system");
  const last = turns.at(-1)?.role === "user" ? turns.pop() : undefined;
  const draft: Draft = {
    system: messageText(messages.find(({ role }) => role === "system")?.content),
    turns,
    text: messageText(last?.content) || (queryOf("prompt") ?? ""),
    attached: [],
    documents: [queryOf("document")].filter((id) => id !== null),
    tools: "",
    ceiling: null,
    temperature: null,
    maxTokens: null,
    sessionId: queryOf("session") ?? "",
  };
  return { draft, answers: [], asked: null };
};

type Left = { href: string; sheet: Sheet };
const KEPT = "signalbox-playground-draft";

const readKept = (): Left | null => {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Left | null;
  } catch {
    return null;
  }
};
const left = signal(readKept());

const asStopped = (answer: Answer): Answer =>
  answer.state === "running" ? { ...answer, state: "stopped", endedMs: performance.now() } : answer;

/** JSON.stringify omits an error's message. */
const withMessage = (_: string, value: unknown): unknown =>
  value instanceof Failure ? { ...value, message: value.message } : value;

/** If the storage has no room for attachments and answers, only what was typed is kept over a reload. */
export const keepSheet = (href: string, sheet: Sheet): void => {
  left.value = { href, sheet: { ...sheet, answers: sheet.answers.filter((answer) => answer !== null).map(asStopped) } };
  const typed: Left = { href, sheet: { draft: { ...sheet.draft, turns: [], attached: [] }, answers: [], asked: null } };
  for (const kept of [left.value, typed]) {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(kept, withMessage));
      break;
    } catch {
      sessionStorage.removeItem(KEPT);
    }
  }
};

const isReload = (): boolean =>
  !travelled.value &&
  (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined)?.type === "reload";

/** Back, the menu and a reload restore the state; a link with parameters begins anew, even if it equals the previous one. */
export const beginSheet = (): Sheet => {
  if (left.value === null) return blank();
  const { pathname, search } = new URL(left.value.href);
  const isBack = (wasLeft() || isReload()) && here.value.search === search;
  return here.value.pathname === pathname && (here.value.search === "" || isBack) ? left.value.sheet : blank();
};
