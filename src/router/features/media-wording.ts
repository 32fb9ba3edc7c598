/** The wording that tells a wish for a picture, a clip or spoken audio from requests for text that sound alike. Instructions are given in lower case. */
import type { MediaIntent } from "../../catalog/task-type.ts";

/** Words that show that the wish is about text, code or an existing file. */
const VETO =
  /\b(?:code|scripts?|skript|drehb[uü]ch\w*|sc[eé]nario|gui[oó]n|roteiro|sceneggiatura|scenariusz|senaryo|function|fonction|funktion|functie|funci[oó]n|fun[cç][aã]o|funzione|kotlin|html|svg|css|python|javascript|matplotlib|ascii|prompts?|captions?|alt text|docker (?:\w+ )?(?:image|container)s?|(?:image|container)s? .{0,40}?(?:with|using|via|for) docker|iso (?:image|file)|dis[kc] image|image of (?:the|my) (?:dis[kc]|drive|partition|system)(?=\s*$|\s?[.,;:!?]| (?:with|using|via|to|onto|for|before)\b)|transcri\w+|attached|uploaded|example\.(?!com|org|net)\w{3}|(?:in|using) mermaid|in (?:\w+ )?words|word pictures?|(?:person|passive|active) voice)\b|(?<!\p{L})код(?!\p{L})|كود|코드|コード|代码|代碼|कोड|сценари|脚本|剧本|劇本|台本|대본|스크립트|स्क्रिप्ट|سيناريو/u;
