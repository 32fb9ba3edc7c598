/** Reads the data in a passage of an answer, and tells data from prose by what was read. */
import { isContainer, isRecord } from "../../lib/is-record.ts";
import { setOwn } from "../../lib/own-value.ts";
import type { Passage } from "./extract-json.ts";
import { ABSENT, createReader, keyIsAhead, peek, type Reader, type Repair, skipFiller, Unreadable } from "./json-reader.ts";
import { readValue } from "./read-json-value.ts";
import { unwrapLayers } from "./unwrap-layers.ts";

export type Candidate = {
  value: unknown;
  repairs: Repair[];
  /** The JSON as the model wrote it, if only what stands around it was removed. */
  text?: string;
};

/**
 * Reading may begin at many places of a passage. Altogether so many characters are read, or so many times the passage, which is less for
 * a short one and more for a long one.
 */
const MOST_READ = 200_000;
const MOST_PASSES = 20;
const PASSES_OF_LONG = 2;
const MAX_STARTS = 500;
const MAX_CONTINUATIONS = 20;

/** Likely readings first. */
export function* readPassage(passage: Passage): Generator<Candidate> {
  if (passage.kind === "embedded") yield* readEmbedded(passage);
  else yield* readWhole(passage);
}

/** A passage that is meant to be JSON from its first character on. */
function* readWhole(passage: Passage): Generator<Candidate> {
  for (const layer of unwrapLayers(passage.text)) {
    const { text, repairs } = layer;
    const readings = [false, true].map((plainQuotes) => readRun(text, 0, plainQuotes)).filter((run) => run !== undefined);
    readings.sort((left, right) => doubts(left, text) - doubts(right, text));
    for (const run of readings) {
      const fits = doWordsFollow(run, text) ? looksLikeData(run, text) : standsAlone(run, text);
      if (fits) yield toCandidate(run, [...passage.repairs, ...repairs]);
    }
  }
}

/** Data somewhere in prose: what is called the answer, then what needs no repair, then the others, in order; examples come last. */
function* readEmbedded(passage: Passage): Generator<Candidate> {
  const { text } = passage;
  const found: Run[] = [];
  let work = 0;
  let starts = 0;
  const mostWork = Math.max(text.length * PASSES_OF_LONG, Math.min(text.length * MOST_PASSES, MOST_READ));
  const read = (at: number, plainQuotes: boolean): Run | undefined => {
    const run = readRun(text, at, plainQuotes);
    work += (run?.reached ?? text.length) - at;
    return run;
  };
  for (let at = nextBracket(text, 0); at >= 0 && starts < MAX_STARTS && work < mostWork; starts++) {
    const mended = read(at, false);
    // What is JSON needs no mending, whatever quotes and brackets its strings contain.
    const plain = mended === undefined || isUntouched(mended) ? undefined : read(at, true);
    const run = plain !== undefined && isUntouched(plain) ? plain : mended;
    const fits = run !== undefined && looksLikeData(run, text);
    if (fits) found.push(run);
    at = nextBracket(text, fits ? run.end : at + 1);
  }
  if (passage.meantLast) found.reverse();
  for (const run of found.toSorted((left, right) => rankIn(text, left) - rankIn(text, right))) {
    const candidate = toCandidate(run, passage.repairs);
    yield isUntouched(run) ? { ...candidate, text: text.slice(run.start, run.end) } : candidate;
  }
  if (found.length > 1) yield toCandidate(inOne(found), passage.repairs);
}

/** Lower is likelier. `Final answer: {…}` is meant before other data, `for example {…}` and `The input was {…}` after. */
const rankIn = (text: string, run: Run): number => {
  const before = text.slice(Math.max(0, run.start - 60), run.start);
  if (IS_ANSWER.test(before)) return 0;
  if (IS_EXAMPLE.test(before)) return 4;
  return isUntouched(run) ? 1 : run.repairs.has("truncated") ? 3 : 2;
};
const IS_ANSWER =
  /\b(?:answer|result|output|correct|corrected|final)(?: (?:is|as|in|the|json|object|format|version)){0,4}[\s:*]{0,5}$/i;
const IS_EXAMPLE = /\b(?:for (?:example|instance)|e\.g\.?|(?:input|schema|template|draft) (?:is|was))[\s:,]{0,3}$/i;

/** `1. {…}\n2. {…}`: all data found in prose as one list, which only a schema may ask for. */
const inOne = (runs: Run[]): Run => {
  const repairs = new Set(runs.flatMap((run) => [...run.repairs]));
  return { ...runs[0]!, value: runs.map(({ value }) => value), repairs: repairs.add("concatenated_values") };
};

const isUntouched = ({ repairs }: Run): boolean => repairs.size === 0 || (repairs.size === 1 && repairs.has("surrounding_text"));

