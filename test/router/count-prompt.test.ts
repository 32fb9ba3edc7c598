import { expect, test } from "bun:test";
import { sealedCallId } from "../../src/providers/openai-responses/sealed-thoughts.ts";
import { countPrompt } from "../../src/router/count-prompt.ts";
import { makePdf } from "../support/make-pdf.ts";

test("a PDF counts by its pages, however little room they take", () => {
  const pages = Array.from({ length: 30 }, (_, page) => `Page ${page}: rules of the railway.`);
  const data = Buffer.from(makePdf(pages)).toString("base64");
  const tokens = countPrompt({ messages: [{ role: "user", content: [{ type: "document", data }] }] } as never);
  expect(tokens).toBeGreaterThan(30 * 1_500);
});

test("sealed thoughts that go back inside a call's id count as what they hold", () => {
  const tokens = (id: string) =>
    countPrompt({ messages: [{ role: "assistant", content: "", toolCalls: [{ id, name: "f", arguments: "{}" }] }] });
  const plain = tokens("call_1");
  expect(tokens(sealedCallId({ call_id: "call_1" }, ["x".repeat(5_000)]))).toBe(plain + 1_000);
});
