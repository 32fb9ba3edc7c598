/** Sessions of a project of its own, for the tests of the file that calls this. */

import type { Project } from "../../src/accounts/project.ts";
import { messagesAfter } from "../../src/memory/message-store.ts";
import { recallSession } from "../../src/memory/recall-session.ts";
import { rememberTurn } from "../../src/memory/remember-turn.ts";
import { findSession } from "../../src/memory/store.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

export const user = (content: string): ChatMessage => ({ role: "user", content });
export const assistant = (content: string): ChatMessage => ({ role: "assistant", content });
export const texts = (messages: { content: unknown }[]) => messages.map(({ content }) => content);
export const isSummary = (message: ChatMessage | undefined): boolean =>
  message?.role === "system" && String(message.content).startsWith("Summary of the earlier conversation");

export const sessionsOfFile = async () => {
  const gateway = await gatewayOfFile();
  const key = await gateway.key({ project: "memory", tier: "pro" });
  const { project } = key;
  let names = 0;
  const requireSession = async (name: string) => {
    const session = findSession(gateway.platform.db, project.id, name, gateway.platform.clock.now());
    if (session === undefined) throw new Error(`no session ${name}`);
    return session;
  };
  return {
    gateway,
    key,
    project,
    newName: () => `session-${++names}`,
    say: (name: string, text: string, answer = `answer to ${text}`, of: Project = project, userId?: string) =>
      rememberTurn(gateway.platform, of, name, {
        messages: [user(text)],
        answer: assistant(answer),
        ...(userId !== undefined && { userId }),
      }),
    recall: (name: string, more: object = {}, of: Project = project) =>
      recallSession(gateway.platform, of, name, { messages: [user("next")], budgetTokens: 1_000_000, ...more }),
    requireSession,
    storedMessages: async (name: string) => messagesAfter(gateway.platform.db, project.id, await requireSession(name), 0),
  };
};
