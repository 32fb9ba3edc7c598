/** Checks settings: a wrong one prevents the start, with one line that names it, its value and what is allowed. */

import { isIP } from "node:net";

export class SettingError extends Error {}

/** `name`: the setting's name in errors. Throws SettingError, as all of these do. */
export const readUrl = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || isAddress(text)) return text;
  throw wrongUrl(name, text);
};

/** Paths are appended, so it must not have a query or a fragment. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text);

export const wrongUrl = (name: string, text: string): SettingError =>
  new SettingError(
    `${name} is "${text}"; it may be an http or https URL${/[?#]/.test(text) ? " without a query or a fragment" : ""}.`,
  );

/** As a schema has them. */
type Bounds = { minimum?: number; maximum?: number };

/** An integer within both bounds; undefined if it is not set. */
export const readNumber = (
  name: string,
  text: string | undefined,
  { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Bounds,
): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text.trim()) && value >= minimum && value <= maximum) return value;
  throw new SettingError(`${name} is "${text}"; it may be a whole number from ${minimum} to ${maximum}.`);
};

/** An origin as browsers send it (`https://app.example.com`), or `*` for all. */
export const readOrigin = (name: string, text: string): string => {
  const origin = text.trim().toLowerCase();
  if (origin === "*" || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/.test(origin)) return origin;
  throw new SettingError(`${name} names "${text}"; it may name origins, such as https://app.example.com, or * for all.`);
};

/** A host as in URLs, with a port to allow only that one. */
export const readHost = (name: string, text: string): string => {
  const host = text.trim().toLowerCase();
  if (/^[^\s/@?#,]+$/.test(host)) return host;
  throw new SettingError(`${name} names "${text}"; it may name hosts, such as files.example.com or 10.0.0.7:8080.`);
};

/** An address, or a network such as `10.0.0.0/8`. */
export const readNetwork = (name: string, text: string): string => {
  const [address = "", bits = "0", ...rest] = text.trim().split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  if (rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most) return text.trim();
  throw new SettingError(`${name} names "${text}"; it may name addresses and networks, such as 10.0.0.7 or 10.0.0.0/8.`);
};

export const HEADER_NAME = /^[A-Za-z0-9_-]+$/;

/** Too long to be guessed. */
export const TOKEN = /^\S{24,}$/;

/** A secret, which the error does not repeat; undefined if it is not set. */
export const readToken = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || TOKEN.test(text)) return text;
  throw new SettingError(`${name} has ${text.length} characters; it may be at least 24, without blanks.`);
};

export const SECRET_URL = /^https?:\/\/[^\s]+$/;

/** An address that is a secret, as those of chat channels are: the error does not repeat it. */
export const readSecretUrl = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || (SECRET_URL.test(text) && URL.canParse(text))) return text;
  throw new SettingError(`${name} is no http or https URL.`);
};

/** The name of a header; undefined if it is not set. */
export const readHeaderName = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || HEADER_NAME.test(text)) return text;
  throw new SettingError(`${name} is "${text}"; it may be the name of a header, such as X-OpenWebUI-User-Id.`);
};

/** One of a list of words; undefined if it is not set. */
export const readWord = <Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined => {
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  throw new SettingError(`${name} is "${text}"; it may be ${words.join(", ")}.`);
};
