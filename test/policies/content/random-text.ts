/** Random texts made of what detectors care about, from a seeded generator so that a failure can be repeated. */

const PIECES =
  `john.doe@example.com|jane|@|.|..|-|+|1|12|123|415|4155|45|6789|123456789|123-45-6789|(415)|(415) 555-2671|+1|+44|4532015112830366|4532 0151 1283 0366|
3782 822463 10005|10.0.0.1|1.2.3.4|255|04/08/1947|05/05/2022|/|version|v|order|SSN|born|paid|phone|is my|card|iban DE89 |id|secret|top secret plan|top  secret|straße|STRASSE|禁止|
禁|C++|cafe|café|cafe\u0301|\u200b|\u00ad|😀|\ud83d|x|_|,|;|:|://|git@|localhost|.png|com|example.|a@b.co|'|"|#|$|%|=|__|_.|\u2011|\u00a0|the|number|Next|2x|Kiln|kayak|LEE|Ann Lee|told me|.pdf|한국|한국은|은|에서|으|로|행|들|كتاب|ال|و|الكتاب`
    .replaceAll("\n", "")
    .split("|");
const GLUE = ["", "", "", " ", " ", " ", "\n", "\n- ", " | ", "\n| ", ":\n", "-", "."];

const pick = <T>(next: () => number, from: readonly T[]): T => from[Math.floor(next() * from.length)]!;

const INVISIBLE = ["\u200b", "\u00ad", "\u2066", "\u{e0041}"];

/** Runs of characters that no font shows between some of the text's own. */
export const withInvisible = (next: () => number, text: string): string =>
  [...text]
    .map((character) => character + (next() < 0.3 ? pick(next, INVISIBLE).repeat(1 + Math.floor(next() ** 4 * 40)) : ""))
    .join("");

/** Some characters as JSON may write them, on its own or within a string of JSON, or Markdown. */
export const withEscapes = (next: () => number, text: string): string =>
  text
    .split("")
    .map((unit) => {
      const chance = next();
      if (chance < 0.02)
        return (
          pick(next, ["\\n", "\\t", "\\", "\\\\", "\\u00", "\\b", "\\u005c", "%40", "%4", "%2F", "%2f1", "&#4", "&nbsp;", "&"]) +
          unit
        );
      if (chance < 0.04) return pick(next, [`&#${unit.charCodeAt(0)};`, `&#x${unit.charCodeAt(0).toString(16)};`]);
      if (chance < 0.08 && /[!-/:-@_]/.test(unit)) return `\\${unit}`;
      if (chance > 0.15) return unit;
      const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
      return `${pick(next, ["\\", "\\", "\\\\", "\\u005c"])}u${next() < 0.5 ? hex : hex.toUpperCase()}`;
    })
    .join("");

export const hostilePieces = (next: () => number, count: number): string =>
  Array.from({ length: count }, () => pick(next, PIECES) + pick(next, GLUE)).join("");
