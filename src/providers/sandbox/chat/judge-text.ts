/** The sandbox asked to judge a text against criteria: it judges nothing, and so finds each of them met, in the form that is asked for. */

const JUDGING = "You check a text against criteria.";

/** JSON text; undefined where the prompt is no such question. */
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