const nextBracket = (text: string, from: number): number => {
  const found = /[{[]/g;
  found.lastIndex = from;
  return found.exec(text)?.index ?? -1;
};

const toCandidate = (run: Run, around: Repair[]): Candidate => {
  return { value: run.value, repairs: [...new Set([...around, ...run.repairs])].sort() };
};

/** One value, or several in a row that are then meant as a list. */
type Run = {
  value: unknown;
  start: number;
  end: number;
  /** Where the text goes on, after separators and brackets that close nothing. */
  next: number;
  /** How far the text was looked at, also where that was in vain. */
  reached: number;
  isDoubtful: boolean;
  repairs: Set<Repair>;
  seen: Reader["seen"];
};

const doubts = (run: Run, text: string): number =>
  (run.repairs.has("truncated") ? 2 : 0) + (doWordsFollow(run, text) ? 1 : 0) + (run.isDoubtful ? 1 : 0);

const readRun = (text: string, start: number, plainQuotes: boolean): Run | undefined => {
  const reader = createReader(text, start, plainQuotes);
  const first = tryRead(reader);
  if (first === ABSENT) return undefined;
  const values = [first];
  const opener = openerOfMore(first, reader);
  for (let times = 0; ; times++) {
    const end = reader.at;
    skipBetween(reader);
    const next = peek(reader);
    const more = next === opener ? tryRead(reader) : continueObject(reader, values, times) ? undefined : ABSENT;
    if (more === ABSENT) {
      if (peek(reader) !== "") reader.repairs.add("surrounding_text");
      if (values.length > 1) reader.repairs.add("concatenated_values");
      const value = values.length > 1 ? values : first;
      const { at, isDoubtful, repairs, seen } = reader;
      return { value, start, end, next: at, reached: Math.max(end, reader.reached), isDoubtful, repairs, seen };
    }
    if (more !== undefined) values.push(more);
  }
};

/** Whether more than a comment on the data follows, as in `{} // nothing was found`. It reads all the rest, so it is asked seldom. */
const doWordsFollow = ({ next }: Run, text: string): boolean => {
  if (!/[^\s`}\]);,.]/.test(text.slice(next))) return false;
  const rest = createReader(text, next);
  skipFiller(rest);
  return peek(rest) !== "";
};

/** The bracket that begins a further value of the same run. A list of bare words is a tag, not the first of several lists. */
const openerOfMore = (first: unknown, { seen }: Reader): string | undefined => {
  if (!isContainer(first)) return undefined;
  if (!Array.isArray(first)) return "{";
  return seen.bareStrings === 0 ? "[" : undefined;
};

/** ABSENT if nothing can be read; the reader then is where it was before. */
const tryRead = (reader: Reader): unknown => {
  const before = reader.at;
  try {
    return readValue(reader, "top");
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof RangeError)) throw error;
    reader.reached = Math.max(reader.reached, reader.at);
    reader.at = before;
    reader.closers.length = 0;
    return ABSENT;
  }
};

/** Steps over separators and brackets that close nothing, but not over comments, which in prose are prose. */
const skipBetween = (reader: Reader): void => {
  const between = /[\s,;}\])]*/y;
  between.lastIndex = reader.at;
  const found = between.exec(reader.text)?.[0] ?? "";
  if (/[}\]]/.test(found)) reader.repairs.add("mismatched_bracket");
  reader.at += found.length;
};

/** `{"a": 1}, "b": 2}`: the object was closed too early; the members that follow belong to it. */
const continueObject = (reader: Reader, values: unknown[], times: number): boolean => {
  if (times > MAX_CONTINUATIONS) return false;
  const object = values.at(-1);
  if (!isRecord(object) || peek(reader) !== '"' || !keyIsAhead(reader.text, reader.at)) return false;
  // The rest is copied, however little of it belongs to the object.
  reader.reached = reader.text.length;
  const rest = createReader(`{${reader.text.slice(reader.at)}`, 0);
  const more = tryRead(rest);
  if (more === ABSENT) return false;
  for (const [key, value] of Object.entries(more as object)) setOwn(object, key, value);
  reader.repairs.add("mismatched_bracket");
  for (const repair of rest.repairs) reader.repairs.add(repair);
  reader.at += rest.at - 1;
  return true;
};

/** Whether a passage may be data as a whole: words in brackets are not a list, and words in braces are not an object. */
const standsAlone = ({ value, repairs, seen }: Run, text: string): boolean => {
  if (typeof value === "string") return text.startsWith('"') && !repairs.has("unescaped_quote");
  if (!isContainer(value)) return !repairs.has("function_call");
  if (isCutEmpty(value, repairs)) return /^[{[]\s*["'{[]/.test(text);
  if (Object.keys(value).length === 0) return !repairs.has("ellipsis");
  if (!Array.isArray(value)) return true;
  if (text.startsWith("{") || text.startsWith("(")) return value.some(isContainer);
  if (seen.bareStrings === 0 || seen.quotedKeys + seen.quotedStrings + seen.literals > 0) return true;
  return value.length > 1 && value.every((item) => typeof item !== "string" || !item.includes(" "));
};

/** An opening bracket at the end of a text says nothing. */
const isCutEmpty = (value: object, repairs: Set<Repair>): boolean => repairs.has("truncated") && Object.keys(value).length === 0;

/** Whether a value amid prose is data: quoted keys, quoted strings or literals speak for it, bare words against it. */
const looksLikeData = (run: Run, text: string): boolean => {
  const { value, seen } = run;
  if (!isContainer(value) || seen.sets > 0 || isCutEmpty(value, run.repairs)) return false;
  if (seen.quotedKeys > 0) return seen.bareStrings === 0 || seen.quotedStrings + seen.literals > 0;
  if (seen.bareStrings > 0) return false;
  if (seen.quotedStrings > 0) return true;
  if (seen.bareKeys > 0) return seen.literals > 0;
  if (run.repairs.has("ellipsis")) return false;
  return standsOut(run, text);
};

/** A list of numbers (prose cites as `[1]`) or an empty value counts only if it stands at the end of a line or takes several lines. */
const standsOut = ({ value, start, end }: Run, text: string): boolean => {
  const isNested = Array.isArray(value) && value.some(isContainer);
  if (isNested || (Array.isArray(value) && value.length > 1 && text.slice(start, end).includes("\n"))) return true;
  const before = text.slice(Math.max(0, start - 20), start);
  return /(?:^|[:\n]|<\w{1,20}>)\s*$/.test(before) && /^\s*(?:$|\n|<\/\w|\.\s*(?:$|\n))/.test(text.slice(end, end + 20));
};
