import { expect, test } from "bun:test";
import { mediaAfterResults } from "../../../src/providers/dialect/media-after-results.ts";
import type { ChatMessage, ContentPart } from "../../../src/providers/provider.ts";

const picture = (data: string): ContentPart => ({ type: "image", url: `data:image/png;base64,${data}` });
const text = (words: string): ContentPart => ({ type: "text", text: words });
const result = (toolCallId: string, content: ChatMessage["content"]): ChatMessage => ({ role: "tool", toolCallId, content });

test("what tools returned beside text is shown after all of a turn's results, in the user's message if one follows", () => {
  const answer: ChatMessage = { role: "assistant", content: "Once more." };
  expect(
    mediaAfterResults([
      result("a", [text("Left:"), picture("AAAA")]),
      result("b", "Nothing."),
      answer,
      result("c", [picture("CCCC")]),
      { role: "user", content: "Which one?" },
      result("d", [picture("DDDD")]),
    ]),
  ).toEqual([
    result("a", "Left:\n(the image follows)"),
    result("b", "Nothing."),
    { role: "user", content: [picture("AAAA")] },
    answer,
    result("c", "(the image follows)"),
    { role: "user", content: [picture("CCCC"), text("Which one?")] },
    result("d", "(the image follows)"),
    { role: "user", content: [picture("DDDD")] },
  ]);
});
