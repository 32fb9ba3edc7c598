/** Texts that a regular expression matches, found on the ways through its compiled program. */

import type { RE2JS } from "re2js";

/** RE2's instructions. The others go on without a character: captures, and conditions on the place, which the caller checks. */
const FORK = [1, 2];
const FAIL = 5;
const MATCH = 6;
const CHARACTER = [8, 9, 10, 11];
const ANY_CHARACTER = [10, 11];

type Instruction = { op: number; out: number; arg: number; runes: Int32Array; matchRune(code: number): boolean };

/** A way through the program: where it has come to, and the characters that it took. */
type Way = { at: number; before?: Way; character?: string };

const MOST_CHARACTERS = 2_000;
/** For each way that is followed. */
const STEPS_PER_WAY = 40;

/** One text of each length from `least` on, until the ways end or `spend` says no. */
export function* textsOf({ re2Input }: RE2JS, least: number, spend: (steps: number) => boolean): Generator<string> {
  const { inst: program, start } = re2Input.prog as { inst: Instruction[]; start: number };
  let ways = toCharacters(program, [{ at: start }]);
  for (let length = 0; length <= MOST_CHARACTERS && ways.length > 0 && spend(ways.length * STEPS_PER_WAY); length++) {
    const end = ways.find(({ at }) => program[at]!.op === MATCH);
    if (end && length >= least) yield charactersOf(end);
    const ahead = ways.filter(({ at }) => CHARACTER.includes(program[at]!.op));
    ways = toCharacters(
      program,
      ahead.map((before) => ({ at: program[before.at]!.out, before, character: takenBy(program[before.at]!) })),
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

/** Preferred to others that an instruction takes. */
const USUAL = [..."a1A -_"];

const takenBy = (instruction: Instruction): string => {
  const { op, runes } = instruction;
  if (ANY_CHARACTER.includes(op)) return "a";
  if (runes.length === 1) return String.fromCodePoint(runes[0]!);
  return USUAL.find((each) => instruction.matchRune(each.charCodeAt(0))) ?? String.fromCodePoint(runes[0]!);
};

const charactersOf = (end: Way): string => {
  const characters: string[] = [];
  for (let way: Way | undefined = end; way !== undefined; way = way.before) characters.push(way.character ?? "");
  return characters.reverse().join("");
};
