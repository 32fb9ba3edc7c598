/** Whether things that can be drawn are told from what is only called drawing. No line here is among those of the training. */

import { expect, test } from "bun:test";
import { loadEncoder } from "../../../src/encoder/encoder.ts";
import { visibilityOf } from "../../../src/router/features/visibility.ts";
import { VISIBILITY } from "../../../src/router/features/visibility-weights.ts";

const encoder = await loadEncoder();

test("the weights were made for the encoder at hand (eval/routing/train-visibility.ts makes them anew)", () => {
  expect(VISIBILITY.revision).toBe(encoder.revision);
  expect(visibilityOf({ ...encoder, revision: "another" }, "a fox")).toBe(0);
});

const VISIBLE = [
  "a fox in 3D",
  "two cats playing chess",
  "the Eiffel Tower",
  "a teapot made of glass",
  "three penguins",
  "a bowl of ramen",
  "a grumpy toaster",
  "a Roman villa",
  "a superhero",
  "a samurai in the rain",
  "an elephant in a suit",
  "a pirate ship",
  "some flowers in a vase",
  "a living room with a fireplace",
  "a lion cub yawning",
];
const INVISIBLE = [
  "a list of users in React",
  "a conclusion from these results",
  "a table of prices",
  "the main differences between TCP and UDP",
  "the concept of opportunity cost",
  "how interest compounds",
  "a component conditionally",
  "a bar chart of the sales",
  "the graph of y = x^2",
  "the line between satire and libel",
  "a roadmap for Q3",
  "a markdown string to html",
  "a timeline of events",
  "a number between 1 and 50",
  "a plot for a heist novel",
];

test("of a thing that can be seen and one that cannot, the first has the higher log-odds, nearly always", () => {
  const visible = VISIBLE.map((thing) => visibilityOf(encoder, thing));
  const invisible = INVISIBLE.map((thing) => visibilityOf(encoder, thing));
  const wins = visible.reduce((sum, high) => sum + invisible.filter((low) => low < high).length, 0);
  expect(wins / (visible.length * invisible.length)).toBeGreaterThan(0.95);
});
