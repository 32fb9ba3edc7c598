/**
 * bun run eval:routing → the reach table of routing, the cost-quality curve and the confusion matrix, on the terminal and in eval/results/.
 * Two kinds of figures, labelled: "unseen" ones by heads that never saw the tested source (eval/routing/train.py left it out; kept in
 * eval/results/routing-honest.json), and those of the shipped heads, measured here, on requests that no head was trained on.
 */
import { existsSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { MEDIA_INTENTS, type MediaIntent } from "../../src/catalog/task-type.ts";
import { TEXT_TASKS } from "../../src/config/vocabulary.ts";
import { type Encoder, loadEncoder } from "../../src/encoder/encoder.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { type Classification, classify } from "../../src/router/classify.ts";
import { REFUSAL_FROM, refusalScore } from "../../src/router/detect-refusal.ts";
import { DISTURBANCES } from "./disturb.ts";
import { plotCurves } from "./plot-curves.ts";
import { type Honest, render, type Shipped } from "./render-report.ts";
import { type Scores, score } from "./score.ts";

const RESULTS = join(import.meta.dir, "../results");
const GIVEN = join(import.meta.dir, "../../../shared/data/routing/train.jsonl");

/** Blind sets after the second. */
const FURTHER_BLIND = {
  "strangers-blind.tsv": "the third blind set: follow-ups, look-alikes and wishes in many languages",
  "indirect-blind.tsv": "the fourth: wishes in indirect words beside look-alikes, and tasks",
  "kinds-blind.tsv": "the fifth: requests of many kinds, many of them about text that machines write",
  "authors-blind.tsv": "the sixth: in the manner of many authors",
  "languages-blind.tsv": "the seventh: plain requests in 30 languages",
  "outside-blind.tsv": "the eighth: what somebody from outside would try",
  "turns-blind.tsv": "the ninth: conversations, orders in system prompts, several steps",
};

type Request = { task: string | null; media: MediaIntent; text: string };

const ask = (encoder: Encoder, text: string): Classification =>
  classify(encoder, { messages: messagesOf(text), hasSchema: false });

/** In blind.tsv ⟦system⟧, ⟦user⟧ and ⟦assistant⟧ begin a message; a text without them is the user's. */
function messagesOf(text: string): ChatMessage[] {
  const parts = [...text.matchAll(/⟦(system|user|assistant)⟧([^⟦]*)/g)];
  if (parts.length === 0) return [{ role: "user", content: text }];
  return parts.map(([, role, content]) => ({ role: role as "system" | "user" | "assistant", content: content! }));
}

/** Task, media and text of each line; `tagged` lines have a column for language and register before the text. */
async function readRequests(name: string, tagged = false): Promise<Request[]> {
  const text = await Bun.file(join(import.meta.dir, name)).text();
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [task, media, ...columns] = line.split("\t");
      const rest = tagged ? columns.slice(1) : columns;
      return { task: task === "-" ? null : task!, media: media as MediaIntent, text: rest.join("\t").replaceAll("\\n", "\n") };
    });
}

function scoreRequests(encoder: Encoder, requests: Request[]): { task: Scores; media: Scores } {
  const found = requests.map((request) => ({ request, found: ask(encoder, request.text) }));
  const tasks = found.flatMap(({ request, found }) =>
    request.task === null ? [] : [{ truth: request.task, guess: found.task, confidence: found.confidence }],
  );
  const media = found.map(({ request, found }) => ({
    truth: request.media,
    guess: found.media,
    confidence: found.mediaConfidence,
  }));
  return { task: score(tasks, TEXT_TASKS), media: score(media, MEDIA_INTENTS) };
}

