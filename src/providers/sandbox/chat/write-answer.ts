/** The answer in words, made of the request's own text. */

import { jsonOf } from "../../../lib/is-json.ts";
import { isContainer } from "../../../lib/is-record.ts";
import { chooseLabel, offeredLabels } from "../text/choose-label.ts";
import { factsFor } from "../text/facts-for-key.ts";
import { readFacts } from "../text/read-facts.ts";
import { bestSentences, keySentences, numberOf, splitSentences } from "../text/sentences.ts";
import { workOut } from "../text/work-out.ts";
import type { Ask } from "./read-ask.ts";

export function writeAnswer(model: string, ask: Ask): string {
  if (ask.toolResults.length > 0) return fromToolResults(ask);
  if (ask.attachments !== "") return `${ask.attachments} You asked: “${shorten(ask.prompt) || "nothing further"}”.`;
  switch (ask.task) {
    case "summarization":
      return summary(ask);
    case "classification":
      return chooseLabel(offeredLabels(ask.instruction), ask.body || ask.prompt);
    case "extraction":
      return extraction(ask);
    case "code":
      return code(ask);
    default:
      return workOut(ask.instruction) ?? fromKnowledge(ask) ?? plain(model, ask);
  }
}

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 160 ? line.replace(/[.…]+$/, "") : `${line.slice(0, 157).replace(/\s\S*$/, "")} …`;
};

function summary(ask: Ask): string {
  const source = ask.body || ask.background || ask.prompt;
  const asked =
    /\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\s(?:[a-z]+\s)?(?:sentences?|bullets?|points?|lines?)/i.exec(
      ask.instruction,
    )?.[1];
  const count = asked === undefined ? Math.min(3, Math.ceil(splitSentences(source).length / 4)) : numberOf(asked);
  const sentences = keySentences(source, Math.max(1, count)).map(ended);
  return /\b(?:bullets?|points)\b/i.test(ask.instruction) ? bullets(sentences) : sentences.join(" ");
}

/** With a full stop, unless it has an ending. */
const ended = (sentence: string): string =>
  /[.!?。！？”"')\]]$/.test(sentence) ? sentence : `${sentence.replace(/[,;:]$/, "")}.`;

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

function extraction(ask: Ask): string {
  const facts = readFacts(ask.body || ask.background || ask.prompt);
  const asked = [...ask.instruction.toLowerCase().matchAll(/\p{L}+/gu)].flatMap(([word]) => factsFor(word, facts));
  const found =
    asked.length > 0 ? asked : [...facts.all("name"), ...facts.all("date"), ...facts.all("email"), ...facts.all("number")];
  return bullets([...new Set(found)].slice(0, 50)) || bullets(keySentences(facts.text, 2).map(ended)) || bullets(["none"]);
}

const LANGUAGE = /\b(?:typescript|javascript|python|java|golang|go|rust|sql|bash|html|css)\b/i;

/** A fence in the language asked for, with nothing to run in it. */
function code({ instruction }: Ask): string {
  const language = LANGUAGE.exec(instruction)?.[0].toLowerCase() ?? "text";
  return `\`\`\`${language}\nsandbox: ${shorten(instruction)}\n\`\`\`\n\nThis is a sketch of the sandbox.`;
}

/** The sentences of the text, the system prompt or the conversation that answer best; undefined if none does. */
function fromKnowledge({ instruction, known }: Ask): string | undefined {
  // A passage may begin with its number, which is not part of the sentence.
  const best = bestSentences(instruction, known).map((sentence) => ended(sentence.replace(/^\[\d+\]\s*/, "")));
  return best.length === 0 ? undefined : best.join(" ");
}

function fromToolResults(ask: Ask): string {
  const lines = ask.toolResults.map(({ name, content }) => `${name} returned ${readable(content)}`);
  return lines.map(ended).join(" ");
}

/** A JSON object as `key: value` pairs; other text as it is. */
function readable(content: string): string {
  const value = jsonOf(content);
  if (value === undefined) return content.trim() || "nothing";
  if (!isContainer(value)) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}: ${typeof member === "object" ? JSON.stringify(member) : String(member)}`)
    .join(", ");
}

const plain = (model: string, ask: Ask): string =>
  `This is the Signalbox sandbox answering as ${model}. It works from the words of the request alone; yours were: “${shorten(ask.prompt) || "none"}”.`;
