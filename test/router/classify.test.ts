import { expect, test } from "bun:test";
import { MEDIA_INTENTS } from "../../src/catalog/task-type.ts";
import { TEXT_TASKS } from "../../src/config/vocabulary.ts";
import { sigmoid } from "../../src/encoder/apply-head.ts";
import { loadEncoder } from "../../src/encoder/encoder.ts";
import type { ChatMessage } from "../../src/providers/provider.ts";
import { classify } from "../../src/router/classify.ts";
import { decideMedia } from "../../src/router/detect-media.ts";
import { examShapes } from "../../src/router/features/exam-shapes.ts";

const encoder = await loadEncoder();
const ask = (content: string, extra: { system?: string; hasSchema?: boolean } = {}) => {
  const messages: ChatMessage[] = [
    ...(extra.system ? [{ role: "system" as const, content: extra.system }] : []),
    { role: "user", content },
  ];
  return classify(encoder, { messages, hasSchema: extra.hasSchema ?? false });
};

const askedBefore = (asked: string, answered: string): ChatMessage[] => [
  { role: "user", content: asked },
  { role: "assistant", content: answered },
];

test("the trained weights know each task and each intent, and no others", () => {
  expect(encoder.heads.route.outputs).toBe(TEXT_TASKS.length + MEDIA_INTENTS.length);
});

test.each([
  ["summarization", "Summarize the following article in two sentences."],
  ["classification", "Classify the sentiment of this review as positive or negative: the soup was cold."],
  ["extraction", "Extract all dates and amounts from this invoice: Paid 30 EUR on 3 May."],
  ["code", "Write a Python function that reverses a linked list."],
  ["writing", "Draft a friendly email that invites the team to a picnic."],
  ["reasoning", "A train leaves at noon and travels 60 km/h. How many kilometres has it gone by 3 pm?"],
] as const)("%s is told from the instruction: %s", (task, prompt) => {
  expect(ask(prompt).task).toBe(task);
});

test.each([
  ["extraction", "pls pull the VAT id out of this footer\n\nSolaris Handels GmbH, Ring 4, 4020 Linz, FN 22819k, ATU61230099"],
  [
    "extraction",
    "Que valor e que prazo o fornecedor indica?\n\nConseguimos fazer por 3.900 euros, com entrega em 15 dias úteis.",
  ],
  ["classification", "is he mad at us or just asking\n\nso this is the third time i write. where. is. my. bike."],
  ["classification", "Questo ticket è di primo o secondo livello?\n\nIl servizio di replica del database si ferma ogni notte."],
  [
    "summarization",
    "Kun je de notulen inkorten tot de besluiten?\n\nBesloten is dat de kantine om 11 uur opent. Parkeren: nog geen besluit.",
  ],
  ["writing", '{"type":"email","to":"supplier","about":"two pallets are missing, ask for delivery by Wednesday","tone":"firm"}'],
  ["reasoning", "Wie lange müssen wir Rechnungen eigentlich aufbewahren?"],
  [
    "code",
    "SYSTEM: You translate plain English to SQL for invoices(id, amount, paid_at).\nUSER: unpaid invoices over 1000, oldest first",
  ],
] as const)("%s is told in the register that offices write in: %s", (task, prompt) => {
  expect(ask(prompt).task).toBe(task);
});

test.each([
  [
    "classification",
    "Item: hammer\nAisle: tools\n\nItem: milk\nAisle: dairy\n\nItem: nails\nAisle: tools\n\nItem: yoghurt\nAisle:",
  ],
  ["code", '"every day at noon" -> 0 12 * * *\n"every Monday at 8" -> 0 8 * * 1\n"the first of each month at midnight" ->'],
  ["reasoning", "A, C, E, G => I\nB, D, F, H => J\nZ, X, V, T =>"],
] as const)("%s is told from examples alone: %s", (task, prompt) => {
  expect(ask(prompt).task).toBe(task);
});

const LOG =
  "2026-02-03 09:14:55 WARN kubelet pod/checkout-7d9 readiness probe failed: 503\n2026-02-03 09:16:02 ERROR kubelet pod/checkout-7d9 OOMKilled, limit 512Mi";
const TRACE =
  'Exception in thread "main" java.lang.NullPointerException: "invoice" is null\n\tat com.acme.billing.TaxService.compute(TaxService.java:88)\n\tat com.acme.billing.BillingJob.run(BillingJob.java:41)';
