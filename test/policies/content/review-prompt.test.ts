/** Prompts outside chat may be as long as a body: texts to judge or to rank. */

import { expect, test } from "bun:test";
import { reviewPrompts } from "../../../src/policies/content/review-prompt.ts";
import { STEP_CHARACTERS } from "../../../src/policies/content/review-stream.ts";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
await gateway.policy(key, "content", { evaluate_input: true, pii_detection: { types: ["email"], action: "redact" } });
const LONG = "The harbour was quiet. ".repeat(STEP_CHARACTERS / 2);

test("others are served while a long text is reviewed", async () => {
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { texts } = await reviewPrompts(gateway.platform, key.project.id, [`${LONG}ann@example.com`]);
  clearImmediate(timer);
  expect(texts).toEqual([`${LONG}[REDACTED]`]);
  expect(turns).toBeGreaterThan(8);
});

test("the review of a long text ends when its caller leaves", async () => {
  const caller = new AbortController();
  const review = reviewPrompts(gateway.platform, key.project.id, [LONG], caller.signal);
  caller.abort(new Error("left"));
  await expect(review).rejects.toThrow("left");
});
