/** Reads the arguments of a call that is written as in Python, `(city="Paris", days=[1, 2])`, as JSON text. */

import { isJson } from "../../lib/is-json.ts";
import { NO_CALL, type Pieces, peek, type Reading, requireWord, skip, upTo, word } from "./pieces.ts";

const MOST_LEVELS = 128;

const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/** Each argument must have its name. */
export function* pythonArguments(pieces: Pieces): Reading<string> {
  return `{${(yield* items(pieces, "(", ")", argument)).join(", ")}}`;
}

function* argument(pieces: Pieces): Reading<string> {
  const name = yield* skip(pieces, /\w/);
  yield* skip(pieces);
  yield* requireWord(pieces, "=");
  return `${JSON.stringify(name)}: ${yield* value(pieces, 0)}`;
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
  if (first === '"' || first === "'") return JSON.stringify(yield* text(pieces));
  if (first === "[") return `[${(yield* items(pieces, "[", "]", value, levels)).join(", ")}]`;
  if (first === "{") return `{${(yield* items(pieces, "{", "}", member, levels)).join(", ")}}`;
  const written = yield* skip(pieces, /[\w.+-]/);
  const json = CONSTANTS.get(written) ?? written;
  if (!isJson(json)) throw NO_CALL;
  return json;
}

function* member(pieces: Pieces, levels: number): Reading<string> {
  const name = yield* text(pieces);
  yield* skip(pieces);
  yield* requireWord(pieces, ":");
  return `${JSON.stringify(name)}: ${yield* value(pieces, levels)}`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["\n", ""],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
]);

/** A string in quotes of either kind. */
function* text(pieces: Pieces): Reading<string> {
  const quote = yield* requireWord(pieces, '"', "'");
  let read = "";
  for (;;) {
    const { text: part, end } = yield* upTo(pieces, [quote, "\\"]);
    read += part;
    if (end === quote) return read;
    const escaped = yield* requireWord(pieces, ...ESCAPES.keys());
    read += ESCAPES.get(escaped)!;
  }
}
