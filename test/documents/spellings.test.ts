import { expect, test } from "bun:test";
import { indexCorpus } from "../../src/documents/corpus/search-corpus.ts";
import { createTokenizer } from "../../src/documents/index/tokenize.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";

const tokenize = createTokenizer();
const joined = (text: string): string[] => tokenize(text).joined.map(({ term }) => term);

test("what signs hold together is indexed in one piece besides its parts", () => {
  expect(tokenize("Wi-Fi at 6204-2RS").terms).toEqual(["wi", "fi", "at", "6204", "2rs"]);
  expect(joined("Wi-Fi, the 6204-2RS and DB_MAX_CONNECTIONS by A&B")).toEqual(["wifi", "62042rs", "dbmaxconnect", "ab"]);
  expect(joined("maxConnections of mRNA, PhD and pH")).toEqual(["maxconnect"]);
  expect(joined("F.D.A. rules. The next")).toEqual(["fda"]);
});

test("a number is one number, however its digits are grouped", () => {
  for (const text of ["1,000,000", "1.000.000", "1'000'000", "1 000 000", "1.000.000,00", "1\u202f000\u202f000"])
    expect([text, joined(text)]).toEqual([text, ["1000000"]]);
  expect(joined("2.10 and 12,50")).toEqual(["2·10", "12·50"]);
  expect(joined("in 2020 100 patients, 3 and 4")).toEqual([]);
  expect(joined("card 4000 0012 3456 7899, tel. 0171 2345678")).toEqual(["4000001234567899", "01712345678"]);
});

test("an account is one number besides its groups, a version is its number with and without its letter", () => {
  expect(joined("to DE89 3704 0044 0532 0130 00, or NL91 ABNA 0417 1643 00.")).toEqual([
    "de89370400440532013000",
    "nl91abna0417164300",
  ]);
  expect(joined("MT31 MALT 3400 1000 0000 0000 2001 23A")).toEqual(["mt31malt3400100000000000200123a"]);
  expect(tokenize("KW12 1200 1340 1280").terms).toEqual(["kw12", "1200", "1340", "1280"]);
  expect(joined("CD44 that were seen")).toEqual([]);
  expect(joined("Fixed in v1.10.2")).toEqual(["v1·10·2", "1·10·2"]);
  expect(joined("release-v2.0 by rev2.0")).toEqual(["releasev2·0", "2·0", "rev2·0"]);
});

test("what cannot be seen within a word parts it no more than a hyphen does", () => {
  expect(joined("Donau\u00addampf\u00adschiff")).toEqual(joined("Donau-dampf-schiff"));
  expect(joined("نمی\u200cتوان")).toEqual(tokenize("نمیتوان").terms);
});

test("a word that a line end cuts is indexed in one piece besides its halves, and so is a name", () => {
  expect(joined("The Geschwin\u2010\n   digkeit of a well-\nknown exam\u00ad\nple")).toEqual([
    "geschwindigkeit",
    "wellknown",
    "exampl",
  ]);
  expect(joined("It ends-\nWith a list-\n- of items")).toEqual([]);
});

test("a language with a sign at its end is not its letter", () => {
  expect(joined("C++ and C# and C")).toEqual(["c⁺⁺", "c♯"]);
});

test("words side by side are joined for a query alone", () => {
  expect(tokenize("health care plan", { sideBySide: true }).joined.map(({ term }) => term)).toEqual(["healthcar", "careplan"]);
  expect(joined("health care plan")).toEqual([]);
});

test("letters that 0.1.0 kept in its index are looked for as they are, too", () => {
  const query = tokenize("điện, Ærø", { sideBySide: true });
  expect([query.terms, query.joined.map(({ term }) => term)]).toEqual([
    ["dien", "aero"],
    ["đien", "æro"],
  ]);
  expect(joined("điện")).toEqual([]);
});

test("one endless name takes time in proportion to its length", () => {
  expect(joined("a-".repeat(500_000))).toEqual([]);
  expect(tokenize("1,000,".repeat(200_000)).terms).toHaveLength(400_000);
});

