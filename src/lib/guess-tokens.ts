/** How many tokens a text has where nobody counted them, at no cost however long it is; `estimateTokens` looks at the text. */

/** Gap: so many characters count as one token. */
export const CHARACTERS_PER_TOKEN = 4;

export const guessTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
