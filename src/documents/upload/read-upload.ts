/** Reads both body forms of `POST /v1/documents` into one upload and checks its size and kind. Stores nothing. */

import { invalidRequest } from "../../api-error.ts";
import { readBody } from "../../http/read-body.ts";
import { checkShape, parseJson, requireJsonType } from "../../http/read-json.ts";
import { isMultipart, type Multipart, parseMultipart } from "../../http/read-multipart.ts";
import { isRecord } from "../../lib/is-record.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { Metadata } from "../document.ts";
import { ACCEPTED_KINDS, type DocumentType, documentTypeDeclared, documentTypeOf } from "../document-type.ts";
import { DocumentUpload, LONGEST_COLLECTION_ID } from "../wire.ts";
import { decodeContent } from "./decode-content.ts";

export type Upload = {
  filename: string;
  contentType: DocumentType;
  bytes: Uint8Array;
  collectionId: string | null;
  metadata: Metadata;
};

const MOST_METADATA_CHARACTERS = 16_384;
const LONGEST_FILENAME = 255;

/** A bare name, without folders and control characters. */
const cleanFilename = (filename: string, param: string): string => {
  const name = filename
    .replace(/[\x00-\x1f\x7f]/g, "")
    .split(/[/\\]/)
    .at(-1)!
    .trim();
  if (name === "" || name === "." || name === "..") throw invalidRequest("The file needs a name.", param);
  return name.slice(-LONGEST_FILENAME);
};

const checkMetadata = (metadata: unknown): Metadata => {
  if (!isRecord(metadata)) {
    throw invalidRequest("`metadata` must be a JSON object.", "metadata");
  }
  if (JSON.stringify(metadata).length > MOST_METADATA_CHARACTERS) {
    throw invalidRequest(`\`metadata\` may have at most ${MOST_METADATA_CHARACTERS} characters as JSON.`, "metadata");
  }
  return metadata as Metadata;
};

const parseMetadata = (text: string | undefined): Metadata => {
  if (text === undefined || text.trim() === "") return {};
  let metadata: unknown;
  try {
    metadata = parseJson(new TextEncoder().encode(text));
  } catch {
    throw invalidRequest("`metadata` must be a JSON object, written as text.", "metadata");
  }
  return checkMetadata(metadata);
};

const checkCollection = (id: string | null | undefined): string | null => {
  if (id === undefined || id === null || id === "") return null;
  if (id.length > LONGEST_COLLECTION_ID)
    throw invalidRequest(`\`collection_id\` may have at most ${LONGEST_COLLECTION_ID} characters.`, "collection_id");
  return id;
};

const tooLarge = (param: "file" | "content") => () =>
  invalidRequest(`The file is larger than the ${BOUNDS.documentBytes / 1_048_576} MB that a document may have.`, param);

/** Browsers send a `Blob` of JSON as a file. */
const textField = ({ fields, files }: Multipart, name: string): string | undefined =>
  fields[name] ?? (files[name] && new TextDecoder().decode(files[name].bytes));

const parseForm = ({ bytes, contentType: declared }: UploadBody): Upload => {
  const form = parseMultipart(bytes, declared);
  const file = form.files["file"];
  if (file === undefined) throw invalidRequest(`\`file\` is required: ${ACCEPTED_KINDS} are accepted.`, "file");
  if (file.bytes.byteLength > BOUNDS.documentBytes) throw tooLarge("file")();
  const filename = cleanFilename(file.name, "file");
  const contentType = documentTypeOf(filename) ?? documentTypeDeclared(file.type);
  if (contentType === undefined)
    throw invalidRequest(`This kind of file is not supported: ${ACCEPTED_KINDS} are accepted.`, "file");
  return {
    filename,
    contentType,
    bytes: file.bytes,
    collectionId: checkCollection(textField(form, "collection_id")),
    metadata: parseMetadata(textField(form, "metadata")),
  };
};

const parseJsonForm = (json: Uint8Array): Upload => {
  const body = checkShape(DocumentUpload, parseJson(json));
  const filename = cleanFilename(body.filename, "filename");
  const contentType = body.content_type === undefined ? documentTypeOf(filename) : documentTypeDeclared(body.content_type);
  if (contentType === undefined)
    throw invalidRequest(`This kind of file is not supported: ${ACCEPTED_KINDS} are accepted.`, "content_type");
  const bytes = decodeContent(body.content, contentType, body.encoding);
  if (bytes.byteLength > BOUNDS.documentBytes) throw tooLarge("content")();
  return {
    filename,
    contentType,
    bytes,
    collectionId: checkCollection(body.collection_id),
    metadata: body.metadata == null ? {} : checkMetadata(body.metadata),
  };
};

export type UploadBody = { isForm: boolean; contentType: string; bytes: Uint8Array };

/** Reads the body within its bound, without parsing it. */
export const readUploadBody = async (request: Request): Promise<UploadBody> => {
  const isForm = isMultipart(request);
  const contentType = request.headers.get("content-type") ?? "";
  if (isForm) {
    const maxBytes = BOUNDS.documentBytes + BOUNDS.multipartOverheadBytes;
    return { isForm, contentType, bytes: await readBody(request, maxBytes, tooLarge("file")) };
  }
  requireJsonType(request, "multipart/form-data or application/json");
  return { isForm, contentType, bytes: await readBody(request, BOUNDS.documentJsonBodyBytes, tooLarge("content")) };
};

/** Throws ApiError with `param`. */
export const parseUpload = (body: UploadBody): Upload => (body.isForm ? parseForm(body) : parseJsonForm(body.bytes));
