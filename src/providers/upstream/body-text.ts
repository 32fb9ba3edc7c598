/** A request's body as it is sent. */

const ESCAPES = /\\(?:\\|ud[89a-f][0-9a-f]{2})/g;

/**
 * Text that a client cut may end in half of a surrogate pair. Valid JSON though it is, Anthropic and others refuse the whole request for
 * it, and with it each later one of the conversation; the replacement character stands in its place.
 */
export const bodyText = (body: object): string => {
  const text = JSON.stringify(body);
  return text.includes("\\ud") ? text.replace(ESCAPES, (found) => (found === "\\\\" ? found : "\\ufffd")) : text;
};
