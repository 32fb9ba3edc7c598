/** Which part of a prompt is the instruction, and which kind of task it sets. */

export type Task =
  | "code"
  | "summarization"
  | "classification"
  | "extraction"
  | "translation"
  | "question"
  | "writing"
  | "reasoning"
  | "chat";

/** Words that tell a task; the first row that matches wins. */
const CUES: readonly [task: Task, cue: RegExp][] = [
  [
    "summarization",
    /\b(?:summari[sz]e|summary|tl;?dr|overview|condense|(?:key|main|bullet) points|bullets|in brief|shorten|recap|gist)\b/i,
  ],
  ["translation", /\btranslat(?:e|ion)\b/i],
  [
    "classification",
    /\b(?:classify|categori[sz]e|sentiment|spam|label (?:this|the|each)|which (?:category|class|label|of (?:these|the following))|(?:whether|if) (?:each|these|the following)|tell me whether|(?:pick|choose) (?:one|the)|one of (?:these|the following)|positive or negative)\b/i,
  ],
  [
    "extraction",
    /\b(?:extract|pull out|list (?:all|every|the (?:names?|dates?|emails?))|find all|identify (?:all|every)|(?:get|collect) all)\b/i,
  ],
  [
    "code",
    /\b(?:write|implement|create|fix|refactor|debug|generate|give|show|complete|make)\b.*\b(?:code|function|script|program|sql|query|regex|regexp|python|javascript|typescript|java|golang|rust|html|css|bash|shell|algorithm|unit tests?|class|component|endpoint)\b/i,
  ],
  ["code", /```|\b(?:implement|refactor|debug) /i],
  ["reasoning", /\b(?:solve|calculate|compute|prove|step by step|how many|how much)\b|\d\s*[-+*/×÷^]\s*\d/i],
  ["writing", /\b(?:write|compose|draft|rewrite|rephrase|poem|story|essay|slogan|tagline|haiku|limerick|song)\b/i],
  [
    "question",
    /\?\s*$|^\s*(?:what|who|whom|whose|where|when|which|why|how|is|are|was|were|do|does|did|can|could|should|will|would|has|have)\b/i,
  ],
  ["reasoning", /\b(?:explain|reason|think|why|compare|analy[sz]e)\b/i],
];

const taskByCue = (text: string): Task | undefined => CUES.find(([, cue]) => cue.test(text.slice(0, 2_000)))?.[0];
const hasCue = (text: string): boolean => taskByCue(text) !== undefined;

/** Without a cue, a prompt with a text is taken for a question about it. */
export const taskOf = (instruction: string, body: string): Task => taskByCue(instruction) ?? (body === "" ? "chat" : "question");

/**
 * Separates the instruction from the text it is about (`body`, empty if there is none). Of several paragraphs, the first or the last is the
 * instruction: the one with a cue, and of two the shorter. In one paragraph it stands before a colon or line break, or on the last line.
 */
export function splitInstruction(prompt: string): { instruction: string; body: string } {
  const paragraphs = prompt.split(/\n[ \t]*\n/).map((paragraph) => paragraph.trim());
  const [first = "", last = ""] = [paragraphs[0], paragraphs.at(-1)];
  if (paragraphs.length > 1) {
    const ends = [first, last].filter(hasCue).sort((a, b) => a.length - b.length);
    const instruction = ends[0] ?? first;
    const rest = instruction === last && instruction !== first ? paragraphs.slice(0, -1) : paragraphs.slice(1);
    return { instruction, body: rest.join("\n\n") };
  }
  const cut = /^[^\n:]{3,300}(?::|\n)/.exec(prompt)?.[0].length ?? 0;
  const [head, tail] = [prompt.slice(0, cut), prompt.slice(cut).trim()];
  if (tail !== "" && hasCue(head)) return { instruction: head.replace(/[:\s]+$/, ""), body: tail };
  const lastLine = prompt.slice(prompt.lastIndexOf("\n") + 1);
  if (lastLine !== prompt && hasCue(lastLine)) return { instruction: lastLine, body: prompt.slice(0, -lastLine.length).trim() };
  return { instruction: prompt, body: "" };
}
