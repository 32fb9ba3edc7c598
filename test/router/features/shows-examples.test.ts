import { expect, test } from "bun:test";
import { showsExamples } from "../../../src/router/features/shows-examples.ts";

test.each([
  "Review: cold soup\nSentiment: negative\n\nReview: lovely staff\nSentiment: positive\n\nReview: it was fine\nSentiment:",
  "sea -> mer\nbread -> pain\ncheese ->",
  "Q: 2 + 2? A: 4\nQ: 3 + 5? A: 8\nQ: 9 - 4? A:",
  "Texte : il part de Brest. Lieu : Brest\nTexte : elle vit à Lille. Lieu : Lille\nTexte : le train va à Metz. Lieu :\n",
  "商品：牛奶 类别：乳制品\n商品：苹果\n类别：水果\n商品：酸奶\n类别：",
  "<text>late</text> <label>complaint</label>\n<text>thanks</text> <label>praise</label>\n<text>why?</text> <label>",
])("examples with a last one that waits for its answer are seen: %s", (text) => {
  expect(showsExamples(text)).toBe(true);
});

test.each([
  ["one example alone", "sea -> mer\nbread ->"],
  ["a request that ends with a colon", "Name: Bo\nName: Al\nWho of them is older? Answer:"],
  ["examples that are all answered", "sea -> mer\nbread -> pain\ncheese -> fromage"],
  ["a cue within other words", "Data: 1\nData: 2\nHow many are they? A:"],
  ["a protocol", "See http://a.example and http://b.example. What is http:"],
  ["nothing", ""],
])("%s is no prompt of examples", (_, text) => {
  expect(showsExamples(text)).toBe(false);
});
