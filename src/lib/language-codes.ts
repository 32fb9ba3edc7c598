/**
 * Languages by their two-letter codes (ISO 639-1), and by the English names that Whisper gives to a hundred of them. The runtime has such
 * tables, too, but not the same on every system and in every version: some take `tl` for an old name of `fil`.
 */

import { ownValue } from "./own-value.ts";

// biome-ignore format: a table
const CODES = new Set((
  "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo " +
  "fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg " +
  "li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se " +
  "sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
).split(" "));

/** In lower case. */
export const isLanguageCode = (code: string): boolean => CODES.has(code);

// biome-ignore format: a table
const CODE_OF: Record<string, string> = {
  afrikaans: "af", albanian: "sq", amharic: "am", arabic: "ar", armenian: "hy", assamese: "as", azerbaijani: "az", bashkir: "ba",
  basque: "eu", belarusian: "be", bengali: "bn", bosnian: "bs", breton: "br", bulgarian: "bg", burmese: "my", cantonese: "zh",
  catalan: "ca", chinese: "zh", croatian: "hr", czech: "cs", danish: "da", dutch: "nl", english: "en", estonian: "et", faroese: "fo",
  finnish: "fi", french: "fr", galician: "gl", georgian: "ka", german: "de", greek: "el", gujarati: "gu", "haitian creole": "ht",
  hausa: "ha", hebrew: "he", hindi: "hi", hungarian: "hu", icelandic: "is", indonesian: "id", italian: "it", japanese: "ja",
  javanese: "jv", kannada: "kn", kazakh: "kk", khmer: "km", korean: "ko", lao: "lo", latin: "la", latvian: "lv", lingala: "ln",
  lithuanian: "lt", luxembourgish: "lb", macedonian: "mk", malagasy: "mg", malay: "ms", malayalam: "ml", maltese: "mt", maori: "mi",
  marathi: "mr", mongolian: "mn", myanmar: "my", nepali: "ne", norwegian: "no", nynorsk: "nn", occitan: "oc", pashto: "ps", persian: "fa",
  polish: "pl", portuguese: "pt", punjabi: "pa", romanian: "ro", russian: "ru", sanskrit: "sa", serbian: "sr", shona: "sn", sindhi: "sd",
  sinhala: "si", slovak: "sk", slovenian: "sl", somali: "so", spanish: "es", sundanese: "su", swahili: "sw", swedish: "sv", tagalog: "tl",
  tajik: "tg", tamil: "ta", tatar: "tt", telugu: "te", thai: "th", tibetan: "bo", turkish: "tr", turkmen: "tk", ukrainian: "uk",
  urdu: "ur", uzbek: "uz", vietnamese: "vi", welsh: "cy", yiddish: "yi", yoruba: "yo",
};

/** By its name in lower case; undefined for one that is not known. */
export const languageCodeOf = (name: string): string | undefined => ownValue(CODE_OF, name);