const TABLE =
  "| Region | Q1 sales | Returns | Manager |\n|---|---|---|---|\n| North | 412,000 | 2.1 % | I. Okoye |\n| South | 298,750 | 3.4 % | M. Lindqvist |";

test.each([
  ["extraction", "List all events of level WARN or higher with time and message.", LOG],
  ["extraction", "Which line number of TaxService did it fail at?", TRACE],
  ["extraction", "Who manages the region with the returns of 3.4 %?", TABLE],
  ["summarization", "Sum this up for a manager in one sentence.", LOG],
  ["classification", "Is this an error of the network, the data or the configuration?", TRACE],
  ["code", "How do I fix this?", TRACE],
] as const)("%s is wanted of what a machine wrote: %s", (task, wish, text) => {
  expect(ask(`${wish}\n\n${text}`).task).toBe(task);
  expect(ask(`${text}\n\n${wish}`).task).toBe(task);
});

test("image parts make a request vision, audio parts make it audio, with certainty", () => {
  const withPart = (part: { type: "image"; url: string } | { type: "audio"; data: string; format: "wav" }) =>
    classify(encoder, {
      messages: [{ role: "user", content: [{ type: "text", text: "What is this?" }, part] }],
      hasSchema: false,
    });
  expect(withPart({ type: "image", url: "data:image/png;base64,AA==" })).toMatchObject({ task: "vision", confidence: 1 });
  expect(withPart({ type: "audio", data: "AA==", format: "wav" })).toMatchObject({ task: "audio", confidence: 1 });
});

test("a wish for a picture is image intent; code that draws one is not", () => {
  expect(ask("Generate an image of a lighthouse in a storm.").media).toBe("image");
  expect(ask("Write Python code that draws an image of a circle.").media).toBe("none");
});

