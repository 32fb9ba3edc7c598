/** A text that matches a regular expression, for the ordinary patterns people put into schemas. */

import { RE2JS } from "re2js";

const MAX_LENGTH = 2_000;
const MAX_REPEAT = 200;
const SAMPLES: Record<string, string> = {
  d: "1",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  n: "\n",
  t: "\t",
  r: "\r",
  f: "\f",
  v: "\v",
  b: "",
  B: "",
};

/** True when the whole-text search finds the pattern; linear time. A pattern that RE2 cannot take matches nothing. */
export function matchesPattern(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return false;
  }
}

/** Best effort: undefined when what was generated does not match (look-arounds, back references). */
export function patternInstance(pattern: string, minLength = 0): string | undefined {
  for (const extra of [0, minLength]) {
    const text = generate(pattern, extra);
    if (text.length >= minLength && matchesPattern(pattern, text)) return text;
  }
  const shortest = generate(pattern, 0);
  return matchesPattern(pattern, shortest) ? shortest : undefined;
}

/** Recursive descent over the pattern; each open-ended repetition is written `stretch` times where that is more than it asks for. */
function generate(pattern: string, stretch: number): string {
  let at = 0;

  const alternatives = (): string => {
    let text = sequence();
    while (pattern[at] === "|") {
      at += 1;
      const other = sequence();
      if (text === "") text = other;
    }
    return text;
  };

  const sequence = (): string => {
    let text = "";
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const piece = atom();
      text += piece.repeat(repetitions(piece.length)).slice(0, MAX_LENGTH);
    }
    return text;
  };

  const atom = (): string => {
    const character = pattern[at] as string;
    at += 1;
    if (character === "(") return group();
    if (character === "[") return characterClass();
    if (character === "\\") return escaped();
    if (character === "^" || character === "$") return "";
    return character === "." ? "a" : character;
  };

  const group = (): string => {
    const isLookAround = /^\?<?[=!]/.test(pattern.slice(at, at + 3));
    const prefix = /^\?(?::|<?[=!]|P?<\w+>)/.exec(pattern.slice(at, at + 80));
    at += prefix?.[0].length ?? 0;
    const text = alternatives();
    at += 1;
    return isLookAround ? "" : text;
  };

  const escaped = (): string => {
    const character = pattern[at] ?? "";
    at += 1;
    if (character === "p" || character === "P") {
      const property = /^\{(\^?\w+(?:=\w+)?)\}/.exec(pattern.slice(at, at + 40));
      at += property?.[0].length ?? 0;
      return /^(?:N|Nd)$/.test(property?.[1] ?? "") ? "1" : /^Lu$/.test(property?.[1] ?? "") ? "A" : "a";
    }
    if (character === "u" || character === "x") {
      const length = character === "u" ? 4 : 2;
      const code = Number.parseInt(pattern.slice(at, at + length), 16);
      at += length;
      return Number.isNaN(code) ? "" : String.fromCharCode(code);
    }
    return SAMPLES[character] ?? character;
  };

  const characterClass = (): string => {
    const negated = pattern[at] === "^";
    if (negated) at += 1;
    const members: string[] = [];
    const from = at;
    while (at < pattern.length && (pattern[at] !== "]" || at === from)) {
      if (pattern[at] === "\\") {
        at += 1;
        members.push(escaped());
      } else {
        members.push(pattern[at] as string);
        at += 1;
      }
    }
    const source = pattern.slice(from, at);
    at += 1;
    if (!negated) return members[0] ?? "";
    return [..."a1 A-_x"].find((character) => matchesPattern(`^[^${source}]$`, character)) ?? "";
  };

  const repetitions = (pieceLength: number): number => {
    const quantifier = /^(?:[*+?]|\{(\d{1,5})(,(\d{0,5}))?\})/.exec(pattern.slice(at, at + 16));
    if (!quantifier) return 1;
    at += quantifier[0].length;
    if (pattern[at] === "?" || pattern[at] === "+") at += 1;
    const [least, most] = boundsOf(quantifier);
    const wanted = pieceLength === 0 ? least : Math.max(least, Math.ceil(stretch / pieceLength));
    return Math.min(most, Math.max(least, Math.min(wanted, MAX_LENGTH)), Math.max(least, MAX_LENGTH));
  };

  return alternatives().slice(0, MAX_LENGTH);
}

/** Least and most repetitions; an optional piece is written once where that costs nothing. */
function boundsOf(quantifier: RegExpExecArray): [number, number] {
  const sign = quantifier[0][0];
  if (sign === "+") return [1, MAX_REPEAT];
  if (sign === "*") return [0, MAX_REPEAT];
  if (sign === "?") return [0, 1];
  const least = Math.min(Number(quantifier[1]), MAX_LENGTH);
  if (quantifier[2] === undefined) return [least, least];
  return [least, quantifier[3] ? Math.min(Number(quantifier[3]), MAX_LENGTH) : Math.max(least, MAX_REPEAT)];
}
