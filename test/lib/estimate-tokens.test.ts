import { describe, expect, test } from "bun:test";
import { estimateTokens } from "../../src/lib/estimate-tokens.ts";

/** Texts with their o200k counts, taken once with a real tokenizer. */
const COUNTED: [kind: string, text: string, tokens: number][] = [
  [
    "English",
    "The quick brown fox jumps over the lazy dog while the committee discusses the annual budget for road repairs.",
    20,
  ],
  [
    "German",
    "Die Stadtverwaltung hat gestern beschlossen, die Öffnungszeiten des Schwimmbads während der Sommerferien zu verlängern.",
    23,
  ],
  [
    "French",
    "Le conseil municipal a décidé hier de prolonger les horaires d'ouverture de la piscine pendant les vacances d'été.",
    22,
  ],
  [
    "Russian",
    "Городской совет вчера решил продлить часы работы бассейна на время летних каникул, чтобы дети могли купаться вечером.",
    28,
  ],
  ["Chinese", "市议会昨天决定在暑假期间延长游泳池的开放时间，以便孩子们晚上也能游泳。", 27],
  ["Japanese", "市議会は昨日、夏休みの間プールの営業時間を延長することを決めました。子どもたちは夕方も泳げます。", 37],
  ["Arabic", "قرر مجلس المدينة أمس تمديد ساعات عمل المسبح خلال العطلة الصيفية حتى يتمكن الأطفال من السباحة مساء.", 27],
  [
    "code",
    "export function total(items: Item[]): number {\n  let sum = 0;\n  for (const item of items) sum += item.price * item.quantity;\n  return sum;\n}\n",
    37,
  ],
  [
    "JSON",
    '{"id":42,"name":"Ada Lovelace","email":"ada@example.com","active":true,"tags":["math","poetry"],"address":{"city":"London","zip":"W1J 7NT"}}',
    45,
  ],
  ["numbers", "2024-03-01 12:30:45 1,204.50 17 88.1 330", 26],
];

/** Texts of few letters, with their o200k counts: what a ceiling is set against may look like this too. */
const UNUSUAL: [kind: string, text: string, tokens: number][] = [
  ["a table", "| Stop | Train |\n|---|---|\n| Alder | 12 |\n", 16],
  ["a regular expression", "^(?:[^\\s\"'\\\\]|\\\\.)+(?=[\\])}>])|(?:\\([^()]*\\))*?$", 26],
  [
    "a program of marks",
    "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.",
    52,
  ],
  ["Cherokee", "ᎣᏏᏲ ᎣᎦᎵᎢ ᏙᎯᏧ", 32],
  ["Tibetan", "ཀྵ་དང་རྒྱལ་པོའི", 25],
  ["Amharic", "ሰላም ለዓለም ሁሉ", 20],
  ["stacked accents", "a̸̢͈͓̼͙͇b̷̨̛͉̦̱c̶̡̛̬̪̓", 41],
  ["scripts beyond the first plane", "𐎀𐎁𐎂 𒀀𒁀𒂀 𠀀𠀁𠀂", 35],
  ["symbols", "⟨x|y⟩ ⇌ ∮∯∰ ⠿⠯⠷", 26],
  ["words of one letter", "a b c d e f g h i j k l m n o p q r s t", 20],
  ["words of two letters", "hi ho hi ho it is we go on so be it", 12],
  ["short tags", '<div class="a"><p id="b">x</p><br/></div>', 18],
  ["short names", "function f(a,b){return a?.b??[...b].map(x=>({...x,y:x**2}))}", 25],
  ["Welsh", "Mae'r tywydd yn braf heddiw ac rydyn ni'n mynd i'r traeth", 19],
  ["control characters", "\u0001\u0002\u0003\u0004", 4],
];

describe("estimateTokens", () => {
  test.each(UNUSUAL)("is no more than a quarter short of the real count for %s", (_, text, tokens) => {
    expect(estimateTokens(text) * 1.25).toBeGreaterThanOrEqual(tokens);
    expect(estimateTokens(text)).toBeLessThan(tokens * 1.6);
  });

  test.each(COUNTED)("is within two fifths of the real count for a single sentence of %s", (_, text, tokens) => {
    expect(Math.abs(estimateTokens(text) / tokens - 1)).toBeLessThan(0.4);
  });

  test("is a whole number, zero only for nothing", () => {
    expect(estimateTokens("")).toBe(0);
    for (const text of [" ", "a", "…", "😀", "\u0000"]) {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(1);
      expect(Number.isInteger(estimateTokens(text))).toBe(true);
    }
  });

  test("is exact: rounding adds no token to a long text", () => {
    expect(estimateTokens("a".repeat(1_000))).toBe(216);
    expect(estimateTokens("A".repeat(200_000))).toBe(129_600);
  });

  test("grows in proportion, also on long runs of one character", () => {
    for (const unit of ["a", "-", "1", "漢", "\n"]) {
      const one = estimateTokens(unit.repeat(10_000));
      expect(estimateTokens(unit.repeat(100_000)) / one).toBeCloseTo(10, 1);
      expect(one).toBeGreaterThan(0);
    }
  });
});
