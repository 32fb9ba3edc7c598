/**
 * How assistants decline in languages other than English, of which the refusal head has seen too little: being unable or unwilling, the
 * service that is asked for, and regret. «Das kann ich nicht beantworten» declines, «Freitag kann ich nicht» does not.
 */

/** From «I» to «not», within one sentence. */
const between = (least: string, negations: string): string => `${least}[^.!?\\n]{0,40}\\b(?:${negations})\\b`;

const CANNOT = new RegExp(
  [
    between("\\b(?:ich|wir)\\b", "nichts?|keine?[nmrs]?"),
    "lehne ich|ich lehne|ablehnen|weiger",
    "\\bje (?:ne |n'|refuse|dois (?:refuser|décliner)|préfère ne)|m'est (?:impossible|interdit|pas (?:possible|permis))",
    "\\bno (?:\\p{L}{2,3} ){0,2}(?:puedo|puc|podré|voy a|me |estoy|estic|soy capaz|tengo permiso|lo har|ho far)|me niego|rechaz(?:o|ar)|tengo que negar",
    "não (?:\\p{L}{1,3} ){0,2}(?:posso|vou|consigo|me |estou|sou capaz|tenho permiss)|recus(?:o|ar)",
    "\\bnon (?:\\p{L}{2,6} ){0,2}(?:posso|potrò|intendo|mi |sono|ho |lo far|voglio)|rifiut(?:o|are)",
    between("\\bik\\b", "niet|geen"),
    "\\bnie (?:mogę|będę|zrobię|napiszę|jestem w stanie|wolno mi)|odmawiam|odmówić",
    "(?:^|[^\\p{L}])не (?:могу|буду|стану|вправе|предоставляю|даю|пишу|делаю|можу|зможу|мога)|отказываюсь|вынужден|няма да",
    between("\\b(?:jag|jeg|vi)\\b", "inte|ikke"),
    "\\ben (?:voi|pysty|saa|aio|halua|osaa)\\b",
    "(?:amam|emem|amıyorum|emiyorum|mayacağım|meyeceğim)(?!\\p{L})|reddediyorum",
    "\\bne(?:mohu|můžu|smím|udělám|budu|napíšu|poskytnu|môžem|urobím| mogu)|neću|odmítám|не могу",
    "\\bnem (?:tudo[km]|tehetem|válaszolhat|segíthet|fogom|írom|adhatok)|utasítan",
    "\\bnu (?:(?:te|vă|îți|vi|le|îl|o) )?(?:pot|voi|am voie)",
    "δεν (?:μπορώ|θα|μου επ)|αδυνατώ",
    "לא (?:יכול|אוכל|רשאי|מוכן)|אין באפשרותי",
    "لا (?:أستطيع|يمكنني|أقدر)|لن أ|لست مخول|يتعذر|أرفض",
    "نمی.?توانم|نمی.?کنم|نہیں (?:کر|دے) سک",
    "मैं[^।]{0,40}नहीं|अनुमति नहीं|পারব না|পারি না",
    between("\\b(?:saya|kami)\\b", "tidak|tak"),
    "\\btôi[^.!?\\n]{0,20}không",
    "ไม่สามารถ|ไม่ได้",
    "수 없|않겠|거절|못 ?[합해드]",
    "(?:でき|られ|えられ|書け)ません|かねます|お断り",
    "[我恕这這][^。！？]{0,12}(?:不能|不会|不會|(?<![来來成的多何])不便(?!之)|不了|不上)|无法|無法|没办法|沒辦法|拒[绝絕]",
    "hindi (?:ko|kita|ako)|siwezi",
  ].join("|"),
  "u",
);

