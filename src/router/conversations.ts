/**
 * Remembers which model answered a conversation last. Its prompt cache is warm and its tone familiar, so it gets a bonus while it is good
 * enough.
 */

import { createRecent } from "../lib/recent.ts";
import type { ChatMessage } from "../providers/provider.ts";
import { paragraphsOf } from "./features/request-texts.ts";

export type Conversations = {
  /** The model that answered `key` within the last half hour; undefined if the prompt has become harder since. */
  find(key: string, band: number, now: number): string | undefined;
  remember(key: string, model: string, band: number, now: number): void;
};

const KEPT_MS = 30 * 60_000;
/** The least number of conversations that are remembered. */
const REMEMBERED = 5_000;
const KEY_CHARACTERS = 2_000;

export const createConversations = (): Conversations => {
  const last = createRecent<{ model: string; band: number; atMs: number }>(REMEMBERED);
  return {
    find: (key, band, now) => {
      const known = last.find(key);
      return known !== undefined && now - known.atMs < KEPT_MS && band <= known.band ? known.model : undefined;
    },
    remember: (key, model, band, now) => last.keep(key, { model, band, atMs: now }),
  };
};

/** A conversation is identified by its session, else by its beginning. */
export const conversationKey = (owner: string, messages: readonly ChatMessage[], sessionId: string | undefined): string => {
  if (sessionId !== undefined) return `${owner} session ${sessionId}`;
  const system = messages.find(({ role }) => role === "system");
  const user = messages.find(({ role }) => role === "user");
  const opening = [system, user]
    .map((message) => (message ? paragraphsOf(message.content).slice(0, KEY_CHARACTERS) : ""))
    .join("\n");
  return `${owner} ${Bun.hash(opening).toString(36)}`;
};

/** Whether there was an answer before: the first turn continues nothing. */
export const isContinued = (messages: readonly ChatMessage[], sessionId: string | undefined): boolean =>
  sessionId !== undefined || messages.some(({ role }) => role === "assistant");
