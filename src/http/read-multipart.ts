/** Reads a multipart/form-data body within a bound and returns plain fields and files. */

import { type ApiError, invalidRequest, requestTooLarge, unsupportedMediaType } from "../api-error.ts";
import { readBody } from "./read-body.ts";
import { splitMultipart } from "./split-multipart.ts";

type UploadedFile = { name: string; type: string | undefined; bytes: Uint8Array };
/** `lists`: files whose name ends with `[]`, under that name. */
export type Multipart = {
  fields: Record<string, string>;
  files: Record<string, UploadedFile>;
  lists: Record<string, UploadedFile[]>;
};

export const isMultipart = (request: Request): boolean =>
  /^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "");

export const readMultipart = async (
  request: Request,
  { maxBytes, tooLarge = () => requestTooLarge(maxBytes) }: { maxBytes: number; tooLarge?: () => ApiError },
): Promise<Multipart> => {
  const type = request.headers.get("content-type");
  if (type === null || !isMultipart(request)) throw unsupportedMediaType("multipart/form-data", type);
  return parseMultipart(await readBody(request, maxBytes, tooLarge), type);
};

/**
 * Parses a whole body, whose bytes the files share. Of a repeated field the last counts; lists (`name[]`) are joined with commas. Throws
 * 400 if it is malformed, or has two files under one name, of which one would be lost silently.
 */
export const parseMultipart = (body: Uint8Array, contentType: string): Multipart => {
  const parts = splitMultipart(body, contentType);
  if (parts === undefined)
    throw invalidRequest("The multipart body is malformed: its parts do not match the boundary in Content-Type.");
  const multipart: Multipart = { fields: Object.create(null), files: Object.create(null), lists: Object.create(null) };
  for (const { name, filename, type, bytes } of parts) {
    const earlier = name.endsWith("[]") ? multipart.fields[name] : undefined;
    if (filename === undefined)
      multipart.fields[name] = `${earlier === undefined ? "" : `${earlier},`}${new TextDecoder().decode(bytes)}`;
    else if (name.endsWith("[]")) multipart.lists[name] = [...(multipart.lists[name] ?? []), { name: filename, type, bytes }];
    else if (multipart.files[name] !== undefined)
      throw invalidRequest(`\`${name}\` holds two files, where there may be one.`, name);
    else multipart.files[name] = { name: filename, type, bytes };
  }
  return multipart;
};
