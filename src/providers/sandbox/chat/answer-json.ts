/** Answers in JSON: an instance of the schema in the request or in its words, or an object with the keys that the prompt names. */

import type { ChatRequest } from "../../provider.ts";
import { schemaInstance } from "../json/schema-instance.ts";
import { chooseLabel, offeredLabels } from "../text/choose-label.ts";
import { readFacts, wordsOfKey } from "../text/read-facts.ts";
import { numberOf } from "../text/sentences.ts";
import type { Ask } from "./read-ask.ts";

/** JSON text. `spoken` is the answer in words. */
export function answerJson(request: ChatRequest, ask: Ask, spoken: string): string {
  const format = request.outputFormat;
  if (format?.type === "schema") return JSON.stringify(schemaInstance(format.schema, sourceOf(ask)));
  if (ask.schema) {
    const withoutSchema = sourceOf(ask).replace(ask.schema.text, () => "");
    return JSON.stringify(schemaInstance(ask.schema.schema, withoutSchema), null, 2);
  }
  const keys = [ask.prompt, ask.background].map(namedKeys).find((named) => named.length > 0);
  if (keys !== undefined) return JSON.stringify(objectOf(keys, ask), null, 2);
  return JSON.stringify(/\bjson array\b/i.test(ask.prompt) ? listOf(ask, spoken) : unnamed(ask, spoken), null, 2);
}

/** The text to take values from; what was said before counts if the prompt says little. */
const sourceOf = (ask: Ask): string =>
  [ask.body || ask.prompt, ask.attachments, ask.body === "" || ask.prompt.length < 200 ? ask.background : ""]
    .filter(Boolean)
    .join("\n\n");

const LISTS = [
  /((?:["'`][A-Za-z_][\w-]{0,40}["'`],?\s(?:and\s|or\s)?){1,30})(?:as\s)?(?:keys?|fields?|properties|attributes|members)\b/i,
  /\b(?:keys?|fields?|properties|attributes|members)\b(?: named| called| are| is)?\s{0,3}:?\s{0,3}([^.\n:;{}]{2,200})/i,
  /\bjson\b[^.\n]{0,40}?\b(?:with|containing|having)\s([^.\n:;{}]{2,200})/i,
  /\b(?:extract|return|get|give me|find)\s(?:the\s)?([^.\n:;{}]{2,120}?)\s(?:as|in)\s(?:a\s)?(?:valid\s)?json\b/i,
];

/** Keys that the prompt writes as in JSON, or lists after a word such as `keys`, `fields` or `with`. */
function namedKeys(prompt: string): string[] {
  const text = prompt.slice(0, 20_000);
  const written = [...text.matchAll(/"([A-Za-z_][\w-]{0,40})"\s{0,3}:/g)].map((match) => match[1] as string);
  if (written.length > 0) return [...new Set(written)];
  const list = LISTS.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  const loose = list?.[1] ?? "";
  // Names in code quotes may have remarks between them: `a` (a number), then `b` (a text).
  const line = loose.includes("`") ? (text.slice(list?.index).split("\n", 1)[0] ?? "") : "";
  const quoted = [...line.slice(0, 2_000).matchAll(/`([A-Za-z_][\w-]{0,40})`/g)].map((match) => match[1] as string);
  if (quoted.length > 0) return [...new Set(quoted)];
  const names = loose.split(/,|\band\b|\s(?=[`"'])/).map(nameIn);
  const keys = names.filter((name) => /^[A-Za-z_][\w -]{0,40}$/.test(name) && name.split(" ").length <= 3);
  return [...new Set(keys.map((name) => name.replaceAll(" ", "_")))];
}

/** Without quotes and article, and without what follows it: `population` of `the population of Berlin`. */
const nameIn = (item: string): string =>
  item
    .replace(/^[\s`"']+|[\s`"']+$/g, "")
    .replace(/^(?:the|a|an)\s+/i, "")
    .replace(/\s(?:for|of|about|in|from)(?:\s.*)?$/i, "");

const NUMERIC = /^(?:age|year|count|quantity|qty|total|amount|price|cost|number|percent|percentage|score|confidence|rating)$/;
const LABEL = /^(?:label|category|class|sentiment|classification)$/;
const PLURAL = /^(?!(?:address|status|news)$)..+[^s]s$/;

/** An object with these keys, each with what its name suggests: a label, a number, a list or a text. */
function objectOf(keys: readonly string[], ask: Ask): unknown {
  const schemaOf = (key: string): Record<string, unknown> => {
    if (LABEL.test(key)) return { const: chooseLabel(offeredLabels(ask.instruction, ask.prompt), ask.body || ask.prompt) };
    if (wordsOfKey(key).some((word) => NUMERIC.test(word))) return { type: "number" };
    return PLURAL.test(key) ? { type: "array", items: { type: "string" } } : { type: "string" };
  };
  const properties = Object.fromEntries(keys.map((key) => [key, schemaOf(key)]));
  return schemaInstance({ type: "object", properties, required: [...keys] }, sourceOf(ask));
}

/** An object for a prompt that names no keys. */
function unnamed(ask: Ask, spoken: string): unknown {
  if (ask.task === "classification") return { label: spoken };
  if (ask.task === "summarization") return { summary: spoken };
  if (ask.task !== "extraction") return { answer: spoken };
  const facts = readFacts(sourceOf(ask));
  const lists = {
    names: facts.all("name"),
    dates: facts.all("date"),
    emails: facts.all("email"),
    numbers: facts.all("number").map(numberOf),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** The lines of the answer; for `a JSON array of three colors` with no text to take them from, three samples. */
function listOf(ask: Ask, spoken: string): string[] {
  const [, count = "", things = ""] =
    /\bjson array (?:of|with) (?:(\d{1,2}|[a-z]{3,5}) )?([\p{L}]{2,40})/iu.exec(ask.prompt) ?? [];
  const wanted = numberOf(count);
  if (ask.body !== "" || things === "" || !(wanted > 0)) return linesOf(spoken);
  return Array.from({ length: wanted }, (_, index) => `sample ${things.replace(/s$/, "")} ${index + 1}`);
}

const linesOf = (spoken: string): string[] =>
  spoken
    .split("\n")
    .map((line) => line.replace(/^[-*]\s+/, ""))
    .filter(Boolean);
