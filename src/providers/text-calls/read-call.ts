/** Reads one call in any of its forms. What does not name an offered tool, or has no object of arguments, is none. */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";
import { isWithoutArguments } from "../dialect/message-parts.ts";
import { looseArguments } from "./loose-arguments.ts";
import { type ArgumentTags, NAME_PREFIXES, NUMBERS, PAIRS, SEPARATORS, type TaggedForm } from "./markup.ts";
import { jsonSpan, NO_CALL, type Pieces, peek, type Reading, requireWord, skip, upTo, word } from "./pieces.ts";
import { typedValue } from "./typed-value.ts";

/** `arguments`: JSON text. */
export type TextCall = { name: string; arguments: string };
/** `isClosed`: it ended with a tag of its own. */
export type ReadCall = TextCall & { isClosed?: true };

/** The offered tools. `schemaOf`: of the parameters of that one. */
export type Tools = { names: readonly string[]; schemaOf(name: string): Record<string, unknown> };

function* toolName(pieces: Pieces, { names }: Tools): Reading<string> {
  const name = yield* word(pieces, names);
  if (name === undefined) throw NO_CALL;
  return name;
}

/** A JSON object that is the call. `isInner`: the value of a member `function`. */
export function* jsonCall(pieces: Pieces, tools: Tools, isInner = false): Reading<TextCall> {
  const call: Partial<TextCall> = {};
  yield* requireWord(pieces, "{");
  do {
    yield* skip(pieces);
    const key = yield* requireWord(pieces, ...KEYS);
    yield* skip(pieces);
    yield* requireWord(pieces, ":");
    yield* skip(pieces);
    Object.assign(call, yield* MEMBERS[key]!(pieces, tools, isInner));
    yield* skip(pieces);
  } while ((yield* requireWord(pieces, ",", "}")) === ",");
  if (call.name === undefined || call.arguments === undefined) throw NO_CALL;
  return { name: call.name, arguments: call.arguments };
}

type Member = (pieces: Pieces, tools: Tools, isInner: boolean) => Reading<Partial<TextCall>>;

const nameMember: Member = function* (pieces, tools) {
  yield* requireWord(pieces, '"');
  const name = yield* toolName(pieces, tools);
  yield* requireWord(pieces, '"');
  return { name };
};
const argumentsMember: Member = function* (pieces) {
  if ((yield* word(pieces, ["null"])) !== undefined) return { arguments: "{}" };
  const span = yield* jsonSpan(pieces);
  return { arguments: objectText(span.startsWith('"') ? String(jsonOf(span)) : span) };
};
/** As in OpenAI's format: the call itself, or its name alone. */
const functionMember: Member = function* (pieces, tools, isInner) {
  if ((yield* peek(pieces)) === '"') return yield* nameMember(pieces, tools, isInner);
  if (isInner) throw NO_CALL;
  return yield* jsonCall(pieces, tools, true);
};
const otherMember: Member = function* (pieces) {
  if ((yield* peek(pieces)) === '"') yield* jsonSpan(pieces);
  else yield* skip(pieces, /[\w.-]/);
  return {};
};

const MEMBERS: Readonly<Record<string, Member>> = {
  '"name"': nameMember,
  '"tool_name"': nameMember,
  '"tool"': nameMember,
  '"function"': functionMember,
  '"arguments"': argumentsMember,
  '"parameters"': argumentsMember,
  '"args"': argumentsMember,
  '"input"': argumentsMember,
  '"type"': otherMember,
  '"id"': otherMember,
  '"tool_call_id"': otherMember,
};
const KEYS = Object.keys(MEMBERS);

/** Small models write a file's lines as they are into a JSON string. */
const escapeBreaks = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"/g, (string) =>
    string.replace(/[\n\r\t]/g, (blank) => JSON.stringify(blank).slice(1, -1)),
  );

/** Throws if the text is no JSON object. */
const objectText = (text: string): string => {
  if (isWithoutArguments(text)) return "{}";
  const found = [text, escapeBreaks(text)].find((each) => isRecord(jsonOf(each)));
  if (found === undefined) throw NO_CALL;
  return found;
};

