/**
 * Tells a chat channel of warnings and errors of the process log, for operators who watch neither it nor a dashboard. Slack and Mattermost read
 * `text`, Discord `content`, other programs the rest.
 */

import { type Clock, MINUTE_MS } from "../lib/clock.ts";
import type { LogEntry } from "../process-log.ts";

export type Alerts = {
  tell(entry: LogEntry): void;
  /** Waits for what is being sent. */
  close(): Promise<void>;
};

/** What is told is not told again so soon, however often it happens; nor is there a flood of different ones. */
const PAUSE_MS = 10 * MINUTE_MS;
const MOST_IN_PAUSE = 20;
const TIMEOUT_MS = 5_000;
/** Discord's limit is 2,000. */
const MOST_CHARACTERS = 1_500;

/** The fields that say what an entry is about; others, such as a request's id, differ each time. */
const SUBJECTS = ["project_id", "mode", "key_id", "provider", "model", "task", "kind", "path"];

const subjectOf = ({ message, fields }: LogEntry): string => JSON.stringify([message, ...SUBJECTS.map((name) => fields[name])]);

const inWords = ({ message, fields }: LogEntry): string => {
  const { stack: _, ...rest } = fields;
  const details = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  const told = details.length === 0 ? "" : ` (${details.map(([name, value]) => `${name}: ${value}`).join(", ")})`;
  return `Signalbox: ${message}${told}`.slice(0, MOST_CHARACTERS);
};

/** `onFailure`: called where the first of some attempts fails. */
export const createAlerts = (url: string, clock: Clock, onFailure: (reason: string) => void): Alerts => {
  const told = new Map<string, number>();
  const sending = new Set<Promise<void>>();
  let isFailing = false;

  const isDue = (entry: LogEntry, now: number): boolean => {
    for (const [subject, atMs] of told) if (Math.abs(now - atMs) >= PAUSE_MS) told.delete(subject);
    if (told.size >= MOST_IN_PAUSE || told.has(subjectOf(entry))) return false;
    told.set(subjectOf(entry), now);
    return true;
  };
  const report = (failure: string | undefined): void => {
    if (failure !== undefined && !isFailing) onFailure(failure);
    isFailing = failure !== undefined;
  };
  const post = async (entry: LogEntry): Promise<void> => {
    const { level, time, message, fields } = entry;
    const text = inWords(entry);
    const body = JSON.stringify({ text, content: text, level, time, message, fields });
    const request = { method: "POST", headers: { "content-type": "application/json" }, body, redirect: "manual" as const };
    try {
      const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      report(response.ok ? undefined : `status ${response.status}`);
    } catch (error) {
      report((error as Error).name);
    }
  };
  return {
    tell: (entry) => {
      if (!isDue(entry, clock.now())) return;
      const sent: Promise<void> = post(entry).finally(() => sending.delete(sent));
      sending.add(sent);
    },
    close: async () => {
      await Promise.all(sending);
    },
  };
};
