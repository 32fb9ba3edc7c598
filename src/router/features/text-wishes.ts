/** Wording by which an instruction asks for text or code, or for nothing, although it sounds like an order for media. */

import type { MediaIntent } from "../../catalog/task-type.ts";
import { ordersPicture } from "./media-orders.ts";
import { BEFORE_THING, BEFORE_WORDS, END_OF_THING, OPENING, oneOf, openingOf, START } from "./wording.ts";

/** Words that show that the wish is about text, code or an existing file. */
const VETO = new RegExp(
  `\\b(?:${[
    "code|function|fonction|funktion|functie|funci[oó]n|fun[cç][aã]o|funzione|kotlin|html|svg|css|xml|json|sql|python|pytorch|javascript|typescript|matplotlib|ascii|(?:in|using) mermaid",
    "scripts?|skript|drehb[uü]ch\\w*|sc[eé]nario|gui[oó]n|roteiro|sceneggiatura|scenariusz|senaryo",
    "prompts?|captions?|alt text|in (?:\\w+ )?words|word pictures?|(?:person|passive|active) voice|transcri\\w+|speech[\\s-]to[\\s-]text",
    "docker (?:\\w+ )?(?:image|container)s?|(?:image|container)s? .{0,40}?(?:with|using|via|for) docker|iso (?:image|file)|dis[kc] image",
    "image of (?:the|my) (?:dis[kc]|drive|partition|system)(?=\\s*$|\\s?[.,;:!?]| (?:with|using|via|to|onto|for|before)\\b)",
    "attached|uploaded|example\\.(?!com|org|net)\\w{3}",
  ].join("|")})\\b|` +
    "(?<!\\p{L})код(?!\\p{L})|كود|코드|コード|代码|代碼|कोड|сценари|脚本|剧本|劇本|台本|대본|스크립트|स्क्रिप्ट|سيناريو",
  "u",
);
/** A request for recommendations makes no media, but it may order a picture of what is recommended. */
const RECOMMENDS = /(?<![画畫].{0,8})推[荐薦]|おすすめ|추천(?!.{0,40}(?:그려|만들어|생성해)\s?(?:줘|주))/;
/** Openings that ask for words, even about media: «say hello», «describe an image», «show me how to film». */
const ASKS_FOR_WORDS = new RegExp(
  `${START}(?:please\\s+)?${oneOf(
    "say speak\\s+(?:to|with|about|more|less|simply|plainly) describe explain outline translate summari[sz]e rename compare greet introduce " +
      "tell\\s+me\\s+(?:an?|the|about|what|why|who|if) (?:show|tell|teach)\\s+me\\s+how how\\s+(?:do|does|did|can|could|would|should|to|is|are) " +
      "imagine\\s+you(?:'re|\\s+are) (?:sing|meow|bark|howl)(?=\\s+(?:me|us|for|like|at|an?\\s\\w*(?:song|lullaby))\\b|\\W*$)",
  )}\\b`,
  "u",
);
/** «How …?», «where …?» in other languages, but not «what would … look like?», which is often a wish to see it. */
const ASKS_ELSEWHERE = new RegExp(
  `^[^\\p{L}]*${oneOf(
    "wie comment c[oó]mo come(?!\\sup|\\sand) hoe jak hur hvordan как як làm\\sthế\\snào bagaimana\\scara چگونه چطور كيف welche[rsnm]? " +
      "was\\s(?:ist|sind|kostet|kosten|bedeutet|macht) wo où quel(?:le)?s? combien qué(?!\\stal) cuáles cuál dónde cuánto qual quais onde quanto " +
      "dove quale quali waar welke gdzie jaki[ea]? ile где как(?:ой|ая|ое|ие) сколько nerede hangi أين كم کجا",
  )}\\s(?!.{0,60}(?:würd|wär|säh|zou|skulle|ville|(?:^|\\s)бы?\\s|\\sby|\\p{L}(?:rai[ts]|r[ií]as?|rebbe)(?!\\p{L})))|` +
    "^(?![^\\p{L}]*(?:[请請]|帮我|幫我|[给給]我)?[画畫生做制製]).{0,12}(?:怎[么麼样樣]|如何|哪[里裡个個]|多少)|什[么麼]意思|" +
    "どうやって|方(?:法)?[をは](?:教え|知り|何|？|$)|とはどういう|(?:어떻게|방법)(?!.{0,40}(?:그려|만들어|생성해)\\s?(?:줘|주))|" +
    "कैसे(?!\\s(?:दिख|लग))|nasıl\\s(?!görün|ol)",
  "u",
);
/** «Explain …», «tell …», «translate …», «… with an example» in other languages; where the verb stands at the end, there. */
const ASKS_TO_TELL_ELSEWHERE = new RegExp(
  `^[^\\p{L}]*(?:bitte |por favor |per favore )?${oneOf(
    "begrüß erzähl sing\\s stell\\sdir erklär beschreib übersetz korrigier vergleich salue[sz]?\\s raconte chante\\s imagine\\sque résume expli(?:que|ca) " +
      "décris tradui[st] salúda cuénta canta\\s imagina\\sque tradu[cz] corrig corrija resum[ea] descri saluta racconta spiega riassumi vertel\\s beschrijf " +
      "vertaal wyjaśnij opisz przetłumacz açıkla çevir поприветств расскажи спой изобрази\\sиз\\sсебя объясни опиши переведи сравни " +
      "解释 解釋 翻译 翻譯 描述 اشرح ترجم",
  )}|^.{0,20}(?:歌って|真似をして)|(?:説明|翻訳|要約)して|教えて|(?:설명|번역|요약)해|알려\\s?(?:줘|주)|समझा(?:ओ|इए|एं)|अनुवाद|बता(?:ओ|इए|एं)|` +
    "(?:^|\\s)(?:(?:an|mit|anhand) eine[ms] \\p{L}*beispiels?|(?:par|avec) (?:un|des) exemples?|con (?:un )?(?:ejemplos?|esempio)|com um exemplo|" +
    "met een \\p{L}*voorbeeld|na przykładzie|на примере|örnekle)(?!\\p{L})|举例|舉例|例を挙げ|예를 들어|उदाहरण से|" +
    "(?:^|\\s)(?:açıkla|anlat|çevir|özetle|söyle|yaz)(?:\\p{L}{0,3} m[ıi]s[ıi]n(?:[ıi]z)?|[ıi]n(?:[ıi]z)?)?[^\\p{L}]*$",
  "u",
);
/** «My old logo: may I reuse it?», «I want to make a video, which camera should I buy»: asks for advice. */
const ASKS_FOR_ADVICE =
  /^.{0,60}\b(?:(?:can|may|should|must|shall|do|did|am) i\b(?!\s(?:please\s)?(?:see|have|get|order|request|ask|hear|trouble))[^?]{0,200}\?|(?:what|which|how|where)\s(?:[\w'-]+\s){0,3}(?:can|should|must|do) i\b[^?]{0,200}\??)\s*$/;
/** «Is it legal to film strangers?», «has anyone filmed …?»: a question about the world, not a polite request. */
const ASKS_ABOUT_THE_WORLD =
  /^[^\p{L}]*(?:(?:is it|would it be)(?! (?:feasible|doable|great|nice|lovely)\b)|was|were|are|does|did|has|have)\s(?!.*\b(?:you|me|us|please|possible|get|see|want|fancy)\b)[^?]{0,200}\?\s*$/u;
/** Instructions that wish for no media: a letter, a noun, «it's a picture», «can you make pictures?», «picture this: …», «tts, compare vendors». */
const NO_WISH = [
  /^[^\p{L}]*(?:\p{Script=Latin}{1,2}[^\p{L}]*)?$/u,
  /^[^\p{L}]*(?:(?:an?|the|my|eine?|une?|una?|el|la|le|il|o|uma?|een)\s)?\p{Script=Latin}+[^\p{L}]*$/u,
  /^[^\p{L}]*(?:it|this|that)(?:['’]s|\sis)\s(?:an?|the|my|our)\s(?:\p{Script=Latin}+\s){0,2}\p{Script=Latin}+[^\p{L}]*$/u,
  /^[^\p{L}]*(?:text[\s-]to[\s-]speech|tts)(?:[,;]\s?(?:which|what|how|compare|list|recommend|explain)|:\s?(?:which|what)\s(?:api|engine|library|model|provider|service|tool|vendor)s?)\b/u,
  /^[^\p{L}]*(?:can|could|do|are)\s(?:you|u)\s(?:able\sto\s|also\s)?\p{Script=Latin}+\s(?:\p{Script=Latin}+s|art|audio|music|speech)(?:\saloud)?[^\p{L}]*$/u,
  /^[^\p{L}]*picture\s(?:this|that)\b|\b(?:(?:clear(?:er)?|full(?:er)?|rough|better)\spicture\sof\s(?:what|how|why|where|who|whether)|the\sbig(?:ger)?\spicture|picture\sof\swhat\s[^.!?\n]{1,80}\s(?:means?|costs?))\b/u,
];
const TEXT_THINGS = oneOf(
  "abstracts?(?=\\s(?:of|for|about|on)\\b) advice arguments? articles? class classes comparisons? conclusions? dockerfiles? " +
    "e?-?mails? essays? examples feedback flashcards? functions? glossaries glossary guides? lessons? letters? lists? lyrics " +
    "mermaid\\s\\p{L}+ names? overviews? poems? posts? query quiz quizzes regex reports? reviews? scripts? slogans? stories story " +
    "summaries summary tables? taglines? tutorials? tweets? websites?",
);
const WORDS_OF_MEDIA = oneOf(
  "agendas? agreements? announcements? applications? apps? (?:service|software|system)\\sarchitectures? assistants? breakdowns? briefs? budgets? " +
    "captions? checklists? classifiers? clauses? components? contracts? courses? descriptions? dialog(?:ue)?s?(?=\\sfor\\b) estimates? faqs? forms? " +
    "(?:board|card|computer|video)\\sgames? guidelines hashtags headlines? ideas inventories inventory invoices? keywords manuals? memos? " +
    "(?:ad|banner|card|flyer|guide|menu|message|poster)\\stexts? newsletters? notes outlines? (?<!colou?ring\\s)pages? pitch(?:es)? plans? playlists? " +
    "policies policy proposals? queries questionnaires? questions rules schedules? schemas? schemes? screenplays? sitemaps? " +
    "(?<=\\ba\\s)speech(?=\\sfor\\s(?:an?|her|his|my|our|the)\\s(?!following|text|sentence)) spreadsheets? storyboards? strategies strategy subtitles " +
    "surveys? syllabus synops[ie]s tags? tips titles? treatments? voice-?overs?\\stexts? waivers? workflows? workshops?",
);
const PLANNED_THINGS = oneOf(
  "apis? apps? architectures? backends? briefs? class classes courses? curriculum data databases? experiments? " +
    "(?:board|card|computer|video)\\sgames?(?:\\slevels?)? pipelines? polic(?:y|ies) process processes queries questionnaires? schemas? services? " +
    "surveys? systems? tables? workflows?",
);
/** «Make a list of video games», «generate five titles for my clip», «design a database of pictures»: text or code, whatever it is about. */
const MAKES_TEXT = new RegExp(
  `${OPENING}(?:make|create|generate|write|build|draft|compose|produce|compile|prepare|give|draw|come up with|put together|set up)\\s` +
    `(?:(?:me|us|up|out)\\s)*(?:${BEFORE_THING}${TEXT_THINGS}|${BEFORE_WORDS}${WORDS_OF_MEDIA})${END_OF_THING}|` +
    `${OPENING}(?:design|model|plan)\\s(?:(?:me|us|out)\\s)*${BEFORE_THING}${PLANNED_THINGS}${END_OF_THING}`,
  "u",
);
/** The same in other languages: «crea una tabla de formatos de vídeo», «entwirf eine Marketingstrategie». */
const MAKES_TEXT_ELSEWHERE = new RegExp(
  `${START}${oneOf(
    "fais crée écris donne conçois élabore prépare haz crea escribe dame diseña elabora prepara erstelle schreibe mach gib entwirf gestalte entwickle erarbeite " +
      "crie faça faz escreva elabore desenhe scrivi fammi dammi progetta maak schrijf ontwerp stwórz zrób zaprojektuj opracuj przygotuj создай сделай составь " +
      "разработай подготовь buat(?:kan)? rancang susun tạo lập thiết\\skế صمم أنشئ ضع أعد",
  )}` +
    `(?:[\\s-]\\p{L}+){0,2}?\\s${oneOf(
      "storyboard jeux?\\svidéos? listes? tableau titres? résumé poème lettre listas? tablas? títulos? resumen poema carta tabelle titel zusammenfassung gedicht brief " +
        "übersicht tabela resumo tabella titolo riassunto poesia lettera lijst tabel plan planung piano plano planning calendrier calendario kalender " +
        "stratégie estrat[eé]gia strategia strategie formulaire formulario formular quiz contrat contrato vertrag contratto description descripción descrizione " +
        "beschreibung beschrijving titoli \\p{L}*(?:plan|konzept|strategie|umfrage|fragebogen) sondage encuesta sondaggio enquête ankiet\\p{L}* анкет\\p{L}* опрос " +
        "menú weekmenu expérience experiment\\p{L}* esperimento curso corso cronograma harmonogram план\\p{L}* стратеги\\p{L}* презентаци\\p{L}* présentation präsentation " +
        "presentación presentazione apresentação rapport bericht informe relazione relatório отч[её]т\\p{L}* rencana strategi survei jadwal kế\\shoạch chiến\\slược " +
        "استبيان\\p{L}* خطة استراتيجية",
    )}(?![\\p{L}-])|` +
    `${START}(?:напиши(?:те)?\\s(?!картин|портрет)|napisz\\s|yaz(?:ın)?\\s|اكتب\\s|viết\\s)|लिख(?:ो|ें|िए|िये)|書いて(?!い?る|あ)|제목.{0,12}만들어|写(?=[一个個份封条條段首篇])|써\\s?(?:줘|주)|작성해|` +
    "(?:设计|設計|制作|製作|制定|做).{0,10}(?:[问問]卷|[实實][验驗]|方案|[计計][划劃]|[课課]程|流程|策略|教案)(?!.{0,8}[图圖画畫海])|" +
    "(?:計画|プラン|戦略|アンケート|カリキュラム|スケジュール|実験)を(?:作|設計|考)|(?:계획|전략|설문|일정|커리큘럼)(?:지|표|안)?[을를]?\\s?(?:만들|설계|세워|짜)|" +
    "(?:plan|strateji|anket|program)\\p{L}*\\s(?:tasarla|oluştur|hazırla|yap)|योजना\\sबना",
  "u",
);
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
const NAMES_SOUND = /\b(?:aloud|out loud|audio|voice|speech|spoken|accent|hear (?:it|this|that)|mp3|wav|recording)\b/;

/** Two or three words between blanks: «Berlin Wall», but also «draw a fox». */
const FEW_WORDS = /^[^\p{L}\p{N}]*[\p{L}\p{N}'’-]+(?:\s[\p{L}\p{N}'’-]+){1,2}[^\p{L}\p{N}]*$/u;

/** So short that it may merely name a thing, about which text is wanted. */
export const mayMerelyName = (instruction: string): boolean =>
  FEW_WORDS.test(openingOf(instruction)) && !NAMES_PICTURE.test(instruction) && !NAMES_SOUND.test(instruction);

export const wishesForNothing = (instruction: string): boolean => NO_WISH.some((pattern) => pattern.test(openingOf(instruction)));

/** Whether a word anywhere in the instruction shows that it is about text, code, an existing file or a recommendation. */
export const isVetoed = (instruction: string): boolean =>
  VETO.test(withoutAddresses(instruction)) || (RECOMMENDS.test(instruction) && !ordersPicture(instruction));

/** Whether the instruction as a whole asks for text. «Say hello» does, unless speech is wished for and sound is named. */
export const asksForText = (instruction: string, media: MediaIntent): boolean => {
  if (ASKS_FOR_WORDS.test(instruction) && !(media === "speech" && NAMES_SOUND.test(instruction))) return true;
  const opening = openingOf(instruction);
  return (
    [MAKES_TEXT, MAKES_TEXT_ELSEWHERE, ASKS_ELSEWHERE, ASKS_TO_TELL_ELSEWHERE, ASKS_ABOUT_THE_WORLD].some((pattern) =>
      pattern.test(opening),
    ) ||
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