test.each([
  ["none", "Say hello."],
  ["none", "Please say hi"],
  ["none", "Speak to me about trains"],
  ["none", "Describe an image of a cat"],
  ["none", "Show me how to make a video"],
  ["none", "A"],
  ["none", "(b)"],
  ["none", "a dog"],
  ["none", "Logo."],
  ["none", "it's a picture"],
  ["none", "It is an illustration."],
  ["none", "Can you make pictures?"],
  ["none", "No image, please."],
  ["none", "Picture this: two shops, one van, no driver. What would you do?"],
  ["none", "Give me a clear picture of what a holding would cost us a year."],
  ["none", "Make a list of video games from 1998"],
  ["none", "Create a storyboard for a 30-second video about our new shoes"],
  ["none", "Produce a screenplay for a short clip with two robots"],
  ["none", "Create a synopsis for a short animated film about a snail"],
  ["none", "Create dialogue for an animated clip of two cats"],
  ["none", "Create a video game about a gardener"],
  ["none", "Erstelle ein Storyboard für ein Video über Bienen."],
  ["none", "Crea un storyboard para un vídeo sobre abejas."],
  ["none", "Crée un jeu vidéo sur un jardinier."],
  ["video", "Crée une vidéo d'un enfant devant un jeu vidéo."],
  ["none", "Make a video editing workflow for our team"],
  ["none", "Design a drawing app for tablets"],
  ["none", "Create a speech for the retirement of our headmaster"],
  ["video", "Create a video game trailer with knights and a dragon"],
  ["speech", "Create a speech for the following sentence: The ferry leaves at nine."],
  ["image", "Create a storyboard image with six panels about a cat"],
  ["video", "Create a video from this screenplay: a man opens a door and finds the sea"],
  ["speech", "Generate an audio of this dialogue: A: Hello. B: Goodbye."],
  ["none", "Create a table of image sizes"],
  ["none", "Please generate five titles for my video."],
  ["none", "Can you create a short summary of the video's comments?"],
  ["none", "Generate a mermaid diagram of a login flow"],
  ["none", "Create an HTML page with an image gallery"],
  ["none", "Draw me a comparison between the two offers"],
  ["none", "Compose an email asking for a video call"],
  ["none", "Create a table comparing text-to-speech engines"],
  ["none", "Crea una tabla de formatos de vídeo"],
  ["none", "Fais une liste de films d'animation"],
  ["none", "Create a diagram in mermaid showing a video pipeline"],
  ["none", "Design a database for a video rental shop"],
  ["none", "cómo dibujo un dragón paso a paso"],
  ["none", "como eu faço um vídeo curto no instagram"],
  ["none", "Как нарисовать дерево карандашом?"],
  ["none", "hoe maak ik een filmpje van mijn scherm"],
  ["none", "怎么画一只猫"],
  ["none", "बिल्ली का चित्र कैसे बनाते हैं"],
  ["none", "kedi nasıl çizilir"],
  ["none", "was kostet ein logo vom profi"],
  ["none", "где скачать бесплатные картинки"],
  ["none", "qué formato de vídeo pide instagram"],
  ["none", "écris le scénario d'une vidéo de 30 secondes"],
  ["none", "वीडियो की स्क्रिप्ट लिखो"],
  ["none", "사진 보정 앱 추천해줘"],
  ["none", "give me feedback on this painting idea: a boat in a desert"],
  ["image", "qué tal un dibujo de un gato con botas"],
  ["none", "मेरी दुकान के लिए दिवाली सेल का व्हाट्सएप मैसेज लिखो"],
  ["none", "짧은 시 하나 써줘"],
  ["none", "yaz bana kısa bir şiir"],
  ["none", 'traduce "dibujo animado" al alemán'],
  ["none", "spiegami la prospettiva nel disegno"],
  ["none", "rename all images in a folder with today's date"],
  ["none", "spring boot에서 jwt 인증 필터 구현하는 코드 예제 보여줘"],
  ["none", "I want to see the bigger picture: what are the macro risks?"],
  ["none", "speak more simply please"],
  ["none", "You are a pirate. Greet me."],
  ["none", "Meow like a cat."],
  ["none", "Logo copyright: can I reuse my old logo?"],
  ["none", "Raconte-moi une blague."],
  ["none", "画蛇添足是什么意思"],
  ["image", "Can I get a picture of a lighthouse at dusk?"],
  ["none", "Du bist ein Pirat. Begrüße mich."],
  ["none", "Crea un piano editoriale con foto."],
  ["none", "요리 동영상 제목 다섯 개 만들어줘"],
  ["none", "generate 5 video titles for my cooking channel"],
  ["none", "Is it legal to make a video of strangers on a train?"],
  ["none", "Would it be cheaper to make a video in-house?"],
  ["none", "Has anyone ever made a video of a giant squid?"],
  ["image", "Is it possible to generate an image of a fox in the snow?"],
  ["image", "Draw a fox."],
  ["image", "Render a fox in 3D"],
  ["image", "Sketch a samurai resting under a maple tree"],
  ["image", "Please draw the following: a kitchen with a large window"],
  ["none", "Illustrate Ohm's law with a small calculation"],
  ["none", "Paint me a realistic picture of what retirement on 1,500 a month means"],
  ["none", "Draw the login sequence as a mermaid diagram"],
  ["none", "Visualize for me in words how a black hole bends light"],
  ["image", "Нарисуй дракона в стиле Disney"],
  ["image", "帮我的奶茶店做一个logo"],
  ["image", "画一张海报 say cheese"],
  ["none", "Can you make pictures?"],
  ["none", "Zeichne ein Flussdiagramm für den Bestellprozess"],
  ["none", "Entwirf ein Datenbankschema für eine Bibliothek"],
  ["none", "Entwirf ein Konzept für ein Straßenfest"],
  ["none", "Diseña una encuesta de satisfacción"],
  ["none", "设计一个实验验证光合作用"],
  ["none", "여행 계획 만들어줘"],
  ["none", "صمم استبيانا للموظفين"],
  ["image", "Diseña una camiseta con un gato astronauta"],
  ["none", "Illustriere das Konzept der Opportunitätskosten an einem Beispiel"],
  ["none", "dessine un diagramme de séquence pour la connexion"],
  ["none", "Нарисуй блок-схему алгоритма сортировки"],
  ["none", "画一个登录流程图"],
  ["none", "二次関数のグラフを描いて"],
  ["none", "bana bir özür mesajı yazar mısın"],
  ["none", "Draw a free body diagram for a ladder leaning on a wall"],
  ["image", "Give me an image with a diagram of brain function in the center"],
  ["image", "crea un gráfico publicitario de un café humeante"],
  ["none", "I want to make a video about sourdough, what equipment do i need"],
  ["image", "Can you draw a wolf?"],
  ["image", "Paint a rabbit"],
  ["image", "Male einen Hund."],
  ["image", "Kannst du einen Drachen zeichnen?"],
  ["image", "¿Puedes dibujar un lobo?"],
  ["none", "¿Puedes dibujar un diagrama de flujo?"],
  ["none", "Draw a state machine for a vending machine."],
  ["none", "You draw a ball from an urn with 3 red and 2 blue balls. What is the probability it is red?"],
  ["video", "Is it feasible to produce a short video clip of a sunset?"],
  ["image", "Would it be doable to create a logo for a bakery?"],
  ["none", "create a video game story about a lost robot"],
  ["none", "make an image upload form"],
  ["none", "create an audio description policy for the museum website"],
  ["none", "create a drawing competition announcement"],
  ["none", "build an image of the disk with dd"],
  ["none", "Build a docker base image for a Node app."],
  ["none", "create a small image of my app with Docker"],
  ["image", "Create a logo for our Docker meetup"],
  ["image", "Draw me a docker unloading a ship in the harbour"],
  ["image", "Create an image of the system of planets around a red star"],
  ["image", "Draw an abstract painting of a house on a mountain"],
  ["image", "can you draw me the cutest hamster ever"],
  ["video", "make a video tutorial on tying knots, 10 seconds"],
  ["image", "Draw me a big picture of a dragon"],
  ["image", "手紙を書いている猫の絵を描いて"],
  ["image", "おすすめメニューの看板の画像を作って"],
  ["image", "画一个推荐徽章的图片"],
  ["image", "추천 배너 이미지 만들어줘"],
  ["speech", "Speak in a calm voice: please stay on the line."],
  ["image", "Come up with a picture of a dragon for our poster"],
  ["image", "cómo se vería un perro con bigote? dibújalo"],
  ["image", "画一张图，展示小猫怎么爬树"],
  ["image", "Mach mir ein Bild davon, wie ein Roboter Brot backt"],
  ["image", "Create a report cover image: blue waves"],
  ["speech", "Create an audio version of this article: Bees are vital."],
  ["none", "Draw me a circle, as Python code"],
  ["video", "Create a video about the list of world heritage sites"],
  ["image", "Draw me a grumpy walrus wearing spectacles"],
  ["image", "Make a logo for my bakery called Crumb & Co"],
  ["image", "Could you make us three pictures of old movie titles?"],
  ["image", "桜の木の下の侍の絵を描いて"],
  ["image", "Draw a cat"],
  ["speech", "Say this out loud: the train leaves at noon."],
  ["speech", "Read aloud: good morning"],
  ["speech", "Recite this poem aloud: Roses are red"],
  ["speech", "Wandle diesen Text in Sprache um: Willkommen in Wien."],
  ["speech", "преврати текст в речь: поезд прибывает на второй путь"],
  ["speech", "şunu sesli oku: kapılar kapanıyor"],
  ["none", "¿Sirve leer en voz alta para memorizar?"],
  ["none", "Ventajas de leer en voz alta para los niños"],
  ["none", "Vorteile des Buchs als Audio gegenüber dem Druck"],
  ["none", "Convert speech to text"],
  ["none", "Text-to-speech, compare vendors"],
  ["none", "TTS: which engine is cheapest?"],
  ["speech", "TTS: which way to the station, please?"],
  ["none", "Illustriere das Prinzip an einem Zahlenbeispiel"],
  ["none", "Ilustra la ley de Ohm con un ejemplo"],
  ["none", "Illustra la tesi con un esempio"],
  ["none", "Generate  an  image  sitemap  for  my  site"],
  ["none", "Illustrate the use of generics in TypeScript"],
  ["none", "Generate an image sitemap for my site"],
  ["none", "Design a logo brief for a coffee chain"],
  ["none", "Convert this paragraph to first person voice: He walked home."],
  ["none", "Turn these notes to a speech for my wedding: met in 2012, a dog, Rome"],
  ["speech", 'Generate a voice-over for the tutorial. "Click on settings, then on invite."'],
  ["image", "Fais-moi une affiche pour la fête de l'école avec des ballons et un grand soleil."],
  ["video", "Erstelle bitte einen kurzen Clip: Drohnenflug über einen Weinberg bei Sonnenuntergang."],
] as const)("%s is wanted by «%s»", (media, prompt) => {
  expect(ask(prompt).media).toBe(media);
});

