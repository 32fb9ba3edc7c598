/** A wrong setting stops the start with one line that names it, what it was and what it may be. */

export class SettingError extends Error {}

export const readUrl = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || (/^https?:\/\//.test(text) && URL.canParse(text))) return text;
  throw new SettingError(`${name} is "${text}"; it may be an http or https URL.`);
};

export const readNumber = (name: string, text: string | undefined, bounds: { min: number; max: number }): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= bounds.min && value <= bounds.max) return value;
  throw new SettingError(`${name} is "${text}"; it may be a whole number from ${bounds.min} to ${bounds.max}.`);
};