/** A list of calls, each in JSON or as in Python. */
export function* listedCalls(pieces: Pieces, tools: Tools): Reading<TextCall[]> {
  const calls: TextCall[] = [];
  yield* requireWord(pieces, "[");
  do {
    yield* skip(pieces);
    calls.push((yield* peek(pieces)) === "{" ? yield* jsonCall(pieces, tools) : yield* pythonCall(pieces, tools));
    yield* skip(pieces);
  } while ((yield* requireWord(pieces, ",", "]")) === ",");
  return calls;
}

function* pythonCall(pieces: Pieces, tools: Tools): Reading<TextCall> {
  const name = yield* toolName(pieces, tools);
  return { name, arguments: yield* looseArguments(pieces, "(") };
}

/** A call between tags whose `form.open` has been read: the arguments are JSON, or have a tag each. */
export function* taggedCall(pieces: Pieces, tools: Tools, form: TaggedForm): Reading<ReadCall> {
  const name = yield* toolName(pieces, tools);
  yield* requireWord(pieces, form.named);
  yield* skip(pieces);
  if ((yield* peek(pieces)) !== "{")
    return { name, arguments: yield* taggedArguments(pieces, form, tools.schemaOf(name)), isClosed: true };
  const text = objectText(yield* jsonSpan(pieces));
  yield* skip(pieces);
  if ((yield* peek(pieces)) !== "") yield* requireWord(pieces, form.close);
  return { name, arguments: text, isClosed: true };
}

/** Reads until the call's end. Some models leave out the tag after a value, if a line follows. */
function* taggedArguments(pieces: Pieces, tags: ArgumentTags, parameters: Record<string, unknown>): Reading<string> {
  const ends = [tags.valued, `\n${tags.parameter}`, `\n${tags.close}`];
  /** `isText`: the tag says so. */
  const given = new Map<string, { value: string; isText: boolean }>();
  let tag = yield* requireWord(pieces, tags.parameter, tags.close);
  while (tag === tags.parameter) {
    const key = yield* upTo(pieces, tags.keyed);
    if (tags.value !== undefined) {
      yield* skip(pieces);
      yield* requireWord(pieces, tags.value);
    }
    const { text, end } = yield* upTo(pieces, ends);
    const isClosed = end === tags.valued;
    given.set(key.text.trim(), { value: isClosed ? text : `${text}\n`, isText: key.end.includes("true") });
    if (isClosed) yield* skip(pieces);
    tag = isClosed ? yield* requireWord(pieces, tags.parameter, tags.close) : end.trim();
  }
  const members = [...given].map(([name, { value, isText }]) => {
    const json = isText ? JSON.stringify(value) : typedValue(value, parameters, name);
    return `${JSON.stringify(name)}: ${json}`;
  });
  return `{${members.join(", ")}}`;
}

/** A call that begins with its tool's name: JSON follows, GLM's pairs of tags, or arguments as in Python or by Gemma. */
export function* namedCall(pieces: Pieces, tools: Tools): Reading<ReadCall> {
  const prefix = yield* word(pieces, NAME_PREFIXES);
  const name = yield* toolName(pieces, tools);
  yield* skip(pieces);
  for (let between = yield* word(pieces, SEPARATORS); between !== undefined; between = yield* word(pieces, SEPARATORS)) {
    if (NUMBERS.includes(between)) yield* skip(pieces, /\w/);
    yield* skip(pieces);
  }
  const next = yield* peek(pieces);
  if (next === "<") return { name, arguments: yield* taggedArguments(pieces, PAIRS, tools.schemaOf(name)), isClosed: true };
  if (next === "(" || (next === "{" && prefix === "call:")) return { name, arguments: yield* looseArguments(pieces, next) };
  const fence = next === "`" ? yield* requireWord(pieces, "```json", "```") : undefined;
  yield* skip(pieces);
  const text = objectText(yield* jsonSpan(pieces));
  yield* skip(pieces);
  if (fence !== undefined) yield* requireWord(pieces, "```");
  return { name, arguments: text };
}