const CORPUS = [
  "Ball bearing 6204-2RS, sealed on both sides.",
  "Ball bearing 6204-ZZ, shielded on both sides.",
  "V-belt SPA-1250 of rubber.",
  "V-belt SPA-1320 of rubber.",
  "Hex bolt by DIN 933, zinc plated.",
  "Hex nut by DIN 934, zinc plated.",
  "The office has Wi-Fi on every floor.",
  "Call 0800/555-12-34, free of charge.",
  "The deposit is 2.400,00 Euro.",
  "The rent is 400 Euro, two months' notice.",
  "Version 2.10 drops the old importer.",
  "Version 2.1 adds the old importer.",
  "Since v1.10.2 it is faster.",
  "Since v1.10.3 it is slower.",
  "Pay to DE89 3704 0044 0532 0130 00.",
  "Pay to NL91ABNA0417164300.",
  "The setting `max_connections` bounds the pool.",
  "Die Kündigung bedarf der Schriftform.",
  "The drug was approved by the F.D.A. in spring.",
  "Книги выдаются читателям бесплатно.",
  "لا يشمل الضمان الأضرار.",
  "Nothing else is said of soup.",
].map((text, at) => ({ id: String(at), text }));

test("a code, a number or a name is found however it is written", async () => {
  const corpus = indexCorpus(CORPUS, await loadEncoder());
  for (const [query, expected] of [
    ["62042RS", "6204-2RS"],
    ["6204 2rs", "6204-2RS"],
    ["SPA1320", "SPA-1320"],
    ["spa 1250", "SPA-1250"],
    ["DIN933", "DIN 933"],
    ["wifi", "Wi-Fi"],
    ["wi fi", "Wi-Fi"],
    ["08005551234", "0800/555"],
    ["2400", "2.400,00"],
    ["2,400 Euro", "2.400,00"],
    ["version 2.10", "2.10 drops"],
    ["v2.1", "2.1 adds"],
    ["1.10.2", "v1.10.2"],
    ["v1.10.3", "v1.10.3"],
    ["DE89370400440532013000", "DE89"],
    ["NL91 ABNA 0417 1643 00", "NL91"],
    ["maxConnections", "max_connections"],
    ["max connections", "max_connections"],
    ["Kuendigung", "Kündigung"],
    ["FDA", "F.D.A."],
    ["книга", "Книги"],
    ["وبالضمان", "الضمان"],
  ] as const) {
    const [best] = corpus.rank(query, 1);
    expect([query, CORPUS[Number(best?.id)]?.text]).toEqual([query, expect.stringContaining(expected)]);
    // An inflected form is another word to the score; another spelling is not.
    if (query !== "книга") expect([query, best!.score >= 0.3]).toEqual([query, true]);
  }
});

test("a slip of the keyboard finds what was meant; a word that is known, or begins like one, is no slip", async () => {
  const corpus = indexCorpus(
    [
      "The warranty covers the power supply for one year.",
      "Interest on overdue invoices is eight percent.",
      "The vacuum pump stands in the cellar.",
      "Die Versicherung zahlt den Wasserschaden.",
      "Аренда помещения оплачивается ежеквартально.",
      "A form is filled in at the desk.",
      "Farms in the north grow barley.",
    ].map((text) => ({ id: text, text })),
    await loadEncoder(),
  );
  for (const [question, meant] of [
    ["warrenty of the suply", "warranty"],
    ["intrest on invoces", "Interest"],
    ["vaccum pmup", "vacuum"],
    ["Wasserschadne", "Wasserschaden"],
    ["аренад помещений", "Аренда"],
  ] as const) {
    const [best] = corpus.rank(question, 1);
    expect([question, best?.id, (best?.score ?? 0) >= 0.3]).toEqual([question, expect.stringContaining(meant), true]);
  }
  const lexical = (question: string) => corpus.rank(question, 5, "lexical").map(({ id }) => id);
  expect(lexical("farm")).toEqual([expect.stringContaining("Farms")]);
  for (const other of ["xarranty", "wrnty", "sup", "2024x"]) expect([other, lexical(other)]).toEqual([other, []]);
});