test.each([
  ["Narysuj mi jeża grającego na skrzypcach."],
  ["Namaluj ježka, který hraje na housle."],
  ["ارسم لي سفينة في زجاجة"],
  ["Kitap okuyan bir kirpi çiz"],
  ["我想要一张刺猬拉小提琴的图"],
])("a picture is wanted in any language: %s", (prompt) => {
  expect(ask(prompt).media).toBe("image");
});

test("a wish that a system prompt has labelled is not granted", () => {
  expect(
    ask("Please film our harbour at dawn, ten seconds.", { system: "Sort orders into PAINT, PHOTO or FILM." }),
  ).toMatchObject({
    task: "classification",
    media: "none",
  });
});

test("words within an e-mail address veto no wish", () => {
  const likely = Float64Array.of(0, 2, 0, 0);
  const calibration = { ...encoder.heads.calibration, mediaCaution: 0, mediaTemperature: 1 };
  const uncautious = { ...encoder, heads: { ...encoder.heads, calibration } };
  const mediaOf = (prompt: string) => decideMedia(uncautious, likely, prompt, 0).media;
  expect(mediaOf("Draw a dog with python code")).toBe("none");
  expect(mediaOf("Draw a dog for code@python.org, please")).toBe("image");
  expect(mediaOf("Draw a dog for joe@example.info")).toBe("image");
});

