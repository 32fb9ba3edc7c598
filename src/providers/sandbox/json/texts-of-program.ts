/** Texts that a regular expression matches, found on the ways through its compiled program. */

import type { RE2JS } from "re2js";

/** RE2's instructions. The others go on without a character: captures, and conditions on the place, which the caller checks. */
const FORK = [1, 2];
const FAIL = 5;
const MATCH = 6;
const CHARACTER = [8, 9, 10, 11];
const ANY_CHARACTER = [10, 11];

type Instruction = { op: number; out: number; arg: number; runes: Int32Array; matchRune(code: number): boolean };

/** A way through the program: where it has come to, from the instruction that took the character before. */
type Way = { at: number; before?: Way };

/** The texts of one way through the program; undefined beyond the last of them. */
export type Texts = (nth: number) => string | undefined;

const MOST_CHARACTERS = 2_000;
/** For each way that is followed. */
const STEPS_PER_WAY = 200;

/** The texts of each length from `least` on, until the ways end or `spend` says no. */
export function* textsOf({ re2Input }: RE2JS, least: number, spend: (steps: number) => boolean): Generator<Texts> {
  const { inst: program, start } = re2Input.prog as { inst: Instruction[]; start: number };
  const choices = new Map<number, string>();
  const choicesAt = ({ at }: Way): string => choices.getOrInsertComputed(at, () => choicesOf(program[at]!));
  let ways = toCharacters(program, [{ at: start }]);
  for (let length = 0; length <= MOST_CHARACTERS && ways.length > 0 && spend(ways.length * STEPS_PER_WAY); length++) {
    const end = ways.find(({ at }) => program[at]!.op === MATCH);
    if (end && length >= least) yield (nth) => nthSpelling(stepsTo(end).map(choicesAt), nth);
    const ahead = ways.filter(({ at }) => CHARACTER.includes(program[at]!.op));
    ways = toCharacters(
      program,
      ahead.map((before) => ({ at: program[before.at]!.out, before })),
    );
  }
}

/** Follows the ways to the next characters that they take, or to the end; of several to one place the first. */
const toCharacters = (program: readonly Instruction[], ways: Way[]): Way[] => {
  const seen = new Set<number>();
  const found: Way[] = [];
  const open = ways.toReversed();
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    if (seen.has(way.at)) continue;
    seen.add(way.at);
    const { op, out, arg } = program[way.at]!;
    if (op === MATCH || CHARACTER.includes(op)) found.push(way);
    else if (FORK.includes(op)) open.push({ ...way, at: arg }, { ...way, at: out });
    else if (op !== FAIL) open.push({ ...way, at: out });
  }
  return found;
};

const stepsTo = ({ before }: Way): Way[] => {
  const steps: Way[] = [];
  for (let step = before; step !== undefined; step = step.before) steps.push(step);
  return steps.reverse();
};

export const DIGITS = "0123456789";
export const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const USUAL = [..."a1A -_", ...LETTERS.slice(1), ...DIGITS.replace("1", ""), ...LETTERS.slice(1).toUpperCase()];

/** The usual characters that an instruction takes, or else its first one. */
const choicesOf = (instruction: Instruction): string => {
  const { op, runes } = instruction;
  if (ANY_CHARACTER.includes(op)) return USUAL.join("");
  const usual = runes.length === 1 ? [] : USUAL.filter((each) => instruction.matchRune(each.charCodeAt(0)));
  return usual.join("") || String.fromCodePoint(runes[0]!);
};

/** Counts through the choices of all places as a meter does, the last one first. Undefined beyond the last text. */
export const nthSpelling = (places: readonly string[], nth: number): string | undefined => {
  let left = nth;
  const spelt = places.toReversed().map((choices) => {
    const characters = [...choices];
    const character = characters[left % characters.length]!;
    left = Math.floor(left / characters.length);
    return character;
  });
  return left > 0 ? undefined : spelt.reverse().join("");
};
