/** Rule 3's detection of answers that broke off, and of whose bound a cut was. */

import { expect, test } from "bun:test";
import { isIncomplete, isTornJson } from "../../../src/chat/output/is-incomplete.ts";
import { type ChatResult, noUsage } from "../../../src/providers/provider.ts";

const answer = (text: string, finishReason: ChatResult["finishReason"], output = 0): ChatResult => ({
  text,
  toolCalls: [],
  finishReason,
  usage: { ...noUsage(), output },
  usageSource: output > 0 ? "provider" : "none",
});
const asked = (maxOutputTokens?: number) => ({ messages: [], ...(maxOutputTokens !== undefined && { maxOutputTokens }) });

test("a cut at the caller's own bound is what the caller wished; a cut long before it is not", () => {
  expect(isIncomplete(answer("The first of the", "length", 100), asked(100))).toBe(false);
  expect(isIncomplete(answer("The first of the", "length", 18), asked(100))).toBe(true);
  expect(isIncomplete(answer("The first of the", "length", 18), asked())).toBe(true);
});

test("an answer that ends abruptly may have met a stop sequence of the caller's", () => {
  const abrupt = answer("The signal box at the junction was rebuilt in 1931 and has been in use ever since and the", "stop");
  expect([isIncomplete(abrupt, asked()), isIncomplete(abrupt, { ...asked(), stop: ["END"] })]).toEqual([true, false]);
});

test("where tokens were only estimated, a cut near the bound was made there", () => {
  expect([75, 74].map((output) => isIncomplete(answer("The first of the", "length", output), asked(100)))).toEqual([false, true]);
});

test("without the provider's count the text tells", () => {
  expect(isIncomplete(answer("The first of the", "length"), asked(4))).toBe(false);
  expect(isIncomplete(answer("The first of the", "length"), asked(400))).toBe(true);
});

test("three backticks open a block only where their line begins; elsewhere the answer is about them", () => {
  const complete = [
    "Put three backticks (```) on a line of their own, and the same below.",
    "Use ``` to open a block. A single ``` leaves it open.",
    "```js\nconst text = `a```b`;\n```",
    "````\n```\n````",
    '```json\n{"a": 1}```',
    "```markdown\n# x\n```sh\nnpm i\n```\n```",
    "1. Run:\n   ```sh\n   ls\n   ```\n2. Done.",
  ];
  const open = ["Wrap it in ``` like this:\n\n```html\n<p>", "- ```js\n  let a = 1", "> ```\n> a", "```ts\na\n```\n\n```ts\nb"];
  for (const text of complete) expect([text, isIncomplete(answer(text, "stop"), asked())]).toEqual([text, false]);
  for (const text of open) expect([text, isIncomplete(answer(text, "stop"), asked())]).toEqual([text, true]);
});

test("a block that is opened behind words is closed on a line of its own", () => {
  const complete = [
    'Sure! ```json\n{"a": 1}\n```',
    "1. Run ```sh\nls\n```\n2. Done: ```sh\nls -a\n```",
    "A block of code begins with ```python",
  ];
  const open = ["Begin it with ```python, like this:\n\n```python\nprint(", "It is:\n\n```python\nprint("];
  for (const text of complete) expect([text, isIncomplete(answer(text, "stop"), asked())]).toEqual([text, false]);
  for (const text of open) expect([text, isIncomplete(answer(text, "stop"), asked())]).toEqual([text, true]);
});

test("a step of an agent may leave the fence open that its prompt shows, but no other", () => {
  const prompt = "Use this format:\n```\nThought: …\nAction: …\nAction Input: …\n```\nor\n```\nFinal Answer: …\n```";
  const led = { messages: [{ role: "system" as const, content: prompt }] };
  const step = '```\nThought: I look it up.\nAction: look_up\nAction Input: {"word": "rail"}';
  expect(isIncomplete(answer(step, "stop"), led)).toBe(false);
  expect(isIncomplete(answer(step, "stop"), asked())).toBe(true);
  expect(isIncomplete(answer("```sh\nls", "stop"), led)).toBe(true);
});

test("a rule at the end closes an answer", () => {
  const prose = "The signal box at the junction was rebuilt in 1931 and has been in use ever since, as the company said.";
  for (const rule of ["---", "***", "_____"]) expect(isIncomplete(answer(`${prose}\n\n${rule}\n`, "stop"), asked())).toBe(false);
  expect(isIncomplete(answer(`${prose} It is -`, "stop"), asked())).toBe(true);
});

