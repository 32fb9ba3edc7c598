/** A multipart/form-data body, read within a bound and handed over as plain fields and files. */

import { type ApiError, invalidRequest, requestTooLarge, unsupportedMediaType } from "../api-error.ts";
import { readBody } from "./read-body.ts";

export type UploadedFile = { name: string; type: string; bytes: Uint8Array };
export type Multipart = { fields: Record<string, string>; files: Record<string, UploadedFile> };

export const isMultipart = (request: Request): boolean =>
  /^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "");

/** Of a repeated field the last counts. */
export const readMultipart = async (
  request: Request,
  { maxBytes, tooLarge = () => requestTooLarge(maxBytes) }: { maxBytes: number; tooLarge?: () => ApiError },
): Promise<Multipart> => {
  if (!isMultipart(request)) throw unsupportedMediaType("multipart/form-data");
  const bytes = await readBody(request, maxBytes, tooLarge);
  let form: FormData;
  try {
    form = await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { "content-type": request.headers.get("content-type")! },
    }).formData();
  } catch {
    throw invalidRequest("The multipart body is malformed: its parts do not match the boundary in Content-Type.");
  }
  const multipart: Multipart = { fields: Object.create(null), files: Object.create(null) };
  for (const [name, value] of form as unknown as Iterable<[string, string | File]>) {
    if (typeof value === "string") multipart.fields[name] = value;
    else multipart.files[name] = { name: value.name, type: value.type, bytes: await value.bytes() };
  }
  return multipart;
};
