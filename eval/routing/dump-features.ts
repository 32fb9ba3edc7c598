/**
 * Writes what the router sees of training requests, for eval/routing/train.py: the same code reads requests here and in production.
 * bun eval/routing/dump-features.ts units|requests|answers <in.jsonl> <out prefix> [heads.bin in the making]
 */
import { loadEncoder } from "../../src/encoder/encoder.ts";
import { createFolding } from "../../src/encoder/fold-text.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { ANSWER_DENSE, readAnswer } from "../../src/router/features/answer-features.ts";
import { EXAM_SHAPES } from "../../src/router/features/exam-shapes.ts";
import { cutUnits, hashUnit, UNIT_SHAPES } from "../../src/router/features/find-instruction.ts";
import { DENSE, readFeatures } from "../../src/router/features/request-features.ts";
import { textsOf } from "../../src/router/features/request-texts.ts";

const [kind, input, output, heads] = process.argv.slice(2) as ["units" | "requests" | "answers", string, string, string?];
const rows = (await Bun.file(input).text())
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Rows of different length as one array and the offset of each row's begin. */
async function writeRagged(path: string, lists: Int32Array[]): Promise<void> {
  const offsets = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => {
    offsets[i + 1] = offsets[i]! + list.length;
  });
  const flat = new Int32Array(offsets.at(-1)!);
  lists.forEach((list, i) => {
    flat.set(list, offsets[i]!);
  });
  await Bun.write(`${path}.flat.i32`, flat);
  await Bun.write(`${path}.offsets.i32`, offsets);
}

async function dumpUnits(): Promise<void> {
  const fold = createFolding();
  const room = new Int32Array(1_000);
  const buckets: Int32Array[] = [];
  const spans: number[] = [];
  const shapes: number[] = [];
  rows.forEach((row: { text: string }, at: number) => {
    for (const unit of cutUnits(row.text)) {
      buckets.push(room.slice(0, hashUnit(fold, row.text, unit, room)));
      spans.push(at, unit.from, unit.to);
      shapes.push(...unit.shapes);
    }
  });
  await writeRagged(`${output}.buckets`, buckets);
  await Bun.write(`${output}.spans.i32`, Int32Array.from(spans));
  await Bun.write(`${output}.shapes.f32`, Float32Array.from(shapes));
  console.log(`${buckets.length} units of ${UNIT_SHAPES} shapes`);
}

async function dumpRequests(): Promise<void> {
  const encoder = await loadEncoder({ headsPath: heads });
  const dense = new Float32Array(rows.length * DENSE);
  const buckets: Int32Array[] = [];
  const asked: string[] = [];
  const exams = new Float32Array(rows.length * EXAM_SHAPES).fill(Number.NaN);
  rows.forEach((row: { messages: ChatMessage[]; hasSchema?: boolean }, i: number) => {
    const features = readFeatures(encoder, textsOf(row.messages), row.hasSchema ?? false);
    dense.set(features.dense.subarray(0, DENSE), i * DENSE);
    buckets.push(features.buckets.slice(0, features.count));
    if (features.exam !== undefined) exams.set(features.exam, i * EXAM_SHAPES);
    asked.push(JSON.stringify(features.instruction));
  });
  await Bun.write(`${output}.dense.f32`, dense);
  await writeRagged(`${output}.buckets`, buckets);
  await Bun.write(`${output}.exams.f32`, exams);
  await Bun.write(`${output}.asked.jsonl`, asked.join("\n"));
  console.log(`${rows.length} requests of ${DENSE} numbers`);
}

async function dumpAnswers(): Promise<void> {
  const encoder = await loadEncoder({ headsPath: heads });
  const dense = new Float32Array(rows.length * ANSWER_DENSE);
  const buckets: Int32Array[] = [];
  rows.forEach((row: { response: string; prompt?: string | null }, i: number) => {
    const features = readAnswer(encoder, row.response, row.prompt ?? undefined);
    dense.set(features.dense.subarray(0, ANSWER_DENSE), i * ANSWER_DENSE);
    buckets.push(features.buckets.slice(0, features.count));
  });
  await Bun.write(`${output}.dense.f32`, dense);
  await writeRagged(`${output}.buckets`, buckets);
  console.log(`${rows.length} answers of ${ANSWER_DENSE} numbers`);
}

await { units: dumpUnits, requests: dumpRequests, answers: dumpAnswers }[kind]();
