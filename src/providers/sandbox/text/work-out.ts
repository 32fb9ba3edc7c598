/** Finds the first calculation in a text and works it out by the rules of arithmetic. */

import { numberOf } from "./sentences.ts";

const OPERATORS: Record<string, { binds: number; apply: (a: number, b: number) => number }> = {
  "+": { binds: 1, apply: (a, b) => a + b },
  "-": { binds: 1, apply: (a, b) => a - b },
  "*": { binds: 2, apply: (a, b) => a * b },
  "/": { binds: 2, apply: (a, b) => a / b },
  "% of": { binds: 3, apply: (a, b) => (a / 100) * b },
  "^": { binds: 4, apply: (a, b) => a ** b },
};
/** Other spellings of the operators. */
const SPELT: Record<string, string> = {
  plus: "+",
  minus: "-",
  "−": "-",
  times: "*",
  "multiplied by": "*",
  "divided by": "/",
  x: "*",
  "×": "*",
  "÷": "/",
  "**": "^",
  "%of": "% of",
  "percent of": "% of",
};

const PIECE =
  /(?<![\d.,])\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,9})?(?!\d|(?!x\s{0,3}\d)[\p{L}_])|\*\*|%\s?of\b|percent of\b|plus\b|minus\b|times\b|multiplied by\b|divided by\b|x(?=\s{0,3}\d)|[-+*/^×÷−()]/giu;
/** Numbers with signs between them that are not a calculation: dates, telephone numbers, `2-3 sentences`. */
const NO_SUM = /^\d+([-/])\d+\1\d+\W*$|(?<![\d.])0\d|^\d+-\d+\s\p{L}/u;
const MOST_PIECES = 60;

/** `2 + 3 * 4 = 14.`; undefined if the text has no calculation. Linear in the length of the text. */
export const workOut = (text: string): string | undefined => {
  const sum = findSum(text);
  return sum && `${sum.expression} = ${Number(sum.value.toPrecision(12))}.`;
};

/** The first calculation, in figures and signs, and its result. */
export const findSum = (text: string): { expression: string; value: number } | undefined => {
  for (const run of runsOf(text)) {
    const value = NO_SUM.test(run.written + run.after) ? undefined : evaluate(run.pieces);
    if (value !== undefined) return { expression: shown(run.pieces), value };
  }
  return undefined;
};

/** `after`: the next two characters of the text. */
type Run = { written: string; after: string; pieces: string[] };

/** Runs of numbers and operators with only spaces between them. */
function* runsOf(text: string): Generator<Run> {
  let run: Run = { written: "", after: "", pieces: [] };
  let end = 0;
  for (const { 0: piece, index } of text.slice(0, 20_000).matchAll(PIECE)) {
    const between = text.slice(end, index);
    if (!/^\s{0,3}$/.test(between) || run.pieces.length >= MOST_PIECES) {
      yield run;
      run = { written: "", after: "", pieces: [] };
    }
    run.written += (run.pieces.length > 0 ? between : "") + piece;
    const lower = piece.toLowerCase().replace(/\s+/g, piece.startsWith("%") ? "" : " ");
    run.pieces.push(SPELT[lower] ?? lower);
    end = index + piece.length;
    run.after = text.slice(end, end + 2);
  }
  yield run;
}

const isNumber = (piece: string | undefined): boolean => piece !== undefined && /^\d/.test(piece);

/** Undefined unless all pieces are one calculation with at least one operator and a finite result. */
const evaluate = (pieces: readonly string[]): number | undefined => {
  if (!pieces.some((piece) => Object.hasOwn(OPERATORS, piece)) || pieces.filter(isNumber).length < 2) return undefined;
  let at = 0;
  const operand = (): number => {
    const piece = pieces[at++];
    if (piece === "-") return -operand();
    if (piece !== "(") return piece === undefined || !isNumber(piece) ? Number.NaN : numberOf(piece);
    const value = expression(0);
    return pieces[at++] === ")" ? value : Number.NaN;
  };
  const expression = (least: number): number => {
    let value = operand();
    for (;;) {
      const operator = OPERATORS[pieces[at] ?? ""];
      if (operator === undefined || operator.binds <= least) return value;
      at++;
      // A power binds from the right.
      value = operator.apply(value, expression(operator.binds === 4 ? 3 : operator.binds));
    }
  };
  const value = expression(0);
  return at === pieces.length && Number.isFinite(value) ? value : undefined;
};

const shown = (pieces: readonly string[]): string =>
  pieces
    .join(" ")
    .replaceAll("( ", "(")
    .replaceAll(" )", ")")
    .replaceAll(" %", "%")
    .replace(/(^|[(*/^] ?)- /g, "$1-");