test("a wish stands in the first words, however long the text that follows", () => {
  const text = "The valley is forty kilometres long and known for its vineyards, its narrow lanes and a railway. ".repeat(4);
  expect(ask(`Create a video from the following text: '${text}'`).media).toBe("video");
  expect(ask(`Convert this text to speech: ${text}`).media).toBe("speech");
  expect(ask(`Summarize this text: ${text}`).media).toBe("none");
});

test("a few words that may merely name a thing are no order for media, unless the heads are sure or they name a picture", () => {
  const calibration = { ...encoder.heads.calibration, mediaCaution: 0, mediaTemperature: 1 };
  const mediaOf = (prompt: string, image: number) =>
    decideMedia({ ...encoder, heads: { ...encoder.heads, calibration } }, new Float64Array([0, image, 0, 0]), prompt, 0).media;
  for (const name of ["Berlin Wall", "olive oil.", "Great Wall of", "«Taj Mahal»"])
    expect([name, mediaOf(name, 2)]).toEqual([name, "none"]);
  for (const order of ["una imagen, por favor", "fox pictures", "the Berlin Wall in the snow"])
    expect(mediaOf(order, 2)).toBe("image");
  expect(mediaOf("piirrä kettu lumessa", 3)).toBe("image");
});

test("filler is not taken for a wish for media, and hides none", () => {
  for (const word of ["la ", "na ", "hello ", "padding ", "A", "X ", "hello world "]) {
    expect(ask(word.repeat(500)).media).toBe("none");
    expect(ask(`Reply with OK ${word.repeat(500)}`).media).toBe("none");
  }
  expect(ask(`Read this aloud: ${"la ".repeat(50)}`).media).toBe("speech");
  expect(ask("Draw me a cat. ".repeat(100)).media).toBe("image");
});

test("who asks for more wants a picture only if what came before was one", () => {
  const media = (...said: string[]) =>
    classify(encoder, {
      messages: said.flatMap((content): ChatMessage[] => [
        { role: "user", content },
        { role: "assistant", content: "Here you are." },
      ]),
      hasSchema: false,
    }).media;
  for (const more of ["Another one, please.", "Please go on.", "Noch eins, bitte!", "encore un s'il te plaît"]) {
    for (const first of ["Chapter 1", "a 1", '{"a":1}', "Write a poem about foxes."]) expect(media(first, more)).toBe("none");
    expect(media(more)).toBe("none");
  }
  expect(media("Draw a red fox.", "Another one, please.")).toBe("image");
  expect(media("Draw a red fox.", "Another one, please.", "And another one.")).toBe("image");
  expect(media("Draw a red fox.", "And now a blue one, please.")).toBe("image");
});

