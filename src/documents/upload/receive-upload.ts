/** One upload out of a request. A large body is taken apart by the ingest worker: 20 MB of JSON would hold the serving thread for 100 ms. */
import { ApiError } from "../../api-error.ts";
import type { IngestThread } from "../ingest/ingest-thread.ts";
import { parseUpload, readUploadBody, type Upload } from "./read-upload.ts";

/** What takes a few milliseconds is done where it is. */
const SMALL_BYTES = 262_144;

/** Throws ApiError with the field that is wrong. */
export const receiveUpload = async (ingest: Pick<IngestThread, "parseUpload">, request: Request): Promise<Upload> => {
  const body = await readUploadBody(request);
  if (body.bytes.byteLength <= SMALL_BYTES) return parseUpload(body);
  const parsed = await ingest.parseUpload(body);
  if (!("refused" in parsed)) return parsed;
  const { type, message, options } = parsed.refused;
  throw new ApiError(type, message, options);
};
