/**
 * Finds the calls in an answer. A call counts at the beginning of a line, whatever follows its last tag, and behind prose in the same line
 * if the answer ends with it. JSON without a markup counts if it is the whole answer, in a code fence or not. All else stays text: what
 * stands in a fence amid prose, and a markup that the user mentions.
 */

import { BEFORE_NAMES, BETWEEN_CALLS, CLOSINGS, FENCES, OPENINGS, TAGGED_FORMS } from "./markup.ts";
import { anyOf, NO_CALL, type Pieces, peek, type Reading, skip, word } from "./pieces.ts";
import { createProse } from "./prose.ts";
import { jsonCall, listedCalls, namedCall, type ReadCall, type TextCall, type Tools, taggedCall } from "./read-call.ts";

/** What is known of the request, and where its answer goes, in order. */
export type Answer = {
  tools: Tools;
  /** Whether JSON without a markup may be a call. */
  takesBareJson: boolean;
  isMentioned(markup: string): boolean;
  tellText(text: string): void;
  tellCall(call: TextCall): void;
};

type Place = { isFirst: boolean; isLineStart: boolean };

/** The first characters of what may be a call, later and at the beginning of an answer. */
const IN_PROSE = "<[";
const AT_FIRST = "<[{`";

export function* readAnswer(pieces: Pieces, answer: Answer): Reading<void> {
  const prose = createProse();
  let hasCalls = false;
  const noting: Answer = {
    ...answer,
    tellCall(call) {
      hasCalls = true;
      answer.tellCall(call);
    },
  };
  for (;;) {
    pieces.taken = "";
    const isFirst = prose.isBlank() && !hasCalls;
    try {
      if (isFirst) yield* skip(pieces);
      const next = yield* peek(pieces);
      if (next !== "" && (isFirst ? AT_FIRST : IN_PROSE).includes(next) && !prose.isInFence())
        yield* readCalls(pieces, noting, { isFirst, isLineStart: prose.isAtLineStart() });
    } catch (error) {
      if (error !== NO_CALL) throw error;
    }
    const text = pieces.taken.trim() === "" ? pieces.taken + takeProse(pieces) : pieces.taken;
    if (text === "") return;
    prose.add(text);
    answer.tellText(text);
  }
}

const ANY_OPENING = anyOf(OPENINGS);
const LONGEST_OPENING = Math.max(...OPENINGS.map(({ length }) => length));

/** A character, and all up to what is an opening, or what may become one with the next piece. Empty at the end. */
const takeProse = (pieces: Pieces): string => {
  const { text, at } = pieces;
  ANY_OPENING.lastIndex = at + 1;
  const opening = ANY_OPENING.exec(text)?.index ?? text.length;
  const tail = Math.max(at + 1, text.length - LONGEST_OPENING);
  const beginning = text.slice(tail, opening).search(/[<[]/);
  pieces.at = beginning === -1 ? opening : tail + beginning;
  return text.slice(at, pieces.at);
};

const MARKS = [...OPENINGS, ...CLOSINGS];

/**
 * Reads calls that follow each other, with the marks around them, and tells them once it is sure of them. Throws NO_CALL where something
 * else comes; what is then `taken` is text. `isLineStart`: the answer need not end with the calls.
 */
function* readCalls(pieces: Pieces, answer: Answer, { isFirst, isLineStart }: Place): Reading<void> {
  const takesBareJson = answer.takesBareJson && isFirst;
  let mark = yield* word(pieces, takesBareJson ? [...OPENINGS, ...FENCES] : OPENINGS);
  const isMarked = mark !== undefined && OPENINGS.includes(mark);
  if (isMarked ? answer.isMentioned(mark!) : !takesBareJson) throw NO_CALL;
  const isSure = isMarked && isLineStart;
  const marks = isMarked ? MARKS : [...MARKS, ...FENCES];
  const calls: ReadCall[] = [];
  let hasTold = false;
  const tellCalls = (): void => {
    hasTold ||= calls.length > 0;
    for (const call of calls.splice(0)) answer.tellCall(call);
    if (hasTold) pieces.taken = "";
  };
  for (;;) {
    calls.push(...(yield* callsBehind(pieces, mark, answer.tools)));
    if (isSure && calls.at(-1)?.isClosed) tellCalls();
    yield* skip(pieces);
    if (calls.length > 0 && (yield* word(pieces, BETWEEN_CALLS)) !== undefined) yield* skip(pieces);
    const following = yield* word(pieces, marks);
    if (following !== undefined) {
      mark = following;
      if (isSure) tellCalls();
      if (hasTold && OPENINGS.includes(mark)) pieces.taken = mark;
      continue;
    }
    const next = yield* peek(pieces);
    const isMore = calls.length > 0 && mayBeName(mark, next);
    if (!isMore) mark = undefined;
    if (isMore || next === "{" || next === "[") continue;
    if (next !== "" || (calls.length === 0 && !hasTold)) throw NO_CALL;
    return tellCalls();
  }
}

/** Whether what begins so, behind that mark, is a name if it belongs to a call at all. */
const mayBeName = (mark: string | undefined, next: string): boolean =>
  mark !== undefined && BEFORE_NAMES.includes(mark) && next !== "" && !AT_FIRST.includes(next);

/** The calls that stand here, behind that mark. */
function* callsBehind(pieces: Pieces, mark: string | undefined, tools: Tools): Reading<ReadCall[]> {
  const form = TAGGED_FORMS.find(({ open }) => open === mark);
  if (form !== undefined) return [yield* taggedCall(pieces, tools, form)];
  yield* skip(pieces);
  const next = yield* peek(pieces);
  if (next === "{") return [yield* jsonCall(pieces, tools)];
  if (next === "[") return yield* listedCalls(pieces, tools);
  return mayBeName(mark, next) ? [yield* namedCall(pieces, tools)] : [];
}