test("a few pages answer short questions at the default threshold, and none about something else", async () => {
  const pages = [
    "Rail is preferred for journeys under five hours. Flights are booked at least 14 days ahead.",
    "Private cars are reimbursed at 0.38 EUR per kilometre, bicycles at 0.11 EUR.",
    "The daily allowance is EUR 48. Alcohol is not reimbursed, except when hosting clients.",
    "The landlord keeps the roof, foundations and outer walls. The tenant keeps the interior in good repair.",
    "Disputes go to the Oslo District Court. The agreement is governed by the laws of Norway.",
    "Der Umzug der Kantine wird auf den 18. November verschoben, da die Lüftungsanlage nicht rechtzeitig geliefert wird.",
    "Les procurations doivent parvenir au syndic dix jours avant la prochaine assemblée, le 3 octobre.",
  ];
  const corpus = indexCorpus(
    pages.map((text) => ({ id: text, text })),
    await loadEncoder(),
  );
  for (const [question, said] of [
    ["kilometre allowance for a bike", "bicycles"],
    ["who fixes the roof", "landlord"],
    ["which court decides disputes", "Oslo"],
    ["Wann zieht die Kantine um?", "Kantine"],
    ["date de la prochaine AG", "procurations"],
  ] as const) {
    const [best] = corpus.rank(question, 1);
    expect([question, best!.id, best!.score >= 0.3]).toEqual([question, expect.stringContaining(said), true]);
  }
  for (const other of ["recipe for lentil soup", "symptoms of appendicitis", "Wie backt man Brot?", "capital of Mongolia"])
    expect([other, (corpus.rank(other, 1)[0]?.score ?? 0) < 0.3]).toEqual([other, true]);
});

test("what asks in Chinese, Japanese and Korean does not outweigh what is asked for", async () => {
  const asked = [
    ["长城是中国古代的伟大建筑,始建于春秋战国时期。", "长城什么时候开始建造"],
    ["寿司は酢飯と魚介類を使った料理です。", "寿司とは何ですか"],
    ["連休中の営業時間は午前十時から午後六時までです。", "営業時間を教えてください"],
    ["경복궁은 조선 시대의 궁궐로 1395년에 지어졌다.", "경복궁은 언제 지어졌나?"],
  ] as const;
  const corpus = indexCorpus(
    asked.map(([text]) => ({ id: text, text })),
    await loadEncoder(),
  );
  for (const [text, question] of asked) {
    const [best] = corpus.rank(question, 1);
    expect([question, best!.id, best!.score >= 0.3]).toEqual([question, text, true]);
  }
});

test("a Japanese or Korean word or stem of one character is found whatever follows it, and endings weigh less", async () => {
  const texts = [
    "猫を飼う場合は大家の許可が必要です。",
    "生ごみは金曜日の朝に出しますか、または庭に埋めます。",
    "魚は落とし蓋をして弱火で十五分煮ます。",
    "京都の寺は秋になると混みますから、早めに予約してください。",
    "東西線の始発は五時です。",
    "물을 끓인 뒤 면을 넣고 사 분 동안 삶습니다.",
    "회사 주차장은 여섯 시에 닫습니다.",
  ];
  const corpus = indexCorpus(
    texts.map((text) => ({ id: text, text })),
    await loadEncoder(),
  );
  const best = (question: string) => corpus.rank(question, 1)[0]?.id;
  expect(best("猫と暮らしてもいいですか")).toBe(texts[0]);
  expect(best("借りた部屋で猫は何匹まで飼えますか")).toBe(texts[0]);
  expect(best("煮る火加減")).toBe(texts[2]);
  expect(best("猫")).toBe(texts[0]);
  expect(best("물은 언제 넣어요?")).toBe(texts[5]);
  expect(best("면")).toBe(texts[5]);
  expect(best("회의실")).toBeUndefined();
  // Words of two syllables, whose second is no particle of the first: prices, a distance, a meeting, a circuit.
  for (const word of ["물가", "사이", "회의", "회로"]) expect([word, best(word)]).toEqual([word, undefined]);
  // «京» is a part of «東京» here, not a word.
  expect(best("東京の空")).toBeUndefined();
});

test("a Chinese word of one character is found in a short question, unless it only serves the sentence", async () => {
  const texts = ["鱼用小火炖十五分钟。", "养猫须经房东同意。", "药在饭后半小时服用。", "我们的会议在三楼。"];
  const corpus = indexCorpus(
    texts.map((text) => ({ id: text, text })),
    await loadEncoder(),
  );
  const best = (question: string) => corpus.rank(question, 1)[0]?.id;
  expect(best("鱼怎么做好吃")).toBe(texts[0]);
  expect(best("药什么时候吃")).toBe(texts[2]);
  expect(best("在哪里")).toBeUndefined();
});

