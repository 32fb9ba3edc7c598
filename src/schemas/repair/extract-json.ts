/** Finds the passages of a model's answer that may be its JSON, best first (safety-notes §5). Pure and linear. */
import type { Repair } from "./json-reader.ts";

/** `whole`: all that the model meant to say. `embedded`: perhaps prose around data, which counts only if it looks like data. */
export type Passage = {
  text: string;
  kind: "whole" | "fenced" | "embedded";
  repairs: Repair[];
  /** Thinking began and was never closed, so the last data is meant, after drafts. */
  meantLast?: boolean;
};

/** Also as Seed, Kimi and Magistral write it: `<seed:think>`, `◁/think▷`, `[/THINK]`. */
const THINKING_TAG = /[<◁[](\/?)(?:\w{1,12}:)?(?:think|thinking|reasoning|thought|reflection|scratchpad)[>▷\]]/gi;
/** Its parts exclude each other, so that a line of a million letters is read only once. */
const FENCE = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))([^\n`]*)$/gm;
const LANGUAGE = /^[ \t]*([\w+.-]*)/;
/** Of the blocks that hold data, likeliest first. */
const LANGUAGES = [/^json\w*$/i, /^$/, /^(?:js|javascript|ts|typescript|python|py|yaml|text|txt|plaintext)$/i, /^/];

/** Best first; the same text never twice. */
export const extractPassages = (answer: string): Passage[] => {
  const { spoken, isOpen } = withoutThinking(answer);
  const repairs: Repair[] = spoken === answer ? [] : ["thinking"];
  const text = withoutQuoteMarks(spoken.replace(/^[\s\ufeff]+/, "").trimEnd());
  const fenced = fencedBlocks(text).map(
    (block): Passage => ({ text: block, kind: "fenced", repairs: [...repairs, "code_fence"] }),
  );
  const bare = withoutClosingFence(text);
  const whole: Passage = { text: bare, kind: "whole", repairs: bare === text ? repairs : [...repairs, "code_fence"] };
  return [whole, ...fenced, { text, kind: "embedded", repairs: [...repairs, "surrounding_text"], meantLast: isOpen }];
};

/** Removes a fence at the end if it is the only one. */
const withoutClosingFence = (text: string): string => {
  const fence = text.indexOf("```");
  return fence >= 0 && /^`+$/.test(text.slice(fence)) ? text.slice(0, fence).trimEnd() : text;
};

/**
 * Removes everything between thinking tags, and everything before a closing tag without an opening one. An opening tag that is never closed
 * removes nothing, because the answer may follow it. After data has begun, tags are parts of its strings.
 */
const withoutThinking = (answer: string): { spoken: string; isOpen: boolean } => {
  if (!/[<◁[]/.test(answer) || isDataFirst(answer)) return { spoken: answer, isOpen: false };
  let kept = "";
  let from = 0;
  let depth = 0;
  let inData = false;
  let openedAt = 0;
  for (const tag of answer.matchAll(THINKING_TAG)) {
    const opens = tag[1] === "";
    if (opens && depth === 0) {
      const said = answer.slice(from, tag.index);
      kept += said;
      inData ||= DATA_START.test(said);
      openedAt = tag.index + tag[0].length;
      if (inData) from = tag.index;
    } else if (!opens && depth === 0) {
      kept = "";
      inData = false;
    }
    depth = Math.max(0, depth + (opens ? 1 : -1));
    if (!inData) from = tag.index + tag[0].length;
  }
  const isOpen = depth > 0 && !inData;
  return { spoken: kept + answer.slice(isOpen ? openedAt : from), isOpen };
};
const DATA_START = /[{[]\s*["'{[]/;

/** An answer that is a quotation as a whole: `> {\n>   "a": 1\n> }`. */
const withoutQuoteMarks = (text: string): string =>
  /^>[^\n]*(?:\n>[^\n]*)*$/.test(text) ? text.replace(/^> ?/gm, "").trim() : text;

/** In an answer that begins as data, also in a fence, tags are parts of its strings. */
const isDataFirst = (answer: string): boolean => /^[\s\ufeff]*(?:`{3,}\w*\s*)?(?:\{|\[(?!think\]))/i.test(answer);

type Block = { text: string; language: string };

/** Whether JSON breaks off at a fence; if another fence follows, the first stands in one of its strings. */
const isTorn = (text: string, from: number, to: number): boolean =>
  /^\s*[{[]/.test(text.slice(from, from + 40)) && !/[}\]]\s*$/.test(text.slice(Math.max(from, to - 40), to));

/** Complete code blocks: those marked as JSON first, the last one before the earlier ones. */
const fencedBlocks = (text: string): string[] => {
  const blocks: Block[] = [];
  let opened: { fence: string; language: string; from: number } | undefined;
  const lines = [...text.matchAll(FENCE)].map((line) => ({
    index: line.index,
    end: line.index + line[0].length,
    fence: line[1] as string,
    language: LANGUAGE.exec(line[2] as string)![1] as string,
  }));
  for (const [at, { index, end, fence, language }] of lines.entries()) {
    const closes = opened && language === "" && fence[0] === opened.fence[0] && fence.length >= opened.fence.length;
    if (opened && closes) {
      if (lines[at + 1]?.language === "" && isTorn(text, opened.from, index)) continue;
      blocks.push({ text: text.slice(opened.from, index).trim(), language: opened.language });
      opened = undefined;
    } else if (!opened) opened = { fence, language, from: end };
  }
  if (opened && blocks.length === 0) blocks.push({ text: text.slice(opened.from).trim(), language: opened.language });
  const rank = ({ language }: Block): number => LANGUAGES.findIndex((known) => known.test(language));
  return blocks
    .reverse()
    .sort((left, right) => rank(left) - rank(right))
    .map((block) => block.text);
};
