/** A text that may be JSON. */

/** Undefined, which no JSON is, where the text is not one JSON value and nothing else. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isJson = (text: string): boolean => jsonOf(text) !== undefined;
