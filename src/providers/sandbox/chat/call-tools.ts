/** Tool calls: for the tools that the prompt clearly asks for or the caller requires, with arguments that fit their schemas. */

import { isRecord } from "../../../lib/is-record.ts";
import type { ChatRequest, ToolCall, ToolDefinition } from "../../provider.ts";
import { schemaInstance } from "../json/schema-instance.ts";
import { wordsOfKey } from "../text/read-facts.ts";
import { contentWords } from "../text/sentences.ts";
import type { Ask } from "./read-ask.ts";

/** Words in a tool's name that do not name its subject. */
const VERBS = new Set(
  "get set find search create list fetch do run make send look lookup check call use query tool current new add update api the a for of".split(
    " ",
  ),
);

/** Arguments for a hostile schema take some tenths of a second each. */
const MOST_CALLS = 16;

/** The ids follow from `seed`, so that the same request gives the same calls. */
export function callTools(request: ChatRequest, ask: Ask, seed: string): ToolCall[] {
  const { toolChoice = "auto", tools = [] } = request;
  const hasResults = ask.toolResults.length > 0;
  if (toolChoice === "none" || tools.length === 0 || (hasResults && toolChoice === "auto")) return [];
  const wanted = chooseTools(tools, toolChoice, ask);
  const calls = wanted.flatMap((tool) => promptsFor(tool, ask.prompt).map((prompt) => ({ tool, prompt })));
  const kept = calls.slice(0, request.parallelToolCalls === false || hasResults ? 1 : MOST_CALLS);
  return kept.map(({ tool, prompt }, index) => ({
    id: `call_${Bun.hash(`${seed}\n${index}`).toString(36)}${Bun.hash(`${index}\n${seed}`).toString(36)}`.slice(0, 29),
    name: tool.name,
    arguments: JSON.stringify(argumentsFor(tool, [prompt, ...ask.toolResults.map(({ content }) => content)].join("\n"))),
  }));
}

function chooseTools(
  tools: readonly ToolDefinition[],
  choice: NonNullable<ChatRequest["toolChoice"]>,
  ask: Ask,
): ToolDefinition[] {
  if (typeof choice === "object") return tools.filter((tool) => tool.name === choice.name);
  const said = contentWords(ask.prompt.slice(0, 20_000));
  // A call that is required after results is that of another tool, such as one that takes the final answer.
  const uncalled = tools.filter((tool) => !ask.toolResults.some(({ name }) => name === tool.name));
  const offered = uncalled.length > 0 ? uncalled : tools;
  const named = offered.filter((tool) => isNamed(tool, said));
  const meant = named.length > 0 ? named : offered.filter((tool) => isDescribed(tool, said));
  return meant.length === 0 && choice === "required" ? offered.slice(0, 1) : meant;
}

/** Where a tool comes from, as frameworks put it before its name: `mcp__maps__get_route`, `Maps-get_route`, `maps.getRoute`. */
const ORIGIN = /^.*(?:__|[./:]|-(?=[A-Z]|[a-z]+_))/;

/** Whether the prompt has every word of the tool's name in some form, apart from its origin and VERBS. */
function isNamed({ name }: ToolDefinition, said: readonly string[]): boolean {
  const telling = [name.replace(ORIGIN, ""), name]
    .map((part) => wordsOfKey(part).filter((word) => !VERBS.has(word)))
    .find((words) => words.length > 0);
  return isSaid((telling ?? wordsOfKey(name)).flatMap(contentWords), Number.POSITIVE_INFINITY, said);
}

/** Whether the prompt has two words of the tool's description, or its only one. */
function isDescribed({ description = "" }: ToolDefinition, said: readonly string[]): boolean {
  const telling = [...new Set(contentWords(description.slice(0, 500)))].filter((word) => !VERBS.has(word));
  return telling.length > 0 && isSaid(telling, 2, said);
}

/** Whether at least `least` of the words were said; of fewer words, all. */
const isSaid = (words: readonly string[], least: number, said: readonly string[]): boolean =>
  words.filter((word) => said.some((other) => isSameWord(word, other))).length >= Math.min(least, words.length);

const isSameWord = (a: string, b: string): boolean => a === b || (a.length >= 5 && a.slice(0, 5) === b.slice(0, 5));

/** `in Paris and Tokyo`, `for Paris, Tokyo and Rome`; the group is the list. */
const LISTED =
  /\b(?:in|for|of|from|at)\s((?:\p{Lu}[\p{L}'-]{1,40}(?:\s\p{Lu}[\p{L}'-]{1,40}){0,2}(?:,\s(?:and\s)?|\sand\s)(?:in\s|for\s)?){1,8}\p{Lu}[\p{L}'-]{1,40}(?:\s\p{Lu}[\p{L}'-]{1,40}){0,2})/u;

/** The prompt for each call of the tool: `the weather in Paris and Tokyo` needs one for each city. */
function promptsFor(tool: ToolDefinition, prompt: string): string[] {
  const list = LISTED.exec(prompt.slice(0, 20_000))?.[1];
  const takesOne = Object.values(tool.parameters?.["properties"] ?? {}).some(
    (property: unknown) => isRecord(property) && property["type"] === "string",
  );
  // `Paris, France` and `San Francisco, CA` are one place.
  if (list === undefined || !takesOne || !list.includes(" and ")) return [prompt];
  return list
    .split(/,\s(?:and\s)?(?![A-Z]{2}(?!\p{L}))|\sand\s/u)
    .map((entity) => prompt.replace(list, entity.replace(/^(?:in|for)\s/, "")));
}

function argumentsFor(tool: ToolDefinition, prompt: string): unknown {
  const value = schemaInstance({ type: "object", ...tool.parameters }, prompt);
  return isRecord(value) ? value : {};
}
