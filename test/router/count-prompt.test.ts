import { expect, test } from "bun:test";
import { countPrompt } from "../../src/router/count-prompt.ts";
import { makePdf } from "../support/make-pdf.ts";

test("a PDF counts by its pages, however little room they take", () => {
  const pages = Array.from({ length: 30 }, (_, page) => `Page ${page}: rules of the railway.`);
  const data = Buffer.from(makePdf(pages)).toString("base64");
  const tokens = countPrompt({ messages: [{ role: "user", content: [{ type: "document", data }] }] } as never);
  expect(tokens).toBeGreaterThan(30 * 1_500);
});
