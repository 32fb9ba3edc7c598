/** Whether a proof is told from a greeting: complexity of requests that no training frame holds. */

import { expect, test } from "bun:test";
import { loadEncoder } from "../../../src/encoder/encoder.ts";
import { classify } from "../../../src/router/classify.ts";
import { type Level, ROUTING_PROMPTS } from "../../fixtures/routing-prompts.ts";

const encoder = await loadEncoder();
const complexityOf = (content: string) =>
  classify(encoder, { messages: [{ role: "user", content }], hasSchema: false }).complexity;

test("of an easy and a hard request the hard one is seen as harder, nearly always", () => {
  const of = (level: Level) => ROUTING_PROMPTS.filter((prompt) => prompt[1] === level).map((prompt) => complexityOf(prompt[2]));
  const easy = of("easy");
  const hard = of("hard");
  const wins = easy.reduce((sum, low) => sum + hard.filter((high) => high > low).length, 0);
  expect(wins / (easy.length * hard.length)).toBeGreaterThan(0.92);
});

test.each([
  [
    "What is the capital of Norway?",
    "Prove that every group of order 15 is cyclic and say for which other orders the argument works.",
  ],
  [
    "Thanks, that's all!",
    "Design a geo-replicated lock service, argue its safety under clock drift, and implement it with tests.",
  ],
  [
    "Write a function that doubles a number.",
    "Implement a concurrent skip list in Rust without locks and prove that it is linearizable.",
  ],
  [
    "Wie heißt die Hauptstadt von Ungarn?",
    "Zeige, dass die Gruppe A5 einfach ist, und folgere, dass Gleichungen fünften Grades nicht durch Radikale lösbar sind.",
  ],
  ["bonsoir !", "Démontre le théorème de Cayley-Hamilton et donne une application au calcul des puissances d'une matrice."],
  ["¿Quién pintó el Guernica?", "Diseña un sistema de reservas distribuido y analiza los casos de doble reserva."],
  ["Сколько дней в неделе?", "Спроектируйте распределённую базу данных с линеаризуемостью и разберите сценарии отказов."],
  ["一年有多少天？", "证明任意有限整环都是域，并讨论无限情形的反例。"],
  ["ありがとう", "数百万ユーザー向けの決済システムを設計し、整合性と障害復旧について論じてください。"],
])("%s is easier than %s", (easy, hard) => {
  expect(complexityOf(hard)).toBeGreaterThan(complexityOf(easy) + 0.15);
});