/** A request for recommendations makes no media, but it may order a picture of what is recommended. */
const RECOMMENDS = /(?<![画畫].{0,8})推[荐薦]|おすすめ|추천(?!.{0,40}(?:그려|만들어|생성해)\s?(?:줘|주))/;
/** Openings that ask for words, even about media: «say hello», «describe an image», «show me how to film». */
const ASKS_FOR_WORDS =
  /^\W*(?:please\s+)?(?:say|speak\s+(?:to|with|about|more|less|simply|plainly)|describe|explain|outline|translate|summari[sz]e|rename|compare|greet|introduce|tell\s+me\s+(?:an?|the|about|what|why|who|if)|(?:sing|meow|bark|howl)(?=\s+(?:me|us|for|like|at|an?\s\w*(?:song|lullaby))\b|\W*$)|imagine\s+you(?:'re|\s+are)|(?:show|tell|teach)\s+me\s+how|how\s+(?:do|does|did|can|could|would|should|to|is|are))\b/;
/** «How …?», «where …?», «explain …» and the like in other languages ask for words too, but «what would … look like?» is often a wish to see it. */
const ASKS = new RegExp(
  "^[^\\p{L}]*(?:wie|comment|c[oó]mo|come(?! up| and)|hoe|jak|hur|hvordan|как|як|làm thế nào|bagaimana cara|چگونه|چطور|كيف|" +
    "welche[rsnm]?|was (?:ist|sind|kostet|kosten|bedeutet|macht)|wo|où|quel(?:le)?s?|combien|qué(?! tal)|cuáles|cuál|dónde|cuánto|qual|quais|onde|quanto|dove|quale|quali|" +
    "waar|welke|gdzie|jaki[ea]?|ile|где|как(?:ой|ая|ое|ие)|сколько|nerede|hangi|أين|كم|کجا)\\s(?!.{0,60}" +
    "(?:würd|wär|säh|zou|skulle|ville|(?:^|\\s)бы?\\s|\\sby|\\p{L}(?:rai[ts]|r[ií]as?|rebbe)(?!\\p{L})))|" +
    "^[^\\p{L}]*(?:bitte |por favor |per favore )?(?:begrüß|erzähl|sing\\s|stell dir|salue[sz]?\\s|raconte|chante\\s|imagine que|salúda|cuénta|canta\\s|imagina que|saluta|racconta|vertel\\s|поприветств|расскажи|спой|изобрази из себя|erklär|beschreib|übersetz|korrigier|vergleich|résume|expli(?:que|ca)|décris|tradui[st]|tradu[cz]|corrig|corrija|" +
    "resum[ea]|descri|spiega|riassumi|beschrijf|vertaal|wyjaśnij|opisz|przetłumacz|açıkla|çevir|объясни|опиши|переведи|сравни|解释|解釋|翻译|翻譯|描述|اشرح|ترجم)|" +
    "什[么麼]意思|とはどういう|^.{0,20}(?:歌って|真似をして)|(?:説明|翻訳|要約)して|(?:설명|번역|요약)해|समझा(?:ओ|इए|एं)|अनुवाद|教えて|알려\\s?(?:줘|주)|बता(?:ओ|इए|एं)|" +
    "(?:^|\\s)(?:açıkla|anlat|çevir|özetle|söyle|yaz)(?:\\p{L}{0,3} m[ıi]s[ıi]n(?:[ıi]z)?|ın(?:[ıi]z)?|in(?:[ıi]z)?)?[^\\p{L}]*$|" +
    "^(?![^\\p{L}]*(?:[请請]|帮我|幫我|[给給]我)?[画畫生做制製]).{0,12}(?:怎[么麼样樣]|如何|哪[里裡个個]|多少)|" +
    "どうやって|方(?:法)?[をは](?:教え|知り|何|？|$)|(?:어떻게|방법)(?!.{0,40}(?:그려|만들어|생성해)\\s?(?:줘|주))|कैसे(?!\\s(?:दिख|लग))|nasıl\\s(?!görün|ol)",
  "u",
);
/** «You are a pirate.»: a role for the answer, before the request itself. */
const ROLE =
  /^\s*(?:you(?:'re| are| will be)|act as|pretend to be|be|imagine you(?:'re| are)|du bist|tu es|vous êtes|eres|(?:tu )?sei|você é|jij bent|jesteś|ты)\s[^.!?\n]{1,80}[.!?]\s+(?=\S)/;
/** «My old logo: may I reuse it?», «I want to make a video, which camera should I buy»: asks for advice. */
const ASKS_FOR_ADVICE =
  /^.{0,60}\b(?:(?:can|may|should|must|shall|do|did|am) i\b(?!\s(?:please\s)?(?:see|have|get|order|request|ask|hear|trouble))[^?]{0,200}\?|(?:what|which|how|where)\s(?:[\w'-]+\s){0,3}(?:can|should|must|do) i\b[^?]{0,200}\??)\s*$/;
/** «Is it legal to film strangers?», «has anyone filmed …?»: a question about the world, not a polite request. */
const ASKS_ABOUT_THE_WORLD =
  /^\W*(?:(?:is it|would it be)(?! (?:feasible|doable|great|nice|lovely)\b)|was|were|are|does|did|has|have)\s(?!.*\b(?:you|me|us|please|possible|get|see|want|fancy)\b)[^?]{0,200}\?\s*$/;
/** Instructions that ask for nothing: a letter, a single noun, «can you make pictures?», «picture this: two shops». */
const NO_WISH = [
  /^[^\p{L}]*(?:\p{Script=Latin}{1,2}[^\p{L}]*)?$/u,
  /^[^\p{L}]*(?:(?:an?|the|my|eine?|une?|una?|el|la|le|il|o|uma?|een)\s)?\p{Script=Latin}+[^\p{L}]*$/u,
  /^[^\p{L}]*(?:can|could|do|are)\s(?:you|u)\s(?:able\sto\s|also\s)?\p{Script=Latin}+\s(?:\p{Script=Latin}+s|art|audio|music|speech)(?:\saloud)?[^\p{L}]*$/u,
  /^[^\p{L}]*picture\s(?:this|that)\b|\b(?:(?:clear(?:er)?|full(?:er)?|rough|better)\spicture\sof\s(?:what|how|why|where|who|whether)|the\sbig(?:ger)?\spicture)\b/u,
];
const oneOf = (words: string): string => `(?:${words.split(" ").join("|")})`;
/** Not `\W`, which also matches the letters of other scripts, so that a match could begin anywhere in a Chinese sentence. */
const START = "^[^\\p{L}\\p{N}]*";
const OPENING = `${START}(?:[\\p{L}'’]+[\\s,]+){0,5}?`;
const END_OF_THING = `(?=\\s${oneOf(
  "of for about on with that which who where in from to at as by called named titled between \\p{L}+ing",
)}\\b|\\s?[.,:;!?–—(]|\\s*$)`;
const ENDS_NAME = "of for about on with that which from to as using showing";
const MEDIA_OF =
  "audio spoken video(?!\\s(?:games?|calls?|conferences?|interviews?|production|marketing)\\s) visual illustrated animated narrated";
/** Up to five words, none of them `excluded`. */
const wordsBut = (excluded: string): string => `(?:(?!${oneOf(excluded)}\\s)[\\p{L}\\p{N}'’-]+\\s){0,5}?`;
/** Words that may precede the thing to be made: none that ends its name or turns it into media. */
const BEFORE_THING = wordsBut(`${ENDS_NAME} ${MEDIA_OF}`);
/** The same for a thing that is text even after a word for media: «video titles», «image upload form». */
const BEFORE_WORDS = wordsBut(ENDS_NAME);
const TEXT_THINGS = oneOf(
  "abstracts?(?=\\s(?:of|for|about|on)\\b) advice arguments? articles? class classes comparisons? conclusions? dockerfiles? " +
    "e?-?mails? essays? examples feedback flashcards? functions? glossaries glossary guides? lessons? letters? lists? lyrics " +
    "mermaid\\s\\p{L}+ names? overviews? poems? posts? query quiz quizzes regex reports? reviews? scripts? slogans? stories story " +
    "summaries summary tables? taglines? tutorials? tweets? websites?",
);
const WORDS_OF_MEDIA = oneOf(
  "agendas? agreements? announcements? applications? apps? briefs? budgets? captions? checklists? clauses? components? contracts? " +
    "courses? descriptions? estimates? faqs? forms? guidelines hashtags headlines? ideas inventories inventory invoices? keywords " +
    "manuals? memos? (?:ad|banner|card|flyer|menu|poster)\\stexts? newsletters? notes outlines? (?<!colou?ring\\s)pages? plans? playlists? policies policy proposals? queries " +
    "questionnaires? questions rules schedules? schemas? schemes? spreadsheets? strategies strategy surveys? syllabus tags? tips " +
    "titles? waivers? workshops?",
);
const PLANNED_THINGS = oneOf(
  "apis? architectures? backends? class classes courses? curriculum data databases? experiments? pipelines? process processes " +
    "queries questionnaires? schemas? services? surveys? systems? tables? workflows?",
);
/** «Make a list of video games», «generate five titles for my clip», «design a database of pictures»: text or code, whatever it is about. */
const MAKES_TEXT = new RegExp(
  `${OPENING}(?:make|create|generate|write|build|draft|compose|produce|compile|prepare|give|draw|come up with|put together|set up)\\s` +
    `(?:(?:me|us|up|out)\\s)*(?:${BEFORE_THING}${TEXT_THINGS}|${BEFORE_WORDS}${WORDS_OF_MEDIA})${END_OF_THING}|` +
    `${OPENING}(?:design|model|plan)\\s(?:(?:me|us|out)\\s)*${BEFORE_THING}${PLANNED_THINGS}${END_OF_THING}`,
  "u",
);
/** The same in other languages: «crea una tabla de formatos de vídeo». */
const MAKES_TEXT_ELSEWHERE = new RegExp(
  `${START}${oneOf("fais crée écris donne haz crea escribe dame erstelle schreibe mach gib crie faça faz escreva scrivi fammi dammi maak schrijf")}` +
    `(?:[\\s-]\\p{L}+){0,2}?\\s${oneOf(
      "listes? tableau titres? résumé poème lettre listas? tablas? títulos? resumen poema carta tabelle titel zusammenfassung gedicht brief " +
        "übersicht tabela resumo tabella titolo riassunto poesia lettera lijst tabel plan planung piano planning calendrier calendario kalender " +
        "stratégie estrategia strategia strategie formulaire formulario formular quiz contrat contrato vertrag contratto description descripción descrizione beschreibung beschrijving titoli",
    )}(?![\\p{L}-])|` +
    `${START}(?:напиши(?:те)?\\s(?!картин|портрет)|napisz\\s|yaz(?:ın)?\\s|اكتب\\s|viết\\s)|लिख(?:ो|ें|िए|िये)|書いて(?!い?る|あ)|제목.{0,12}만들어|写(?=[一个個份封条條段首篇])|써\\s?(?:줘|주)|작성해`,
  "u",
);
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
/** A mere question: nothing in it could be spoken. */
const GIVES_NO_TEXT = /^[^:："“«„「]*[?？]\s*$/;
/** Drawn with lines and letters in any language, and better as text or code: a diagram, a function's graph, a database, a concept, a plot. */
const CHARTED = new RegExp(
  "diy?agram|flow ?chart|(?:flujo|fluxo|organi)gram|mind ?map|map[aę] (?:mental|myśli)|carte mentale|mappa (?:mentale|concettuale)|fl[öø]desschema|datenbank|datab[aá]s|veri ?taban|блок-схем|диаграмм|[流程]程[图圖]|函[数數][图圖]|思[维維][导導][图圖]|" +
    "[数數][据據][库庫]|グラフ|フローチャート|データベース|흐름도|그래프|다이어그램|순서도|مخطط|رسم(?:ا)? بياني|sơ đồ|biểu đồ|đồ thị|आरेख|ग्राफ़|" +
    `(?<!\\p{L})(?:graph(?:en|e|s)?(?! novel)|base (?:de donn[ée]es|de datos|de dados|di dati)|baz[aęy] danych|баз[аыу] данных|схем[аыу]|schemat\\p{L}*|şema\\p{L}*|` +
    "wykres\\p{L}*|(?:das konzept|l[ae] (?:concept|notion)|el concepto|il concetto|o conceito|pojęcie|понятие|die handlung|den beweis))(?!\\p{L})|" +
    // «Gráfico», «график» and the like also mean «graphic»; what follows tells them apart.
    "(?<!\\p{L})(?:gr[aá]fic[oa]|grafiek|graphique|grafi[kğ]\\p{L}*|график\\p{L}?) (?:[a-z][=(]|à|[ad] barr|circular|de (?:la|l|y|f|barr)|d[ei] |del|della|van|функц|çiz)",
  "u",
);
const NAMES_PICTURE =
  /\b(?:images?|pictures?|photos?|fotos?|illustrations?|posters?|bild(?:er)?|im[aá]gen(?:es)?|immagin[ei]|imagem|afbeelding|plaatje|obraz\p{L}*|resi?m\p{L}*)\b|картин|изображ|图片|圖片|照片|画像|写真|イラスト|그림|이미지|사진|صورة|ảnh|चित्र/u;
/** The same characters three times or more in a row, apart from blanks between them. */
const REPEATED = /(\S.{0,60}?)(?:\s*\1){2,}/gsu;
const NAMES_SOUND = /\b(?:aloud|out loud|audio|voice|speech|spoken|accent|hear (?:it|this|that)|mp3|wav|recording)\b/;

/** The part of an instruction that may hold a wish: its first 400 characters. */
const openingOf = (instruction: string): string => instruction.slice(0, 400);

/** The instruction without a role in front of it. */
export const withoutRole = (instruction: string): string => instruction.replace(ROLE, "");

export const ordersPicture = (instruction: string): boolean => {
  const opening = openingOf(instruction);
  return ORDERS_PICTURE.some((pattern) => pattern.test(opening));
};

export const ordersSpeech = (instruction: string): boolean =>
  ORDERS_SPEECH.test(openingOf(instruction)) && !GIVES_NO_TEXT.test(instruction);

/** What an instruction orders to depict. */
export const findDepicted = (instruction: string): string | undefined => DEPICTS.exec(openingOf(instruction))?.[1];

export const wishesForNothing = (instruction: string): boolean => NO_WISH.some((pattern) => pattern.test(openingOf(instruction)));

/** The instruction with each run of repeats shortened to one: «la» for «la la la». */
export const withoutRepeats = (instruction: string): string => instruction.replace(REPEATED, "$1");

/** Whether a word anywhere in the instruction shows that it is about text, code, an existing file or a recommendation. */
export const isVetoed = (instruction: string): boolean =>
  VETO.test(withoutAddresses(instruction)) || (RECOMMENDS.test(instruction) && !ordersPicture(instruction));

/** Whether the instruction as a whole asks for text. «Say hello» does, unless speech is wished for and sound is named. */
export const asksForText = (instruction: string, media: MediaIntent): boolean => {
  if (ASKS_FOR_WORDS.test(instruction) && !(media === "speech" && NAMES_SOUND.test(instruction))) return true;
  const opening = openingOf(instruction);
  return (
    [MAKES_TEXT, MAKES_TEXT_ELSEWHERE, ASKS, ASKS_ABOUT_THE_WORLD].some((pattern) => pattern.test(opening)) ||
    (media === "image" && CHARTED.test(opening) && !NAMES_PICTURE.test(opening)) ||
    ASKS_FOR_ADVICE.test(instruction)
  );
};

/** Words in an e-mail address (`code@…`, `…@python.org`) say nothing about the wish. */
const withoutAddresses = (text: string): string =>
  text.includes("@")
    ? text
        .split(/\s/)
        .filter((word) => !word.includes("@"))
        .join(" ")
    : text;
