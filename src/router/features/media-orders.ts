/** Wording by which a picture or spoken audio is ordered outright. */

import { BEFORE_THING, END_OF_THING, OPENING, oneOf, openingOf, START } from "./wording.ts";

const POLITELY = `${START}(?:(?:please|pls|(?:can|could|would|will)\\s(?:you|u)|i(?:\\swant|['’]d\\slike|\\swould\\slike)\\syou\\sto)[\\s,]+){0,2}`;
/** «Draw me a walrus», «could you render two chess pieces?»: an order to depict the captured thing, unless it cannot be seen. */
const DEPICTS = new RegExp(
  `(?:${OPENING}${oneOf("draw paint sketch")}\\s(?:me|us)|${POLITELY}${oneOf("draw paint sketch doodle render illustrate depict visuali[sz]e")})` +
    "\\s(?:(?:the\\sfollowing|this|my)(?:\\s\\p{L}+)?\\s?:\\s*)?([^.:;!?\\n]{1,120})",
  "u",
);
const PICTURES = oneOf(
  "avatars? colou?ring\\spages? drawings? emojis? icons? illustrations? images? logos? memes? paintings? photos? pictures? portraits? posters? stickers? wallpapers?",
);
/** «Make a logo for…», «pixel art of…», «male einen Fuchs», «…の絵を描いて»: an order for a picture, whatever it shows. */
const ORDERS_PICTURE = [
  new RegExp(
    `${OPENING}${oneOf("make create generate design draw render produce")}\\s(?:(?:me|us)\\s)?${oneOf("an? some two three \\d")}\\s` +
      `${BEFORE_THING}${PICTURES}${END_OF_THING}|` +
      `${START}(?:an?\\s)?${oneOf("clip concept digital fan line pixel vector")}[\\s-]art\\sof\\s`,
    "u",
  ),
  new RegExp(
    `${START}(?:(?:bitte\\s)?male?\\s(?:mir\\s)?eine?n?\\s|(?:kannst|könntest|würdest)\\sdu\\s(?:(?:mir|uns|bitte)\\s)*eine?n?\\s` +
      "(?:(?!\\p{L}*(?:diagramm|graph|tabelle|kurve|linie|plan|schema))[\\p{L}-]+\\s){1,5}(?:zeichnen|malen)(?!\\p{L})|" +
      "(?:me\\s)?(?:puedes|podrías)\\sdibujar(?:me|nos)?\\suna?\\s(?!diagrama|gráfic|tabla|línea|mapa|esquema|plano|conclusi))",
    "u",
  ),
  // Apart from the others, which are looked for at the beginning only: together they would all be tried at every character.
  /(?:絵|イラスト|画像|写真|ロゴ|アイコン|ポスター)を(?:描いて|作って|生成して)(?:ください|下さい|くれ|ほしい|欲しい|[。！!]|\s*$)/u,
];
/** «Read this aloud», «wandle den Text in Sprache um», «…を読み上げて»: an order for spoken audio. */
const ORDERS_SPEECH = new RegExp(
  `${START}(?:text[\\s-]to[\\s-]speech|tts)(?=\\s?[,:(]|\\s(?:please|this|the|with|in)\\b)|` +
    `${POLITELY}(?:${oneOf("read say speak recite narrate pronounce voice")}\\s.{0,60}?\\b(?:aloud|out\\sloud)|` +
    `${oneOf("speak recite narrate voice")}\\s(?:me\\s)?(?:the|this|these)\\s(?:following\\s)?${oneOf("announcement lines? paragraph poem sentences? story text words?")}|` +
    `${oneOf("convert turn transform change synthesi[sz]e")}\\s.{1,60}?\\sto\\s(?:an\\saudio|audio|speech|spoken))\\b|` +
    "laut vor(?:!|:|$)|in (?:gesprochene )?sprache um|als audio|à (?:voix haute|l'oral)|en (?:audio|parole)|en voz alta|em (?:voz alta|áudio|fala)|ad alta voce|in (?:audio|voce)(?![\\p{L}])|" +
    "na głos|na mowę|вслух|в речь|озвуч|sesli oku|sese (?:dönüştür|çevir)|seslendir|hardop|朗[读讀]|[读讀念]出[来來]|[语語]音[朗合]|[转轉].{0,3}[语語]音|読み上げ|音声[にで]|음성으로|" +
    "소리 ?내어 읽|إلى (?:كلام|صوت)|بصوت عال|ज़ोर से पढ़",
  "u",
);
/** What is to be spoken, behind a colon, in quotes, or in another sentence or line; without it, the words may be about reading aloud. */
const GIVES_TEXT = /[:："“«„「]|[.!?]\s+\S|[。！？\n]\s*\S/;

export const ordersPicture = (instruction: string): boolean => {
  const opening = openingOf(instruction);
  return ORDERS_PICTURE.some((pattern) => pattern.test(opening));
};

export const ordersSpeech = (instruction: string): boolean => {
  const opening = openingOf(instruction);
  return GIVES_TEXT.test(opening) && ORDERS_SPEECH.test(opening);
};

/** What an instruction orders to depict. */
export const findDepicted = (instruction: string): string | undefined => DEPICTS.exec(openingOf(instruction))?.[1];