/** refusal|answer, the prompt or "-", the answer. */
async function scoreAnswers(encoder: Encoder, name: string): Promise<Scores> {
  const lines = (await Bun.file(join(import.meta.dir, name)).text()).split("\n");
  const guesses = lines.flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const [truth, prompt, ...rest] = line.split("\t");
    const score = refusalScore(encoder, rest.join("\t").replaceAll("\\n", "\n"), prompt === "-" ? undefined : prompt);
    const refuses = score >= REFUSAL_FROM;
    return [{ truth: truth!, guess: refuses ? "refusal" : "answer", confidence: refuses ? score : 1 - score }];
  });
  return score(guesses, ["refusal", "answer"]);
}

/** The share of requests that keep task and media under each disturbance. */
function measureRobustness(encoder: Encoder, texts: string[]): Record<string, number> {
  const before = texts.map((text) => ask(encoder, text));
  return Object.fromEntries(
    Object.entries(DISTURBANCES).map(([name, disturb]) => {
      const same = texts.filter((text, i) => {
        const after = ask(encoder, disturb(text, i));
        return after.task === before[i]!.task && after.media === before[i]!.media;
      });
      return [name, same.length / texts.length];
    }),
  );
}

/** Microseconds of the whole decision for prompts of 4,000 characters, one thread, after a warm-up. */
function measureTime(encoder: Encoder, texts: string[]): { p50: number; p99: number } {
  const long = texts.map((text) => `${text}\n\n${texts.join("\n")}`.slice(0, 4000));
  for (let round = 0; round < 5; round++) for (const text of long) ask(encoder, text);
  const times: number[] = [];
  for (let round = 0; round < 15; round++) {
    for (const text of long) {
      const start = Bun.nanoseconds();
      ask(encoder, text);
      times.push((Bun.nanoseconds() - start) / 1000);
    }
  }
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length * 0.5)]!, p99: times[Math.floor(times.length * 0.99)]! };
}

async function givenTexts(): Promise<string[]> {
  if (!existsSync(GIVEN)) return [];
  const lines = (await Bun.file(GIVEN).text()).trimEnd().split("\n");
  return lines.filter((_, i) => i % 7 === 0).map((line) => (JSON.parse(line) as { text: string }).text);
}

const encoder = await loadEncoder();
const honest = (await Bun.file(join(RESULTS, "routing-honest.json")).json()) as Honest;
const heldOut = await readRequests("held-out.tsv");
const blind = await readRequests("blind.tsv", true);
const wishes = await readRequests("media-blind.tsv", true);
const development = await readRequests("development.tsv");
const given = await givenTexts();
const disturbed = [...heldOut, ...blind.filter(({ text }) => !text.startsWith("⟦")), ...development]
  .map(({ text }) => text)
  .concat(given);
const shipped: Shipped = {
  heldOut: scoreRequests(encoder, heldOut),
  blind: scoreRequests(encoder, blind),
  wishes: scoreRequests(encoder, wishes).media,
  furtherBlind: await Promise.all(
    Object.entries(FURTHER_BLIND).map(async ([file, what]) => ({
      what,
      ...scoreRequests(encoder, await readRequests(file, true)),
    })),
  ),
  heldOutAnswers: await scoreAnswers(encoder, "held-out-answers.tsv"),
  decliningAtLength: await scoreAnswers(encoder, "declining-at-length.tsv"),
  robustness: measureRobustness(encoder, disturbed),
  robustnessRows: disturbed.length,
  time: measureTime(
    encoder,
    heldOut.map(({ text }) => text),
  ),
  machine: `load ${loadavg()[0]!.toFixed(1)} on ${cpus().length} cores`,
  revisions: `encoder ${encoder.revision}, heads ${encoder.heads.revision}`,
};
const day = new Date().toISOString().slice(0, 10);
const report = render(honest, shipped, day);
console.log(report);
await Bun.write(join(RESULTS, `routing-${day}.md`), report);
await Bun.write(
  join(RESULTS, `routing-${day}.svg`),
  plotCurves([
    { name: "MMLU, subjects unseen", points: honest.complexity.mmlu.curve },
    { name: "GSM8K, other half", points: honest.complexity.gsm8k.curve },
  ]),
);
