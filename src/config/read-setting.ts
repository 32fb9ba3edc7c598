/** A wrong setting stops the start with one line that names it, what it was and what it may be. */

export class SettingError extends Error {}

/** `name` is how the complaint calls the setting. Throws SettingError, as all of these do. */
export const readUrl = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || isAddress(text)) return text;
  throw wrongUrl(name, text);
};

/** Paths are put behind it: in a query or a fragment they would be lost. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text);

export const wrongUrl = (name: string, text: string): SettingError =>
  new SettingError(
    `${name} is "${text}"; it may be an http or https URL${/[?#]/.test(text) ? " without a query or a fragment" : ""}.`,
  );

/** A whole number within both bounds; undefined where nothing is said. */
export const readNumber = (name: string, text: string | undefined, bounds: { min: number; max: number }): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text.trim()) && value >= bounds.min && value <= bounds.max) return value;
  throw new SettingError(`${name} is "${text}"; it may be a whole number from ${bounds.min} to ${bounds.max}.`);
};

/** An origin as browsers send it (`https://app.example.com`), or `*` for all. */
export const readOrigin = (name: string, text: string): string => {
  const origin = text.trim().toLowerCase();
  if (origin === "*" || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,]+$/.test(origin)) return origin;
  throw new SettingError(`${name} names "${text}"; it may name origins, such as https://app.example.com, or * for all.`);
};

/** A host as URLs name it, with a port where only that one is meant. */
export const readHost = (name: string, text: string): string => {
  const host = text.trim().toLowerCase();
  if (/^[^\s/@?#,]+$/.test(host)) return host;
  throw new SettingError(`${name} names "${text}"; it may name hosts, such as files.example.com or 10.0.0.7:8080.`);
};
