/** The messages of a chat request and their parts (spec.md "Chat request", decisions §5). */

import { type Static, Type } from "@sinclair/typebox";
import { nullable, orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";

const Text = Type.Object({ type: Type.Literal("text"), text: Type.String() });
const ImageUrl = Type.Object({
  type: Type.Literal("image_url"),
  image_url: Type.Object({
    url: Type.String({ minLength: 1, description: "a data: or https: URL" }),
    detail: Type.Optional(oneOf(["low", "high", "auto", "original"])),
  }),
});
const InputAudio = Type.Object({
  type: Type.Literal("input_audio"),
  input_audio: Type.Object({
    data: Type.String({ minLength: 1, description: "base64" }),
    format: oneOf(["wav", "mp3"]),
  }),
});
const VideoUrl = Type.Object({ type: Type.Literal("video_url"), video_url: Type.Object({ url: Type.String({ minLength: 1 }) }) });
const DocumentContent = Type.Object({
  type: Type.Literal("document"),
  document: Type.Object({
    type: Type.Literal("pdf"),
    data: Type.String({ minLength: 1, description: "base64" }),
    name: Type.Optional(Type.String()),
  }),
});
/** OpenAI's form of a PDF part. */
const FileContent = Type.Object({
  type: Type.Literal("file"),
  file: Type.Object({
    filename: Type.Optional(Type.String()),
    file_data: Type.Optional(
      Type.String({
        minLength: 1,
        description: "a PDF in base64, bare or as a data: URL, or its https: URL; or text as a data: URL",
      }),
    ),
    file_id: Type.Optional(Type.String({ description: "Refused, because no files are stored under such ids" })),
  }),
});
/** An earlier refusal of a model, sent back by a client. */
const Refusal = Type.Object({ type: Type.Literal("refusal"), refusal: Type.String() });

/** A model's earlier thinking, as Mistral's clients send it back. It has no effect. */
const Thinking = Type.Object({ type: Type.Literal("thinking") });

const UserPart = Type.Union([Text, ImageUrl, InputAudio, VideoUrl, DocumentContent, FileContent]);
export type WirePart = Static<typeof UserPart> | Static<typeof Refusal>;

const FunctionCall = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.Optional(Type.Literal("function")),
  function: Type.Object({ name: Type.String({ minLength: 1 }), arguments: Type.String() }),
});
/** A call of a tool that takes free text. */
const CustomCall = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.Literal("custom"),
  custom: Type.Object({ name: Type.String({ minLength: 1 }), input: Type.String() }),
});
export type WireCall = Static<typeof FunctionCall> | Static<typeof CustomCall>;

const User = Type.Object({
  role: Type.Literal("user"),
  content: Type.Union([Type.String(), Type.Array(UserPart, { minItems: 1 })]),
  name: Type.Optional(Type.String()),
});
const systemMessage = <Role extends string>(role: Role) =>
  Type.Object({
    role: Type.Literal(role),
    content: Type.Union([Type.String(), Type.Array(Text, { minItems: 1 })]),
    name: Type.Optional(Type.String()),
  });
const Assistant = Type.Object({
  role: Type.Literal("assistant"),
  content: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Union([Text, Refusal, Thinking])), Type.Null()])),
  refusal: nullable(Type.String()),
  reasoning_content: nullable(
    Type.String({ description: "What the model thought before its calls, for vendors that require it back" }),
  ),
  images: nullable(Type.Array(ImageUrl, { description: "What the model drew before, as its answer had it" })),
  tool_calls: nullable(Type.Array(Type.Union([FunctionCall, CustomCall]))),
  function_call: nullable(FunctionCall.properties.function),
  name: Type.Optional(Type.String()),
});
/** The result of one of `functions`. */
const FunctionResult = Type.Object({ role: Type.Literal("function"), name: Type.String(), content: orNull(Type.String()) });
const Tool = Type.Object({
  role: Type.Literal("tool"),
  tool_call_id: Type.String({ minLength: 1 }),
  content: Type.Union([Type.String(), Type.Array(UserPart)]),
});

export const WireMessage = Type.Union([
  User,
  Assistant,
  systemMessage("system"),
  systemMessage("developer"),
  Tool,
  FunctionResult,
]);
export type WireMessage = Static<typeof WireMessage>;
