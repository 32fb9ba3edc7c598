/** Reads the parts of a message, or of what a tool returned. */

import { invalidRequest } from "../../api-error.ts";
import { checkBase64, missingFile, readFileUrl, readImage, readRemotePdf } from "../../chat/request/check-media.ts";
import type { ContentPart } from "../../providers/provider.ts";
import type { ResponsesPart } from "./input-wire.ts";

const wordsOf = (part: ResponsesPart): string | undefined => {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return part.text;
    case "refusal":
      return part.refusal;
    case "encrypted_content":
      return part.encrypted_content;
    default:
      return undefined;
  }
};

export const joinText = (content: string | ResponsesPart[], at: string): string =>
  typeof content === "string"
    ? content
    : content
        .map((part, index) => {
          const words = wordsOf(part);
          if (words !== undefined) return words;
          throw invalidRequest(
            `\`${at}.${index}.type\` must be text here; it was "${part.type}": send it in a user message.`,
            `${at}.${index}.type`,
          );
        })
        .join("\n");

export const readParts = (parts: readonly ResponsesPart[], at: string): ContentPart[] =>
  parts.map((part, index) => readPart(part, `${at}.${index}`));

const readPart = (part: ResponsesPart, at: string): ContentPart => {
  switch (part.type) {
    case "input_image": {
      if (part.image_url == null) throw missingFile(`${at}.image_url`);
      return readImage(part.image_url, `${at}.image_url`, part.detail);
    }
    case "input_file":
      return readFile(part, at);
    case "input_audio":
      return {
        type: "audio",
        data: checkBase64(part.input_audio.data, `${at}.input_audio.data`),
        format: part.input_audio.format,
      };
    default:
      return { type: "text", text: wordsOf(part) ?? "" };
  }
};

const readFile = (
  { file_data: data, file_url: url, filename }: Extract<ResponsesPart, { type: "input_file" }>,
  at: string,
): ContentPart => {
  const name = filename ?? undefined;
  if (data != null) return readFileUrl(data, name, `${at}.file_data`);
  if (url != null) return readRemotePdf(url, name, `${at}.file_url`);
  throw missingFile(`${at}.file_data`);
};
