/**
 * Cuts characters off the ends of a text, looking at each once. A pattern that ends in `+$` starts again at every character of every run
 * within the text, which takes ten seconds for a hundred thousand brackets in a row.
 */

/** `leading` and `trailing` are patterns of one character; leave out the first to cut at the end alone. */
export const trimEnds = (text: string, { leading, trailing }: { leading?: RegExp; trailing: RegExp }): string => {
  let end = text.length;
  while (end > 0 && trailing.test(text[end - 1]!)) end--;
  let start = 0;
  if (leading !== undefined) while (start < end && leading.test(text[start]!)) start++;
  return text.slice(start, end);
};
