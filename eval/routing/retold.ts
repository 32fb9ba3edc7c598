/**
 * bun eval/routing/retold.ts → how requests of the blind sets are understood when the same words come as a conversation: the order in a system
 * prompt, behind another order about the same text, or behind something that has nothing to do with it.
 */
import { join } from "node:path";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { classify } from "../../src/router/classify.ts";

const SETS = ["blind", "kinds-blind", "authors-blind", "languages-blind", "outside-blind"];
/** Longer messages are read without the turn before, if they surely ask for something. */
const SHORT = 60;
const LONGEST_ORDER = 120;
const SHORTEST_TEXT = 100;
const OTHER_ORDERS = 3;
const ASKED_FOR_TEXT = [
  "Summarize this: The council met on Monday and approved the bypass after a long debate, opponents will go to court.",
  "Write a Python function that parses a date.",
  "What is the capital of Norway?",
  "Translate to French: see you tomorrow",
];
const ASKED_FOR_MEDIA = [
  "Draw a red fox in the snow.",
  "Make a short clip of waves at dusk",
  "Read this aloud: the train leaves at noon.",
  "Create a logo for my bakery",
];

type Row = { task: string; media: string; text: string };
type Pasted = { task: string; order: string; pasted: string };

const encoder = await loadEncoder();
const tallies = new Map<string, { right: number; of: number }>();
const count = (what: string, isRight: boolean): void => {
  const tally = tallies.get(what) ?? { right: 0, of: 0 };
  tallies.set(what, { right: tally.right + Number(isRight), of: tally.of + 1 });
};
const user = (content: string): ChatMessage => ({ role: "user", content });
const ask = (...messages: ChatMessage[]) => classify(encoder, { messages, hasSchema: false });
const askAfter = (before: string, text: string) => ask(user(before), { role: "assistant", content: "Here you are." }, user(text));

/** Single messages only. */
async function readRows(name: string): Promise<Row[]> {
  const lines = (await Bun.file(join(import.meta.dir, `${name}.tsv`)).text()).split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#") && !line.includes("⟦"))
    .map((line) => {
      const [task, media, , text] = line.split("\t") as [string, string, string, string];
      return { task, media, text: text.replaceAll("\\n", "\n") };
    });
}

/** A brief paragraph above or below a longer text. */
function cut({ task, text }: Row): Pasted[] {
  const above = text.indexOf("\n\n");
  const below = text.lastIndexOf("\n\n");
  if (task === "-" || above < 0) return [];
  const isOrder = (order: string, pasted: string): boolean =>
    order.length < LONGEST_ORDER && pasted.length > SHORTEST_TEXT && order.length * 2 < pasted.length;
  const [first, rest] = [text.slice(0, above), text.slice(above + 2)];
  if (isOrder(first, rest)) return [{ task, order: first, pasted: rest }];
  const [head, last] = [text.slice(0, below), text.slice(below + 2)];
  return isOrder(last, head) ? [{ task, order: last, pasted: head }] : [];
}

function measurePasted(rows: Pasted[]): void {
  rows.forEach(({ task, order, pasted }, i) => {
    count("order and text in one message: task", ask(user(`${order}\n\n${pasted}`)).task === task);
    count("the order in a system prompt: task", ask({ role: "system", content: order }, user(pasted)).task === task);
    for (let k = 1; k <= OTHER_ORDERS; k++) {
      const other = rows[(i + k * 7) % rows.length]!;
      const kind = other.task === task ? "the same" : "another";
      count(`behind an order for ${kind} task on that text: task`, askAfter(`${other.order}\n\n${pasted}`, order).task === task);
    }
  });
}

function measureUnrelated({ task, media, text }: Row): void {
  if (text.length >= SHORT) return;
  if (task !== "-") count("short requests alone: task", ask(user(text)).task === task);
  if (media !== "none") count("short wishes for media alone: understood", ask(user(text)).media === media);
  for (const before of ASKED_FOR_TEXT) {
    const found = askAfter(before, text);
    if (task !== "-") count("short requests behind another: task", found.task === task);
    if (media !== "none") count("short wishes for media behind a request for text: understood", found.media === media);
    else count("short requests for text behind another: taken for media", found.media !== "none");
  }
  if (media !== "none") return;
  for (const before of ASKED_FOR_MEDIA)
    count("short requests for text behind one for media: taken for media", askAfter(before, text).media !== "none");
}

for (const name of SETS) {
  const rows = await readRows(name);
  measurePasted(rows.flatMap(cut));
  for (const row of rows) measureUnrelated(row);
}
for (const [what, { right, of }] of tallies) console.log(`${what}: ${right} of ${of}`);
