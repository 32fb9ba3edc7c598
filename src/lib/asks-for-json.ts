/** Whether a text asks for an answer in JSON: it names JSON, and not only as its input or as something unwanted. */

/** `from the following JSON`, `this JSON`; `in this JSON format` asks for it. */
const BROUGHT =
  /(?<!\b(?:in|as|into|to|with|like|using)\s)\b(?:from|this|these|following|given|above|below|attached|input|parse|invalid|broken)\s(?:(?:the|an?|this|following|given|attached)\s)?json\b/gi;
const UNWANTED = /\b(?:not|no|never|without|don['’]t|instead of|rather than)\b[^.?!\n]{0,30}\bjson\b/i;

/** A plain search first, which takes a tenth of the time, since few texts mention JSON. */
export const asksForJson = (text: string): boolean =>
  text.toLowerCase().includes("json") && /\bjson\b/i.test(text.replace(BROUGHT, " ")) && !UNWANTED.test(text);
