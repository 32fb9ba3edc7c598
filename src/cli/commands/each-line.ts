/** JSON lines in, JSON lines out, in order: what the line tools have in common (decisions §12). */

type Line = Record<string, any>;

/**
 * Writes what `answer` makes of each line of standard input. Gap: a line that cannot be used is answered in its place by
 * `{"id"?, "error": true, "message"}`, so that thousands of others are not lost for it; the exit code is then 1.
 */
export const eachLine = async (answer: (line: Line) => unknown): Promise<number> => {
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
    // Whoever reads (`| head`) has seen enough.
    if ((error as { code?: string }).code !== "EPIPE") throw error;
  }
  if (refused > 0) console.error(`signalbox: ${refused} of the lines could not be used`);
  return refused > 0 ? 1 : 0;
};

const answerOne = async (
  text: string,
  number: number,
  answer: (line: Line) => unknown,
): Promise<{ answered: boolean; said: unknown }> => {
  const refusal = (reason: string, id?: unknown) => ({
    answered: false,
    said: { ...(id !== undefined && { id }), error: true, message: `Line ${number} ${reason}` },
  });
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return refusal("is not JSON.");
  }
  if (typeof line !== "object" || line === null || Array.isArray(line)) return refusal("is not a JSON object.");
  try {
    return { answered: true, said: await answer(line) };
  } catch (error) {
    return refusal(`cannot be used: ${(error as Error).message}`, (line as Line)["id"]);
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