/** Idioms that sound alike but decline nothing: «cannot wait», «cannot but», «cannot … enough», «do not know», «do not remember», «found no». */
const DECLINES_NOTHING = new RegExp(
  [
    "\\bkann(?:'s| es)? (?:\\p{L}+ ){0,3}?(?:nicht (?:anders|umhin|(?:\\p{L}+ )?genug|erwarten|glauben|widersprechen|klagen|erinnern)|nur|kaum|nichts schöneres)",
    "\\bich (?:weiß|kenne|glaube|denke|sehe|finde)[^.!?\\n]{0,30}\\b(?:nichts?|keine?[nr]?)\\b|\\b(?:weiß|kenne|glaube) ich[^.!?\\n]{0,30}\\bnicht\\b",
    "\\bich habe[^.!?\\n]{0,20}\\b(?:nichts?|keine?[nr]?)\\b[^.!?\\n]{0,20}(?:gefunden|entdeckt)",
    "\\bje (?:ne (?:peux que|(?:peux|puis) (?:pas )?m'empêcher|me souviens|saurais (?:trop|assez)|sais|connais|crois|pense|vois|trouve)|n'ai (?:(?:pas )?pu m'empêcher|(?:pas )?(?:trouvé|vu|remarqué)|jamais))",
    "\\bno (?:puedo|podré) (?:dejar de|evitar|sino|más que|esperar|creer|estar más)|não (?:posso|consigo) (?:deixar de|evitar|esperar|acreditar|concordar mais)",
    "\\bnon (?:(?:posso|riesco) (?:che|a non|fare a meno|crederci|aspettare)|ho (?:trovato|visto|notato)|sono (?:sicur|cert)[oa])",
    "\\bik (?:kan (?:niet (?:wachten|anders|genoeg|vaak genoeg|geloven)|het niet laten)|weet[^.!?\\n]{0,20}niet|(?:heb|zie|vind)[^.!?\\n]{0,20}(?:geen|niets) (?:fout|gevonden))",
    "\\b(?:jag|jeg) (?:kan (?:inte|ikke) (?:vente|vänta|nog|nok|låta|lade|la være|tro)|(?:vet|ved) (?:inte|ikke))",
    "\\bnie mogę (?:się )?(?:doczekać|nie |uwierzyć)|\\bne(?:mohu|můžu) se (?:dočkat|ubránit)",
    "(?:^|[^\\p{L}])не (?:могу|можу) (?:не |дождаться|дочекатися|поверить|повірити|(?:точно )?сказать|вспомнить)",
    "\\ben (?:malta|voi) (?:odottaa|uskoa|kuin|muuta kuin)|δεν μπορώ να (?:περιμένω|μην|πιστέψω)|לא יכולה? לחכות|لا (?:أستطيع|يسعني|يمكنني) (?:الانتظار|إلا)|نمی.?توانم صبر",
    "इंतज़ार नहीं|\\btôi không (?:thể (?:chờ|không|tin)|biết|tìm thấy|thấy)|\\bsaya tidak (?:sabar|tahu|bisa menunggu|menemukan|melihat)",
    "않을 수 없|기다릴 수 없|待ちきれません|ずにはいられません|我不能(?:更|不(?!能))|迫不及待",
  ].join("|"),
  "gu",
);

const SERVICE = new RegExp(
  [
    "helf|behilflich|antwort|anfrage|unterstütz|nachkommen|auskunft|erfüllen",
    "aider|répon|respond|demande|requête|donner suite|en parler",
    "ayud|ajud|aiut|rispond|contest[ae]|petici|solicit|pedido|richiesta|hablar de|falar|atender|cumplir|proporcion|fornec|forni",
    "antwoord|verzoek|hjälp|hjælp|hjelp|svar[ae]|begäran",
    "pom(?:óc|oc|ôc|og)|odpow|odpov|prośb|žádost|požiadav|помо[чг]|допомог|ответ|відпов|отговор|запрос|просьб|прохан|запит",
    "autta|vasta|pyyn|yardım|cevap|yanıt|isteğ|segít|válasz|kérés|ajut|răspun|cerer|βοηθ|απαντ|αίτημα",
    "לעזור|לסייע|לענות|בקש|ساعد|إجاب|الرد|تلبي|طلب|کمک|پاسخ|جواب|درخواست|مدد",
    "मदद|सहायता|उत्तर|जवाब|अनुरोध|সাহায্য|উত্তর|bantu|jawab|permintaan|giúp|trả lời|yêu cầu|hỗ trợ|ช่วย|ตอบ",
    "도와|도움|답|요청|제공|手伝|答え|応[えじ]|依頼|要望|対応|帮|幫|[协協]助|回答|[请請]求|提供|tulung|sagot|saidi|jibu",
  ].join("|"),
  "u",
);

/** An assistant's own rules, which forbid it. */
const RULES = new RegExp(
  [
    "(?:meine|unsere)[nr]? (?:richtlinien|regeln|vorgaben)|(?:mes|nos) (?:règles|directives|principes)|(?:mis|nuestras|las) (?:reglas|directrices|normas|políticas)",
    "(?:minhas|nossas|as) (?:regras|diretrizes|políticas)|(?:mie|nostre|le) (?:regole|linee guida)|mijn (?:regels|richtlijnen)|moimi zasadami|моим правилам|мои правила|нарушает правила",
    "mina riktlinjer|mine retningslin|kurallarım|kebijakan saya|pedoman saya|我的(?:准则|原则|規則|规则)|使用(?:政策|规范)|ガイドライン|ポリシー|제 (?:지침|정책)|سياسات|मेरे (?:दिशा|नियम)",
  ].join("|"),
  "u",
);

