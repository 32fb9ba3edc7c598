/** The sentences of a text, as its marks and line ends cut it. Of a long text, those of its beginning. */

const SENTENCE = /[^.!?\n。！？]+[.!?。！？]*/g;
const LONGEST_READ = 8_000;

export const sentencesOf = (text: string): string[] =>
  (text.slice(0, LONGEST_READ).match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter(Boolean);