test("a million backticks in a row are read at once", () => {
  expect(isIncomplete(answer(`${"`".repeat(1_000_000)} and \`code\`.`, "stop"), asked())).toBe(false);
});

test("nothing, an open fence and a sentence left in the middle are incomplete; a finished one is not", () => {
  const prose = "The signal box at the junction was rebuilt in 1931 and has been in use ever since, as the company";
  expect(isIncomplete(answer(" \n", "stop"), asked())).toBe(true);
  expect(isIncomplete(answer("```js\nlet a", "stop"), asked())).toBe(true);
  expect(isIncomplete(answer(`${prose} and the`, "stop"), asked())).toBe(true);
  expect(isIncomplete(answer(`${prose} said.`, "stop"), asked())).toBe(false);
  expect(isIncomplete(answer(`${prose},`, "stop"), asked())).toBe(true);
  expect(isIncomplete(answer(`${prose} said. The steps are the following:`, "stop"), asked())).toBe(true);
  // So short an answer may well be all there is to say.
  for (const short of ["Between the", "Salt, pepper,", "Yes:"]) expect(isIncomplete(answer(short, "stop"), asked())).toBe(false);
});

test("a joint at the end says so in any language, and so do a torn item or row", () => {
  for (const torn of [
    "The two main reasons are the cost and",
    "Der Preis hängt vor allem davon ab, weil",
    "Lo más importante es revisar la presión, porque",
    "On peut choisir entre deux tailles, dont",
    "Чтобы подключить принтер, откройте настройки и",
    "Bunun iki nedeni var, çünkü",
    "Los pasos son estos tres, los siguientes:",
    "首先打开电源，然后选择语言设置，接着",
    "まず電源を入れ、次に言語の設定画面で日本語を",
    "Our plans:\n\n1. Free\n2. Starter\n3.",
    "- apples\n- pears\n-",
    "To mend this, run the following command:",
    "The main benefits are as follows:",
    "## Summary\n\nWe are on track.\n\n## Risks",
    "The rain had not stopped since noon.\n\n[continued in next message]",
    "Part one ends here.\n\nI'll continue in the next response.",
    "1. Free\n2. Starter\n(output truncated)",
    "The trial showed a significant fall in mortality over all four centres (hazard ratio 0.82, 95 % CI 0.71",
    "| name | age |\n|---|---|\n| Ada | 36 |\n| Bo | 7",
    "The warranty does not cover damage caused by **",
  ])
    expect([torn, isIncomplete(answer(torn, "stop"), asked())]).toEqual([torn, true]);
});

test("what an answer opened and did not close says that it broke off", () => {
  for (const torn of [
    '"The only thing we have to fear is',
    "Er flüsterte: „Du darfst es niemandem",
    "- **Cheap:** it costs little.\n- **Reliab",
    "Run the command `docker",
    "For more, see the [user",
    "For more, see [the guide](https://example.com/gui",
    "It is at https://",
    "Tighten the four screws (do not overtighten",
    "The difference between the two was significant (p",
    "for (const user of users) {\n  console.log(",
    "The formula is \\( E = mc",
    "\\begin{equation}\na^2 + b^2 = c",
    "$$\\int_0^1 x^2 dx = \\frac{1}{3",
    "<ul>\n  <li>One</li>\n  <li>Tw",
    '<?xml version="1.0"?>\n<order>\n  <item>Tea</item>',
    "The system has three parts.\n\n###",
    "const total =",
  ])
    expect([torn, isIncomplete(answer(torn, "stop"), asked())]).toEqual([torn, true]);
  for (const whole of [
    "„Hallo“",
    "„Cześć”, powiedział Jan",
    "»Guten Tag«, sagte sie",
    "« Bonjour »",
    'She is 5\'10" tall and has a 24" monitor',
    "The interval ]0, 1[ is open, and so is ]1, 2[",
    "x ∈ (0, 1], and the same holds for all y ∈ (0, 1]",
    "I am out of ink, sorry about that :(",
    "Match it with ^\\(\\d{3}\\) \\d{4}$",
    "kill -9 $$",
    "<b> makes text bold",
    "<h1>Signal boxes</h1>\n<p>They set routes.",
    "For ages 18 +",
  ])
    expect([whole, isIncomplete(answer(whole, "stop"), asked())]).toEqual([whole, false]);
});

test("words that announce more, a joint behind a clause, and words that hardly end a sentence say so", () => {
  for (const torn of [
    "Sure! Here's what you need to do:",
    "Voici les étapes :",
    "Ecco i passaggi:",
    "Вот основные шаги:",
    "以下是主要步骤：",
    "다음은 주요 단계입니다:",
    "The capital of Australia is not Sydney, as many people believe, but",
    "UDP is the faster of the two because it",
    "The king reigned from 1558 to",
    "The trains were late for most of that winter, and the passengers who came from the coast were",
    "이 과정은 엽록체에서 일어나며, 엽록소는 빛을 흡수하여",
    "它发生在叶绿体中，叶绿素吸收光能，并",
    "Jag kan inte komma i morgon eftersom bilen är trasig och",
    "Die Photosynthese ist der Vorgang, bei dem Pflanzen Lichtenergie in chemische umwandeln. Sie findet in den",
    "Nous avons bien reçu votre demande ; veuillez noter que le traitement peut prendre plus de temps en raison du",
    "Fotosynteza to proces, w którym rośliny zamieniają energię światła w energię chemiczną. Zachodzi w",
    "A fotossíntese é o processo pelo qual as plantas convertem energia luminosa em energia química. Ela ocorre no",
  ])
    expect([torn, isIncomplete(answer(torn, "stop"), asked())]).toEqual([torn, true]);
  for (const whole of [
    "Thou art more lovely and more temperate:",
    "Stop words: a, an, and, are, as, at, be, but, by, for, if, in, into, is, it, no, not, of, on, or, such, that, the",
    "We looked at every room of the house and in the garden too, and still nobody could say where it was",
    "Der Zug ist pünktlich, das Wetter ist gut, und die Vorstellung im Theater fängt heute Abend um acht Uhr an",
    "作品于昨天完成，我们都很满意这样的结果",
    "I want you to know how grateful we all are, here and back home, for everything that you've been",
    "Wir haben lange gesucht, und am Ende stand der Koffer genau dort, wo niemand ihn vermutet hatte, und er war noch da",
    "He looked at me for a long time, and then he said that he had always known who it was and what it was there for",
  ])
    expect([whole, isIncomplete(answer(whole, "stop"), asked())]).toEqual([whole, false]);
});

test("open marks without end are read once", () => {
  for (const piece of [" (a", "](", ' "a', " **a", "\\(", "\n$$", "<a>", "\n| --- |", " ="])
    expect(isIncomplete(answer(`${piece.repeat(200_000)} so it goes on`, "stop"), asked())).toBeBoolean();
});

test("what ends without a full stop may be whole: names, lists, tables, signatures, verse, data", () => {
  for (const whole of [
    "It depends on what you want to compare it with",
    "Choose plan a",
    "- apples\n- pears",
    "1. Rome\n2. Oslo",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "Roses are red,\nViolets are blue",
    "Dear Ms Hall,\n\nthank you for your letter of 3 March; we have looked into it and will pay the whole sum.\n\nKind regards,",
    "Conjunctions of English: and",
    "# Intro\n\n## Method\n\n## Results",
    "## Signal boxes",
    "print(add(2, 3))\n# Output: 5",
    "I had hoped to send you the finished drafts of all three chapters today, but the printer is out of ink :(",
    "The options are a) a roof garden, b) a workshop, c) a tool library and (last but not least) d) nothing at all",
    "The door closed behind her.\n\nTo be continued",
    "The talks\ncontinued until midnight",
    "こんにちは、皆さん、今日もよろしくお願いします",
    "我一定会准时来参与这次活动的讨论",
  ])
    expect([whole, isIncomplete(answer(whole, "stop"), asked())]).toEqual([whole, false]);
});

test("a word that breaks a sentence off in one language may end a short one in another", () => {
  for (const whole of [
    "Ayer por la tarde me corté el pelo",
    "La reunión de mañana empieza a la una",
    "Nein danke, davon habe ich schon einen",
    "Als je dat wilt, dan doe ik het",
    "Jag har inte sett dem",
    "Za domem jest ciemny, stary las",
    "Il m'a offert une bague en or",
    "Gli antichi credevano in molti dei",
  ])
    expect([whole, isIncomplete(answer(whole, "stop"), asked())]).toEqual([whole, false]);
  const torn = "Der Vertrag beginnt im Mai, läuft zwei Jahre und verlängert sich danach jeweils um einen";
  expect(isIncomplete(answer(torn, "stop"), asked())).toBe(true);
});

test("JSON that closes fewer brackets than it opens is torn", () => {
  for (const torn of ['{"name": "Ada", "tags": ["a", "b', '[{"a": "}]"}, {"a": 2}', '["a", "b\\"]'])
    expect([torn, isTornJson(torn)]).toEqual([torn, true]);
  for (const whole of ['{"a": "[{", "b": ["}"]}', "[]", "{name} is a placeholder for [the name", "plain words {"])
    expect([whole, isTornJson(whole)]).toEqual([whole, false]);
  for (const interval of ["[0, ∞)", "[0, 1) holds all reals from 0 up to, but without, 1."])
    expect([interval, isTornJson(interval)]).toEqual([interval, false]);
});

test("an answer of escaped quotes that ends in a backslash is read once", () => {
  expect(isTornJson(`{"a": ${'\\"'.repeat(500_000)}\\`)).toBe(true);
});
