/** A multipart/form-data body, read within a bound and handed over as plain fields and files. */

import { type ApiError, invalidRequest, requestTooLarge, unsupportedMediaType } from "../api-error.ts";
import { readBody } from "./read-body.ts";

type UploadedFile = { name: string; type: string; bytes: Uint8Array };
export type Multipart = { fields: Record<string, string>; files: Record<string, UploadedFile> };

export const isMultipart = (request: Request): boolean =>
  /^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "");

/** Of a repeated field the last counts. */
export const readMultipart = async (
  request: Request,
  { maxBytes, tooLarge = () => requestTooLarge(maxBytes) }: { maxBytes: number; tooLarge?: () => ApiError },
): Promise<Multipart> => {
  if (!isMultipart(request)) throw unsupportedMediaType("multipart/form-data");
  return parseMultipart(await readBody(request, maxBytes, tooLarge), request.headers.get("content-type")!);
};

/** Of a whole body; throws 400 for one that is malformed. */
export const parseMultipart = async (bytes: Uint8Array, contentType: string): Promise<Multipart> => {
  let form: FormData;
  try {
    form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType } }).formData();
  } catch {
    throw invalidRequest("The multipart body is malformed: its parts do not match the boundary in Content-Type.");
  }
  const declared = declaredTypes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType);
  const multipart: Multipart = { fields: Object.create(null), files: Object.create(null) };
  for (const [name, value] of form as unknown as Iterable<[string, string | File]>) {
    if (typeof value === "string") multipart.fields[name] = value;
    else multipart.files[name] = { name: value.name, type: declared.get(name) ?? value.type, bytes: await value.bytes() };
  }
  return multipart;
};

const LONGEST_HEAD = 8_192;
/** A part beyond these is taken for what its file's name says. */
const MOST_PARTS = 50;

/** What each part says it is, by the part's name: Bun knows a file's type by its extension alone. */
const declaredTypes = (body: Buffer, contentType: string): Map<string, string> => {
  const types = new Map<string, string>();
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const mark = `--${boundary?.[1] ?? boundary?.[2]}\r\n`;
  for (
    let at = body.indexOf(mark), parts = 0;
    at >= 0 && parts < MOST_PARTS;
    at = body.indexOf(mark, at + mark.length), parts++
  ) {
    const head = body.toString("utf8", at + mark.length, at + mark.length + LONGEST_HEAD).split("\r\n\r\n", 1)[0]!;
    const name = /^content-disposition:.*?[;\s]name="([^"\r\n]*)"/im.exec(head)?.[1];
    const type = /^content-type:[ \t]*([^\r\n]+)/im.exec(head)?.[1];
    if (name !== undefined && type !== undefined) types.set(name, type);
  }
  return types;
};
