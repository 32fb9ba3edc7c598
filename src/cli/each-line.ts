/** JSON lines in, JSON lines out, in order: what the line tools have in common (decisions §12). */

type Line = Record<string, any>;

/** Writes what `answer` makes of each line of standard input. A line that cannot be used ends the run with its number. */
export const eachLine = async (answer: (line: Line) => unknown): Promise<number> => {
  const out = Bun.stdout.writer();
  let number = 0;
  try {
    for await (const batch of lineBatches(Bun.stdin.stream())) {
      for (const text of batch) {
        number++;
        if (text.trim() !== "") out.write(`${JSON.stringify(answerOne(text, number, answer))}\n`);
      }
      await out.flush();
    }
  } finally {
    await out.end();
  }
  return 0;
};

const answerOne = (text: string, number: number, answer: (line: Line) => unknown): unknown => {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new Error(`line ${number} of the input is not JSON`);
  }
  if (typeof line !== "object" || line === null || Array.isArray(line))
    throw new Error(`line ${number} of the input is not a JSON object`);
  try {
    return answer(line);
  } catch (error) {
    throw new Error(`line ${number} of the input: ${(error as Error).message}`);
  }
};

/** The line itself, if it has this text. */
export const requireText = <Field extends string>(line: Line, field: Field): Line & { [name in Field]: string } => {
  if (typeof line[field] !== "string") throw new Error(`\`${field}\` must be a string`);
  return line as Line & { [name in Field]: string };
};

/** Linear also where one line comes in many pieces. */
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
