import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
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

test("among variants of which some have no tag, or one takes any, the one that was meant is complained about", () => {
  const Message = Type.Object({
    type: Type.Optional(Type.Literal("message")),
    role: Type.Literal("user"),
    content: Type.String(),
  });
  const Call = Type.Object({ type: Type.Literal("call"), name: Type.String() });
  const Other = Type.Object({ type: Type.String({ pattern: "^(?!(?:message|call)$)" }) });
  const List = Type.Object({ input: Type.Array(Type.Union([Message, Call, Other])) });
  const problemOf = (item: unknown) => firstProblem(List, { input: [item] });
  expect(problemOf({ role: "nobody", content: "hi" }).path).toBe("input.0.role");
  expect(problemOf({ role: "user" }).path).toBe("input.0.content");
  expect(problemOf({ type: "call" }).path).toBe("input.0.name");
  expect(problemOf({}).message).toBe('`input.0.type` is required: one of "message", "call".');
  expect(problemOf(5).message).toBe("`input.0` must be an object; it was 5.");
  const Stop = Type.Object({ type: Type.Literal("stop"), at: Type.Integer() });
  expect(firstProblem(Type.Object({ input: Type.Union([Call, Stop]) }), { input: { type: "go" } }).message).toBe(
    '`input.type` must be one of "call", "stop"; it was "go".',
  );
});

test("where a part of another kind stands, its type is the problem, not what the expected kind would have had", () => {
  const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
  const systemPart = (part: unknown) => problemWith({ messages: [{ role: "system", content: [part] }] });
  expect(systemPart(image)).toBe("messages.0.content.0.type");
  expect(systemPart({ type: "text" })).toBe("messages.0.content.0.text");
  expect(systemPart({})).toBe("messages.0.content.0.type");
  const document = (fields: object) => ({ messages: [{ role: "user", content: [{ type: "document", document: fields }] }] });
  expect(problemWith(document({ type: "docx" }))).toBe("messages.0.content.0.document.type");
  expect(problemWith(document({ type: "pdf" }))).toBe("messages.0.content.0.document.data");
});

test("a number too large for the machine is named as what it is", () => {
  const Count = Type.Object({ n: Type.Union([Type.Integer({ minimum: 1, maximum: 10 }), Type.Null()]) });
  expect(firstProblem(Count, JSON.parse('{"n":1e999}')).message).toEndWith("it was Infinity.");
});