test.each([
  ["none", "Create a logo for my bakery.", "Five names for a rye bread, please"],
  ["image", "Draw a red fox in the snow.", "less snow, more trees"],
  ["image", "What is the capital of Norway?", "A poster of Oslo in winter, please."],
  ["image", "Translate to French: see you tomorrow", "Now a picture of two friends waving"],
] as const)("%s is wanted after «%s» by «%s»", (media, first, then) => {
  const messages = [...askedBefore(first, "Here you are."), { role: "user" as const, content: then }];
  expect(classify(encoder, { messages, hasSchema: false }).media).toBe(media);
});

test("what everyday requests demand says nothing about a question with choices", () => {
  const exam = "Prove that every group of order 15 is\nA. cyclic\nB. simple\nC. infinite\nD. free\nAnswer:";
  const { bias, weights } = encoder.heads.calibration.exam;
  const logOdds = examShapes(encoder, exam)!.reduce((sum, shape, i) => sum + shape * weights[i]!, bias);
  expect(ask(exam).complexity).toBe(sigmoid(logOdds));
});

test("all figures are probabilities, for empty and odd prompts too", () => {
  for (const prompt of ["", " ", "?", "🙂", "a".repeat(10_000), "\n\n\n"]) {
    const found = ask(prompt);
    for (const figure of [found.complexity, found.confidence, found.mediaConfidence]) {
      expect(figure).toBeGreaterThanOrEqual(0);
      expect(figure).toBeLessThanOrEqual(1);
    }
  }
});

const NURSERY =
  "The nursery takes children from the age of one. It is open from 7:30 to 17:00 and closed in the last two weeks of August. Parents pay 310 euros a month, " +
  "and 190 for every further child. Meals are 65 euros more. Notice must be given six weeks before the end of a quarter, in writing, to the office.";

test.each([
  ["extraction", "Translate this into French.", "And what is the age limit exactly?"],
  ["summarization", "Translate this into French.", "Who is this for and what matters? Two sentences."],
  ["reasoning", "Translate this into French.", "What does it cost for two children with meals?"],
  ["extraction", "Summarize this for me.", "How long is the notice?"],
  ["writing", "Translate this into French.", "shorter"],
] as const)("%s is wanted by the last turn, whatever came before it: %s, then %s", (task, first, then) => {
  const messages = [...askedBefore(`${first}\n\n${NURSERY}`, "Here you are."), { role: "user" as const, content: then }];
  expect(classify(encoder, { messages, hasSchema: false }).task).toBe(task);
});

test("a question is about a text given some turns ago", () => {
  const given = askedBefore(`Translate this into French.\n\n${NURSERY}`, "La crèche…");
  for (const content of ["How long is the notice?", "When is it closed?"]) {
    const messages = [...given, ...askedBefore("Is the English all right?", "Yes."), { role: "user" as const, content }];
    expect(classify(encoder, { messages, hasSchema: false }).task).toBe("extraction");
  }
});

test.each([
  [
    "writing",
    "Answer the sender in our name, politely.",
    "Hi, it is Ivo from the second floor. The door of the bike room has not closed since Monday, and somebody has put a sofa in front of the meters.",
  ],
  [
    "summarization",
    "Kurzfassung in einem Satz.",
    "03:11 worker 3: connection refused by replica 2\n03:12 worker 3: moved to replica 1",
  ],
] as const)("%s is what the system prompt wants done with any text: %s", (task, system, text) => {
  expect(ask(text, { system }).task).toBe(task);
});

test("what an agent adds behind a tool's results continues the request, and a new message does not", () => {
  const call: ChatMessage = { role: "assistant", content: "", toolCalls: [{ id: "a", name: "count", arguments: "{}" }] };
  const result: ChatMessage = { role: "tool", toolCallId: "a", content: "12" };
  const nudge: ChatMessage = { role: "user", content: "Extract the result above, or go on with the next tool." };
  const about = (...messages: ChatMessage[]) =>
    classify(encoder, {
      messages: [{ role: "user", content: "Write a Python function that counts words." }, ...messages],
      hasSchema: false,
    });
  const first = about();
  for (const loop of [about(call, result), about(call, result, nudge), about(call, result, nudge, call, result, result, nudge)])
    expect([loop.task, loop.complexity]).toEqual([first.task, first.complexity]);
  const next: ChatMessage = {
    role: "user",
    content: "Summarize the following article in two sentences: the bridge opens in May.",
  };
  expect(about(call, result, { role: "assistant", content: "Done." }, next).task).toBe("summarization");
});
