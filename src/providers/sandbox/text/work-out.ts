/** Finds the first calculation in a text and works it out by the rules of arithmetic. */

import { numberOf } from "./sentences.ts";

/** What binds least comes first. */
const OPERATORS: readonly Record<string, (a: number, b: number) => number>[] = [
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => a / b },
  { "^": (a, b) => a ** b },
];
/** Other spellings of the operators. */
const SPELT: Record<string, string> = { plus: "+", minus: "-", times: "*", x: "*", "×": "*", "÷": "/", "**": "^" };

const NUMBER = "\\d+(?:,\\d{3})*(?:\\.\\d+)?";
/** A minus and a slash need spaces: without them they stand in dates, telephone numbers and `2-3 sentences`. */
const BETWEEN = "(?: (?:plus|minus|times|[-/]) | ?(?:\\*\\*|[+*^x×÷]) ?)";
/** Not what is only a part of something longer, such as a sum in brackets. */
const SUM = new RegExp(`(?<![\\p{L}\\d.,(]|[-+*^×÷/] ?)${NUMBER}(?:${BETWEEN}${NUMBER})+(?![\\p{L}\\d)]| ?[-+*^×÷/(])`, "iu");
const PIECE = new RegExp(`${NUMBER}|[^\\s\\d]+`, "g");
const MOST_PIECES = 60;

/** `2 + 3 * 4 = 14.`; undefined if the text has no calculation. */
export const workOut = (text: string): string | undefined => {
  const sum = findSum(text);
  return sum && `${sum.expression} = ${Number(sum.value.toPrecision(12))}.`;
};

/** The first calculation, in figures and signs, and its result. */
export const findSum = (text: string): { expression: string; value: number } | undefined => {
  const written = SUM.exec(text.slice(0, 20_000))?.[0].match(PIECE) ?? [];
  const pieces = written.map((piece) => SPELT[piece.toLowerCase()] ?? piece);
  if (pieces.length === 0 || pieces.length > MOST_PIECES) return undefined;
  const value = evaluate(pieces);
  return Number.isFinite(value) ? { expression: pieces.join(" "), value } : undefined;
};

/** `pieces`: numbers, with operators between them. The last of those that bind least is applied last. */
const evaluate = (pieces: readonly string[]): number => {
  for (const operators of OPERATORS) {
    const at = pieces.findLastIndex((piece) => Object.hasOwn(operators, piece));
    if (at !== -1) return operators[pieces[at]!]!(evaluate(pieces.slice(0, at)), evaluate(pieces.slice(at + 1)));
  }
  return numberOf(pieces[0]!);
};
