/** The program's own log: one JSON object a line on stderr (safety-notes T14). Never a prompt, an answer or a key. */

type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, string | number | boolean | null | undefined>;
export type LogEntry = { time: string; level: LogLevel; message: string; fields: LogFields };
export type ProcessLog = Record<LogLevel, (message: string, fields?: LogFields) => void>;

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** `alert` gets warnings and errors, also those below the `lowest` level that is written; a silent log tells nobody anything. */
export const createProcessLog = (
  lowest: LogLevel | "silent",
  now: () => number,
  alert?: (entry: LogEntry) => void,
): ProcessLog => {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (lowest === "silent") return;
      const time = new Date(now()).toISOString();
      if (RANK[level] >= RANK[lowest]) process.stderr.write(`${JSON.stringify({ time, level, message, ...fields })}\n`);
      if (RANK[level] >= RANK.warn) alert?.({ time, level, message, fields });
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
};

/** What may be logged about an unexpected error: its name, message and the top of its stack, never request data. */
export const describeError = (error: unknown): LogFields =>
  error instanceof Error
    ? { error: error.name, detail: error.message.slice(0, 500), stack: error.stack?.split("\n").slice(1, 6).join(" | ") }
    : { error: "non-error", detail: String(error).slice(0, 500) };
