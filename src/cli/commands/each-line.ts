/** Reads JSON lines and writes JSON lines in the same order, for all line tools (decisions §12). */

import { jsonOf } from "../../lib/is-json.ts";
import { isRecord } from "../../lib/is-record.ts";

export type Line = Record<string, any>;

/**
 * Writes `answer`'s result for each line of standard input, with the line's `id`. Gap: an unusable line is answered in its place by
 * `{"id"?, "error": true, "message"}`, so that it does not spoil thousands of others; the exit code is then 1.
 */
export const eachLine = async (answer: (line: Line) => object | Promise<object>): Promise<number> => {
  const out = Bun.stdout.writer();
  let number = 0;
  let refused = 0;
  try {
    for await (const batch of lineBatches(Bun.stdin.stream())) {
      let lines = "";
      for (const text of batch) {
        number++;
        if (text.trim() === "") continue;
        const { answered, said } = await answerOne(text, number, answer);
        if (!answered) refused++;
        lines += `${JSON.stringify(said)}\n`;
      }
      await out.write(lines);
      await out.flush();
    }
    await out.end();
  } catch (error) {
    // The reader (`| head`) has seen enough.
    if ((error as { code?: string }).code !== "EPIPE") throw error;
  }
  if (refused > 0) console.error(`signalbox: ${refused} of the lines could not be used`);
  return refused > 0 ? 1 : 0;
};

const answerOne = async (
  text: string,
  number: number,
  answer: (line: Line) => object | Promise<object>,
): Promise<{ answered: boolean; said: unknown }> => {
  const refusal = (reason: string) => ({ answered: false, said: { error: true, message: `Line ${number} ${reason}` } });
  const line = jsonOf(text);
  if (line === undefined) return refusal("is not JSON.");
  if (!isRecord(line)) return refusal("is not a JSON object.");
  const { id } = line;
  const under = (said: object) => (id === undefined ? said : { id, ...said });
  try {
    return { answered: true, said: under(await answer(line)) };
  } catch (error) {
    const { answered, said } = refusal(`cannot be used: ${(error as Error).message}`);
    return { answered, said: under(said) };
  }
};

/** The text field that a line must have. */
export const requireText = (line: Line, field: string): string => {
  if (typeof line[field] !== "string") throw new Error(`\`${field}\` must be a string`);
  return line[field];
};

/** Linear even if one line comes in many pieces. */
async function* lineBatches(stream: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const chunk of stream) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    rest.push(pieces[0]!);
    if (pieces.length === 1) continue;
    yield [rest.join(""), ...pieces.slice(1, -1)];
    rest = [pieces.at(-1)!];
  }
  yield [rest.join("")];
}