test("a compound that the texts do not have is found by its parts; an inflected word, and one that is known, is none", async () => {
  const texts = [
    "Jede Gruppe von Benutzern hat ihr eigenes Passwort und seine Dateien.",
    "Der Aufsichtsrat ist ein Organ, das die Verwaltung prüft.",
    "Die Gewalten sind geteilt: eine Teilung, die den Staat zügelt.",
    "Das Wetter am Bodensee war im Sommer heiß.",
    "Ein Hafen braucht Lotsen, Schlepper und einen Kran.",
    "Wer Brot backt, lässt den Teig lange ruhen.",
    "Die Kinder laufen durch den Wald.",
  ];
  const corpus = indexCorpus(
    texts.map((text, at) => ({ id: String(at), text })),
    await loadEncoder(),
  );
  const best = (query: string) => corpus.rank(query, 1, "lexical")[0];
  for (const [query, id] of [
    ["Gruppenpasswort", "0"],
    ["Verwaltungsorgane", "1"],
    ["Gewaltenteilung", "2"],
    ["Sommerwetter", "3"],
  ] as const)
    expect([query, best(query)?.id, (best(query)?.score ?? 0) >= 0.3]).toEqual([query, id, true]);
  // The stemmer takes «er» off the whole, but not off «Wetter».
  expect(best("Sommerwetter")!.score).toBeGreaterThan(best("Sommermonate")!.score * 1.5);
  expect(best("Passwörtern")!.score).toBeLessThan(best("Passwort")!.score);
  // No part is a function word, though the beginning of the word is that of «durch».
  expect(best("Durchlaufen")!.score).toBeLessThan(best("Laufen")!.score / 1.5);
});

test("a long query is looked for by its beginning and its end", async () => {
  const subjects = ["walrus", "heron", "badger", "otter"];
  const corpus = indexCorpus(
    subjects.map((subject) => ({ id: subject, text: `What the ${subject} eats and where it sleeps.` })),
    await loadEncoder(),
  );
  const letter = Array.from(
    { length: 200 },
    (_, at) => `remark${String.fromCharCode(97 + (at % 26), 97 + ((at * 7) % 26), 97 + (at % 25))}`,
  );
  for (const text of [
    ["Where does the otter sleep?", ...letter],
    [...letter, "Where does the otter sleep?"],
  ])
    expect(corpus.rank(text.join(" "), 1, "lexical")[0]?.id).toBe("otter");
});

test("a question's subject outweighs the words it is asked with, in many languages", async () => {
  const encoder = await loadEncoder();
  for (const [question, subject, other] of [
    ["Wann darf der Hund mit?", "Ein Hund reist im Gepäckwagen.", "Wann darf man kommen?"],
    ["Wieviele Koffer? Weshalb?", "Koffer stehen hinten im Wagen.", "Weshalb und wieviele, fragt er."],
    ["dois-je payer la valise", "La valise voyage gratuitement.", "Dois je faire la queue?"],
    ["可以抽烟吗", "禁止抽烟，违者罚款。", "可以坐下，可以休息。"],
    ["puedo llevar equipaje", "El equipaje va detrás.", "Puedo ayudarle."],
    ["puis-je fumer", "On peut fumer dehors.", "Puis je dors."],
    ["quanto costa il bagaglio", "Il bagaglio paga tre euro.", "Quanto tempo resta?"],
    ["quantas malas posso levar", "Malas vão no porão.", "Quantas pessoas vieram?"],
    ["hoeveel bagage", "De bagage gaat mee.", "Hoeveel mensen kwamen er?"],
    ["bagaj nerede", "Bagaj arkada durur.", "Nerede oturuyor?"],
    ["gdzie jest bagaż", "Bagaż leży z tyłu.", "Gdzie jest pan teraz?"],
    ["нужно ли оплатить багаж", "Багаж едет сзади.", "Нужно ли ждать?"],
    ["सामान कहाँ है", "सामान पीछे रखा जाता", "वह कहाँ है"],
    // A purchase order; «po» is a word of Polish questions.
    ["PO deadline", "The PO leaves today.", "The deadline is on a Friday in June."],
  ] as const) {
    const corpus = indexCorpus(
      [other, subject, "Nothing else is said of soup."].map((text) => ({ id: text, text })),
      encoder,
    );
    expect([question, corpus.rank(question, 1, "lexical")[0]?.id]).toEqual([question, subject]);
  }
});