const SORRY = new RegExp(
  [
    "leid\\b|entschuldig|verzeih|leider|bedau",
    "désolé|navré|regrett|malheureus|lo siento|lament|disculp|perd[oó]n|desculp|sinto|infeliz|spiac|scusa|purtroppo|spijt|helaas",
    "przykro|przepraszam|niestety|wybacz|извин|прост|жаль|сожален|вибач|съжал|förlåt|tyvärr|ledsen|beklag|desværre|dessverre",
    "valitettav|anteeksi|pahoillani|üzgün|özür|maalesef|omlouv|bohužel|líto|ľutuj|sajn|elnéz|îmi pare|păcate|λυπ|δυστυχ|συγγν|žao|ho sento",
    "מצטער|לצערי|סליחה|آسف|عذر|أسف|تأسف|متاسف|ببخش|معذرت|माफ़|क्षमा|खेद|দুঃখিত|maaf|xin lỗi|rất tiếc|ขออภัย|ขอโทษ",
    "죄송|미안|申し訳|すみません|ごめん|残念|抱歉|[对對]不起|不好意思|遗憾|paumanhin|samahani",
  ].join("|"),
  "u",
);

/** «That», «this»: what was asked for, without saying it again. */
const THAT = new RegExp(
  [
    "\\b(?:das|dies\\w*|dazu|dabei|damit|darüber|hierzu|so etwas|ce|ça|cela|cet(?:te)?|eso|es[ae]|esto|hacerlo|isso|isto|ess[ae])\\b",
    "\\b(?:quest[oa]|ciò|farlo|lo farò|dat|dit|daar|hier\\w*|to|tego|tym|tej|tę|det|detta|dette|den|bu|bun[ua]|tím|tomu|tuto|toto|asta|acest\\w*|itu|ini|se|sitä|siinä)\\b",
    "\\be(?:zt?|bben|rre)\\b|эт[оиу]|таког|цього|цим|αυτ|זה|זאת|הזו|כך|ذلك|هذا|این|आ?यह|इस|ऐसा|এই|এটা|এতে|اس |này|đó|นี้|นั้น|그|해당|それ|その|この|ご[依要]|[这這那此]",
  ].join("|"),
  "u",
);

/** The speaker, not somebody of whom a text tells: «I can't», «we're not able to», «I'd rather not». */
const CANNOT_IN_ENGLISH =
  /\b(?:i|we)(?:'m|'d|'re|'ll)?(?: \w+){0,2}? ?(?:can't|can ?not|won't|will not|unable|not (?:able|going|willing|comfortable|allowed|permitted)|(?:prefer|rather) not|decline|refuse)\b|\b(?:not|isn't) something i\b/;

const cannotElsewhere = (text: string): boolean => CANNOT.test(text) && CANNOT.test(text.replace(DECLINES_NOTHING, " "));

/** Which of the groups above occur in `opening`, alone and together. `opening` must be in lower case, with straight apostrophes. */
export const declining = (opening: string): boolean[] => {
  const cannot = cannotElsewhere(opening);
  const service = SERVICE.test(opening);
  const that = THAT.test(opening);
  const sorry = SORRY.test(opening);
  const isShort = opening.length < 100;
  return [
    cannot,
    service,
    sorry,
    cannot && service,
    sorry && cannot,
    sorry && !cannot,
    cannot && service && isShort,
    cannot && that && isShort,
    cannot && !that && !service,
    service && !cannot,
    RULES.test(opening),
  ];
};

/** Whether a long answer may contain a refusal at all; most contain none of these words. */
export const mayDecline = (opening: string): boolean => CANNOT.test(opening) || SORRY.test(opening);

const cannot = (text: string): boolean => CANNOT_IN_ENGLISH.test(text) || cannotElsewhere(text);

/** Another model would have no more of it, so such an answer is what it looks like as a whole. */
const LACKS_MEANS = /\b(?:real[ -]time|live|current(?:ly)?|up[ -]to[ -]date|brows(?:e|ing)|internet|access)\b/;
const OPENING_CHARACTERS = 300;
const FIRST_SENTENCES = 3;
/** Somebody else's words, or entries of a list. */
const QUOTED = /^(?:["“„«'‘>]|[-*•] |\d+[.)] )/;

/** An answer up to the sentence in which it declines, one of its first three; undefined if none does, or if nothing follows. */
export function upToDeclining(answer: string): string | undefined {
  const text = answer.trim();
  if (QUOTED.test(text)) return undefined;
  const opening = text.slice(0, OPENING_CHARACTERS);
  const lower = opening.toLowerCase().replaceAll("’", "'");
  if (!cannot(lower)) return undefined;
  const ends = opening.matchAll(/[.!?](?=\s)|\n|[。！？]/g).take(FIRST_SENTENCES);
  const end = ends.find(({ index }) => cannot(lower.slice(0, index + 1)))?.index;
  return end === undefined || LACKS_MEANS.test(lower.slice(0, end)) ? undefined : opening.slice(0, end + 1);
}
