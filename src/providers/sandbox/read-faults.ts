/** Fault triggers of the sandbox: `[[sandbox:NAME]]`, `[[sandbox:NAME=VALUE]]`, each with an optional `:always` before the end (decisions §2). */

const FAULTS = [
  "refuse",
  "truncate",
  "bad-json",
  "empty",
  "error-500",
  "rate-limit",
  "timeout",
  "slow",
  "disconnect",
  "reply",
  "fail",
] as const;
type FaultName = (typeof FAULTS)[number];

/** The triggers that apply to an attempt, with the text behind `=` of those that have one. */
export type Faults = ReadonlyMap<FaultName, string>;

const OPENING = "[[sandbox:";
const CLOSING = "]]";
const ALWAYS = ":always";
const MAX_SLOW_MS = 600_000;

/**
 * The text without its triggers, and those of them that apply to this attempt: all to the first, to a later one those with `:always`. Of two
 * with the same name the last wins. Unknown names and wrong values are left in the text.
 * Gap: TEXT of `reply=TEXT` may contain brackets, line breaks and colons. It ends at the first `]]` that closes no bracket opened in TEXT;
 * of more brackets in a row the last two count. If brackets remain open, it ends at the last `]]` before the next trigger. Linear in the
 * length of the text.
 */
export function readFaults(text: string, attempt: number): { text: string; faults: Faults } {
  const faults = new Map<FaultName, string>();
  let rest: string | undefined;
  let at = 0;
  for (let start = text.indexOf(OPENING); start !== -1; start = text.indexOf(OPENING, start + 1)) {
    const inside = start + OPENING.length;
    const next = text.indexOf(OPENING, inside);
    const length = lengthOfTrigger(text.slice(inside, next === -1 ? undefined : next));
    const trigger = length === -1 ? undefined : readTrigger(text.slice(inside, inside + length));
    if (trigger === undefined) continue;
    rest = (rest ?? "") + text.slice(at, start);
    at = inside + length + CLOSING.length;
    if (trigger.always || attempt <= 1) faults.set(trigger.name, trigger.value);
  }
  return { text: rest === undefined ? text : (rest + text.slice(at)).trim(), faults };
}

export const withoutTriggers = (text: string): string => readFaults(text, 1).text;

/** How long `slow` is to take, in milliseconds. */
export const slowMsOf = (faults: Faults): number => Math.min(Number(faults.get("slow") ?? 0), MAX_SLOW_MS);

/** The length of the trigger whose inside `tail` begins with; -1 if it is not closed. */
function lengthOfTrigger(tail: string): number {
  if (!tail.startsWith("reply=")) return tail.indexOf(CLOSING);
  let depth = 0;
  // By codes, because the text may have millions of characters.
  for (let i = 0; i < tail.length - 1; i += 1) {
    const code = tail.charCodeAt(i);
    if (code === OPENS) depth += 1;
    else if (code === CLOSES && depth > 0) depth -= 1;
    else if (code === CLOSES && tail.startsWith(CLOSING, i) && tail[i + CLOSING.length] !== "]") return i;
  }
  return tail.lastIndexOf(CLOSING);
}

const [OPENS, CLOSES] = [..."[]"].map((bracket) => bracket.charCodeAt(0));

/** What the values of those that have one must be. */
const VALUES: Partial<Record<FaultName, RegExp>> = { slow: /^\d{1,9}$/, reply: /^/ };

function readTrigger(inside: string): { name: FaultName; value: string; always: boolean } | undefined {
  const always = inside.endsWith(ALWAYS);
  const call = always ? inside.slice(0, -ALWAYS.length) : inside;
  const equals = call.indexOf("=");
  const name = FAULTS.find((fault) => fault === (equals === -1 ? call : call.slice(0, equals)));
  const value = equals === -1 ? "" : call.slice(equals + 1);
  if (name === undefined || (VALUES[name] !== undefined) !== (equals !== -1)) return undefined;
  return VALUES[name]?.test(value) === false ? undefined : { name, value, always };
}
