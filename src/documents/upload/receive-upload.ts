/** Reads one upload from a request. The ingest worker parses large bodies: 20 MB of JSON would block the serving thread for 100 ms. */
import { ApiError } from "../../api-error.ts";
import type { IngestThread } from "../ingest/ingest-thread.ts";
import { parseUpload, readUploadBody, type Upload } from "./read-upload.ts";

/** Smaller bodies, which take a few milliseconds, are parsed right here. */
const SMALL_BYTES = 262_144;

/** Throws ApiError with `param`. */
export const receiveUpload = async (ingest: Pick<IngestThread, "parseUpload">, request: Request): Promise<Upload> => {
  const body = await readUploadBody(request);
  if (body.bytes.byteLength <= SMALL_BYTES) return parseUpload(body);
  const parsed = await ingest.parseUpload(body);
  if (!("refused" in parsed)) return parsed;
  const { type, message, options } = parsed.refused;
  throw new ApiError(type, message, options);
};
