/** Reads arguments that are written as in Python, `(city="Paris", days=[1, 2])`, or as by Gemma, `{city:<|"|>Paris<|"|>}`, as JSON text. */

import { isJson } from "../../lib/is-json.ts";
import { MOST_LEVELS, NO_CALL, type Pieces, peek, type Reading, requireWord, skip, upTo, word } from "./pieces.ts";
import { PYTHON_CONSTANTS } from "./typed-value.ts";

/** Each argument must have its name. `open`: the bracket that stands here. */
export function* looseArguments(pieces: Pieces, open: "(" | "{"): Reading<string> {
  return `{${(yield* items(pieces, open, open === "(" ? ")" : "}", member)).join(", ")}}`;
}

function* member(pieces: Pieces, levels: number): Reading<string> {
  const name = `"'`.includes(yield* peek(pieces)) ? yield* text(pieces) : yield* skip(pieces, /[\w.$-]/);
  yield* skip(pieces);
  if (name === "") throw NO_CALL;
  yield* requireWord(pieces, "=", ":");
  return `${JSON.stringify(name)}: ${yield* value(pieces, levels)}`;
}

/** What stands between two brackets, separated by commas, the last of which may be followed by nothing. */
function* items(
  pieces: Pieces,
  open: string,
  close: string,
  item: (pieces: Pieces, levels: number) => Reading<string>,
  levels = 0,
): Reading<string[]> {
  if (levels > MOST_LEVELS) throw NO_CALL;
  const read: string[] = [];
  yield* requireWord(pieces, open);
  for (let end = ","; end !== close; ) {
    yield* skip(pieces);
    if ((yield* word(pieces, [close])) !== undefined) break;
    read.push(yield* item(pieces, levels + 1));
    yield* skip(pieces);
    end = yield* requireWord(pieces, ",", close);
  }
  return read;
}

function* value(pieces: Pieces, levels: number): Reading<string> {
  yield* skip(pieces);
  const first = yield* peek(pieces);
  if (QUOTES.some((quote) => quote.startsWith(first))) return JSON.stringify(yield* text(pieces));
  if (first === "[") return `[${(yield* items(pieces, "[", "]", value, levels)).join(", ")}]`;
  if (first === "{") return `{${(yield* items(pieces, "{", "}", member, levels)).join(", ")}}`;
  const written = yield* skip(pieces, /[\w.+-]/);
  const json = PYTHON_CONSTANTS.get(written) ?? written;
  if (!isJson(json)) throw NO_CALL;
  return json;
}

/** The first two know no escapes. */
const QUOTES = ['<|"|>', "<escape>", '"', "'"];
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["\n", ""],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
]);

/** A string in quotes of any kind. */
function* text(pieces: Pieces): Reading<string> {
  const quote = yield* requireWord(pieces, ...QUOTES);
  if (quote.length > 1) return (yield* upTo(pieces, [quote])).text;
  let read = "";
  for (;;) {
    const { text: part, end } = yield* upTo(pieces, [quote, "\\"]);
    read += part;
    if (end === quote) return read;
    read += ESCAPES.get(yield* requireWord(pieces, ...ESCAPES.keys()))!;
  }
}
