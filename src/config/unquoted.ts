/** A variable's value without the quotes around it, which `docker run --env-file` takes for a part of the value. */

const QUOTED = /^(["'])(.*)\1$/s;

export const unquoted = (text: string): string => QUOTED.exec(text.trim())?.[2] ?? text;
