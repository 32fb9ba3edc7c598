/** The answer in words, made of the request's own text. */

import { jsonOf } from "../../../lib/is-json.ts";
import { isContainer } from "../../../lib/is-record.ts";
import { ownValue } from "../../../lib/own-value.ts";
import { chooseLabel, offeredLabels } from "../text/choose-label.ts";
import { factsFor } from "../text/facts-for-key.ts";
import { readFacts } from "../text/read-facts.ts";
import { bestSentences, keySentences, numberOf, splitSentences } from "../text/sentences.ts";
import { workOut } from "../text/work-out.ts";
import type { Ask } from "./read-ask.ts";
import { writeCode } from "./write-code.ts";

export function writeAnswer(model: string, ask: Ask): string {
  if (ask.toolResults.length > 0) return fromToolResults(ask);
  if (ask.attachments !== "") return `${ask.attachments} You asked: “${shorten(ask.prompt) || "nothing further"}”.`;
  switch (ask.task) {
    case "summarization":
      return summary(ask);
    case "classification":
      return classification(ask);
    case "extraction":
      return extraction(ask);
    case "code":
      return writeCode(ask.instruction);
    case "translation":
      return translation(ask);
    case "writing":
      return draft(ask);
    case "question":
      return fromKnowledge(ask) ?? workOut(ask.prompt) ?? plain(model, ask);
    case "reasoning":
      return workOut(ask.prompt) ?? fromKnowledge(ask) ?? reasoned(ask);
    default:
      return fromKnowledge(ask) ?? plain(model, ask);
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
  return /\b(?:bullets?|points)\b/i.test(ask.instruction)
    ? sentences.map((sentence) => `- ${sentence}`).join("\n")
    : sentences.join(" ");
}

/** With a full stop, unless it has an ending. */
const ended = (sentence: string): string =>
  /[.!?。！？”"')\]]$/.test(sentence) ? sentence : `${sentence.replace(/[,;:]$/, "")}.`;

/** One label, or a line for each item of a list. */
function classification(ask: Ask): string {
  const labels = offeredLabels(ask.instruction, ask.prompt);
  const items = ask.body
    .split(/,|;|\n/)
    .map((item) => item.replace(/^\s*(?:[-*•]|\d+[.)])?\s*/, "").trim())
    .filter(Boolean);
  const isList =
    items.length > 1 &&
    items.every((item) => item.length <= 60) &&
    /\b(?:each|these|the following|them)\b/i.test(ask.instruction);
  return isList
    ? items.map((item) => `${item}: ${chooseLabel(labels, item)}`).join("\n")
    : chooseLabel(labels, ask.body || ask.prompt);
}

function extraction(ask: Ask): string {
  const facts = readFacts(ask.body || ask.background || ask.prompt);
  const asked = [...ask.instruction.toLowerCase().matchAll(/\p{L}+/gu)].flatMap(([word]) => factsFor(word, facts));
  const found =
    asked.length > 0 ? asked : [...facts.all("name"), ...facts.all("date"), ...facts.all("email"), ...facts.all("number")];
  const lines = [...new Set(found)].slice(0, 50).map((fact) => `- ${fact}`);
  return lines.length > 0
    ? lines.join("\n")
    : keySentences(facts.text, 2)
        .map((sentence) => `- ${ended(sentence)}`)
        .join("\n") || "- none";
}

function translation(ask: Ask): string {
  const language = /\b(?:into|to|in) (\p{Lu}\p{L}+)/u.exec(ask.instruction)?.[1] ?? "the language you named";
  const quoted = /["“«„]([^"“”«»„]{1,300})["”»“]|(?<!\p{L})['‘]([^'‘’]{1,300})['’](?!\p{L})/u.exec(ask.instruction);
  return `In ${language}: “${ask.body || quoted?.[1] || quoted?.[2] || shorten(ask.instruction)}”`;
}

/** What an instruction is about: the words after `about`, `of` and the like, or from `why` on; else all but its first word. */
const topicOf = (text: string): string => {
  const about = /\b(?:(?:about|on|of|for|regarding)\s+(?:the\s|a\s|an\s)?|(?=(?:why|how)\s))([^.,;:!?\n]{3,80})/i.exec(text)?.[1];
  const topic = about ?? /^\s*\S+\s+([^.,;:!?\n]{3,80})/.exec(text)?.[1] ?? "the subject";
  return topic.replace(/\bstep by step\b/i, "").trim();
};

function draft(ask: Ask): string {
  const topic = topicOf(ask.instruction);
  const source = ask.body || ask.background;
  const material = source === "" ? [] : keySentences(source, 2).map(ended);
  const opening = `Here is a short draft about ${topic}.`;
  const middle =
    material.length > 0
      ? material.join(" ")
      : `It opens with what makes ${topic} worth a reader's time, and stays with one clear image.`;
  return `${opening}\n\n${middle}\n\nIt closes by coming back to ${topic}, in plain words.`;
}

/** The sentences of the text, the system prompt or the conversation that answer best; undefined if none does. */
function fromKnowledge(ask: Ask): string | undefined {
  const best = bestSentences(
    ask.instruction,
    ask.known.map(({ text }) => text),
  );
  if (best.length === 0) return undefined;
  const isOwn = (sentence: string): boolean => ask.known.some(({ text, own }) => own && text === sentence);
  // A passage may begin with its number, which is not part of the sentence.
  return best
    .map((sentence) => ended(isOwn(sentence) ? inSecondPerson(sentence) : sentence.replace(/^\[\d+\]\s*/, "")))
    .join(" ");
}

const SECOND_PERSON: Record<string, string> = {
  my: "your",
  mine: "yours",
  i: "you",
  "i'm": "you're",
  "i've": "you've",
  am: "are",
  me: "you",
  our: "your",
  we: "you",
};

/** `My name is Ada` → `Your name is Ada`. */
const inSecondPerson = (sentence: string): string =>
  sentence.replace(/[A-Za-z']+/g, (word, at: number) => {
    const said = ownValue(SECOND_PERSON, word.toLowerCase()) ?? word;
    return at === 0 ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  });

function reasoned(ask: Ask): string {
  const points = keySentences(ask.body || ask.prompt, 2).map((sentence) => ended(shorten(sentence)));
  const steps = points.map((point, index) => `${index + 1}. Given: ${point}`);
  const topic = topicOf(ask.instruction);
  return `${steps.join("\n")}\n${steps.length + 1}. The question is ${topic}.\n\nConclusion: what is given is all there is to say about ${topic}.`;
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
