/** Parses text that may be JSON. */

/** Undefined (which is not a JSON value) if the text is not exactly one JSON value. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isJson = (text: string): boolean => jsonOf(text) !== undefined;
