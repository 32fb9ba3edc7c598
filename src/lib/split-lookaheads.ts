/**
 * Regular expressions whose lookaheads all stand right after a leading `^`, as generators of schemas and rules for passwords write them:
 * `^(?=A)(?!B)C` says that `^(?:A)` and `^C` match, and `^(?:B)` does not. Each of these can be matched in linear time.
 */

/** `matches`: whether it has to match, or must not. */
export type Condition = { pattern: string; matches: boolean };

const SKIPPED = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[()|]/g;
const QUANTIFIER = /[*+?{]/;

/** The index after the group that opens at `start`; -1 if it does not close. */
function groupEnd(source: string, start: number): number {
  let depth = 0;
  for (const { 0: token, index } of source.slice(start).matchAll(SKIPPED)) {
    if (token === "(") depth++;
    if (token === ")" && --depth === 0) return start + index + 1;
  }
  return -1;
}

/** Whether an alternative begins outside all groups. */
function hasAlternatives(source: string): boolean {
  let depth = 0;
  for (const [token] of source.matchAll(SKIPPED)) {
    if (token === "|" && depth === 0) return true;
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
  }
  return false;
}

/** Conditions that together say what `source` says; its last one is what remains of it. Lookarounds elsewhere stay where they are. */
export function splitLookaheads(source: string): Condition[] {
  const conditions: Condition[] = [];
  let at = 1;
  while (/^\(\?[=!]$/.test(source.slice(at, at + 3))) {
    const end = groupEnd(source, at);
    if (end < 0 || QUANTIFIER.test(source.charAt(end))) break;
    conditions.push({ pattern: `^(?:${source.slice(at + 3, end - 1)})`, matches: source[at + 2] === "=" });
    at = end;
  }
  const isSplit = source.startsWith("^") && !hasAlternatives(source);
  return isSplit ? [...conditions, { pattern: `^${source.slice(at)}`, matches: true }] : [{ pattern: source, matches: true }];
}
