import { expect, test } from "bun:test";
import { ChatBody } from "../../src/chat/wire.ts";
import { firstProblem } from "../../src/lib/first-problem.ts";

const problemWith = (field: Record<string, unknown>) =>
  firstProblem(ChatBody, { messages: [{ role: "user", content: "hi" }], ...field }).path;

test("a field that may also be null is complained about at the place that is wrong", () => {
  expect(problemWith({ response_format: { type: "xml" } })).toBe("response_format.type");
  expect(problemWith({ response_format: { type: "json_schema" } })).toBe("response_format.json_schema");
  expect(problemWith({ response_format: "json" })).toBe("response_format");
  expect(problemWith({ tool_choice: "maybe" })).toBe("tool_choice");
});
