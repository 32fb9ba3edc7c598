/** Turn rules of vendors that require user and assistant to alternate: shared by Anthropic and Gemini. */

/** `system`: an instruction in mid-conversation, for models that accept one there. */
export type Turn<Block> = { role: "user" | "assistant" | "system"; blocks: Block[] };

/** Joins neighbouring turns of the same role; drops turns without content. */
export const mergeTurns = <Block>(turns: Turn<Block>[]): Turn<Block>[] => {
  const merged: Turn<Block>[] = [];
  for (const turn of turns) {
    if (turn.blocks.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === turn.role) last.blocks.push(...turn.blocks);
    else merged.push({ role: turn.role, blocks: [...turn.blocks] });
  }
  return merged;
};

/**
 * Makes a conversation begin and end with the user; after a partial answer that is a request to continue, unless the model `continues` it
 * by itself.
 */
export const frameTurns = <Block>(
  turns: Turn<Block>[],
  textBlock: (text: string) => Block,
  fallbackText: string,
  continues = false,
): Turn<Block>[] => {
  if (turns.length === 0) return [{ role: "user", blocks: [textBlock(fallbackText || "Begin.")] }];
  const framed = turns[0]!.role === "assistant" ? [{ role: "user" as const, blocks: [textBlock("Begin.")] }, ...turns] : turns;
  return framed.at(-1)!.role === "assistant" && !continues
    ? [...framed, { role: "user", blocks: [textBlock("Continue.")] }]
    : framed;
};
