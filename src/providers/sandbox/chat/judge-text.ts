/** The answer to the gateway's question whether a text meets criteria: the sandbox cannot judge, so it says that each is met. */

const JUDGING = "You check a text against criteria.";

/** JSON text; undefined if the prompt is not such a question. */
export const judgeText = (prompt: string): string | undefined => {
  if (!prompt.startsWith(JUDGING)) return undefined;
  const list = prompt.slice(0, prompt.indexOf("\nText, as a JSON string:"));
  const verdicts = [...list.matchAll(/^(\d{1,2})\. /gm)].map(([, number]) => ({
    criterion: Number(number),
    passed: true,
    reason: "the sandbox judges nothing",
  }));
  return JSON.stringify({ verdicts });
};
