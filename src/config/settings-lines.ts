/** Finds lines in `signalbox.yaml` for error messages, since the parser keeps none. */

/** " (line 12)" if exactly one line names the setting, such as `providers.openai.kee`; else nothing. */
export const atLineOf = (text: string, setting: string): string => {
  const name = setting.slice(setting.lastIndexOf(".") + 1);
  const found = linesOf(text).flatMap((line, index) => (nameOn(line) === name ? [index + 1] : []));
  return found.length === 1 ? ` (line ${found[0]})` : "";
};

/** A top-level setting that is given twice: YAML would silently use the later one. */
export const repeatedSetting = (text: string): { name: string; lines: [number, number] } | undefined => {
  const seen = new Map<string, number>();
  for (const [index, line] of linesOf(text).entries()) {
    const name = /^[a-z_]/.test(line) ? nameOn(line) : undefined;
    if (name === undefined) continue;
    const before = seen.get(name);
    if (before !== undefined) return { name, lines: [before, index + 1] };
    seen.set(name, index + 1);
  }
  return undefined;
};

/** The line after the longest valid beginning. For short files only, since each beginning is parsed separately. */
export const unreadableLine = (text: string, read: (beginning: string) => unknown): number | undefined => {
  const lines = linesOf(text);
  if (lines.length > MOST_LINES) return undefined;
  for (let count = lines.length - 1; count > 0; count--) {
    try {
      read(lines.slice(0, count).join("\n"));
      return count + 1;
    } catch {
      // A shorter beginning may be valid.
    }
  }
  return 1;
};

const MOST_LINES = 1_000;

const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** The name before the colon of `name: value`, `- name: value` or `"name": value`. */
const nameOn = (line: string): string | undefined => /^\s*(?:-\s+)?["']?([\w.-]+)["']?\s*:(?:\s|$)/.exec(line)?.[1];
