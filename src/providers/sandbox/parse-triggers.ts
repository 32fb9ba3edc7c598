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

type Trigger = {
  name: FaultName;
  /** Applies to every attempt, not only to the first. */
  always: boolean;
  /** `slow=MS` */
  ms?: number;
  /** `reply=TEXT` */
  reply?: string;
};

const OPENING = "[[sandbox:";
const CLOSING = "]]";
const ALWAYS = ":always";
const MAX_SLOW_MS = 600_000;

/**
 * The triggers of a text, and the text without them. Unknown names and wrong values are left in the text.
 * Gap: TEXT of `reply=TEXT` may contain brackets, line breaks and colons. It ends at the first `]]` that closes no bracket opened in TEXT;
 * of more brackets in a row the last two count. If brackets remain open, it ends at the last `]]` before the next trigger. Linear in the
 * length of the text.
 */
export function parseTriggers(text: string): { text: string; triggers: Trigger[] } {
  const triggers: Trigger[] = [];
  let rest = "";
  let at = 0;
  for (let start = text.indexOf(OPENING); start !== -1; start = text.indexOf(OPENING, at)) {
    const inside = start + OPENING.length;
    const next = text.indexOf(OPENING, inside);
    const length = lengthOfTrigger(text.slice(inside, next === -1 ? undefined : next));
    const trigger = length === -1 ? undefined : readTrigger(text.slice(inside, inside + length));
    const after = trigger ? inside + length + CLOSING.length : inside;
    rest += text.slice(at, trigger ? start : after);
    if (trigger) triggers.push(trigger);
    at = after;
  }
  if (triggers.length === 0) return { text, triggers };
  return { text: (rest + text.slice(at)).trim(), triggers };
}

/** The triggers that apply to an attempt, by name; of two with the same name the last wins. */
export type Faults = ReadonlyMap<FaultName, Trigger>;

/** The text without its triggers, and those of them that apply to this attempt. */
export const readFaults = (whole: string, attempt: number): { text: string; faults: Faults } => {
  const { text, triggers } = parseTriggers(whole);
  const active = triggers.filter((trigger) => trigger.always || attempt <= 1);
  return { text, faults: new Map(active.map((trigger) => [trigger.name, trigger])) };
};

/** The length of the trigger whose inside `tail` begins with; -1 if it is not closed. */
function lengthOfTrigger(tail: string): number {
  if (!tail.startsWith("reply=")) return tail.indexOf(CLOSING);
  let depth = 0;
  for (let i = 0; i < tail.length - 1; i += 1) {
    if (depth === 0 && tail.startsWith(CLOSING, i) && tail[i + CLOSING.length] !== "]") return i;
    if (tail[i] === "[") depth += 1;
    if (tail[i] === "]" && depth > 0) depth -= 1;
  }
  return tail.lastIndexOf(CLOSING);
}

function readTrigger(inside: string): Trigger | undefined {
  const always = inside.endsWith(ALWAYS);
  const call = always ? inside.slice(0, -ALWAYS.length) : inside;
  const equals = call.indexOf("=");
  const name = FAULTS.find((fault) => fault === (equals === -1 ? call : call.slice(0, equals)));
  if (name === undefined || (name === "slow" || name === "reply") !== (equals !== -1)) return undefined;
  const value = call.slice(equals + 1);
  if (name === "reply") return { name, always, reply: value };
  if (name !== "slow") return { name, always };
  return /^\d{1,9}$/.test(value) ? { name, always, ms: Math.min(Number(value), MAX_SLOW_MS) } : undefined;
}
