/**
 * `GET /v1/files/{id}`: generated media by signed link, without a key, with ranges; 404 for anything unknown, expired or wrongly signed.
 */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ApiError, notFound } from "../api-error.ts";
import { describe } from "../http/describe.ts";
import { streamOf } from "../lib/stream-of.ts";
import type { Platform } from "../platform.ts";
import { isSigned } from "./keep-file.ts";
import { type ByteRange, readRange } from "./read-range.ts";
import { findFile, findPiece, PIECE_BYTES, type StoredFile } from "./store.ts";

const SignedLink = Type.Object({
  expires: Type.Integer({ description: "Unix seconds, as given in the link" }),
  signature: Type.String({ description: "As given in the link" }),
});

export const fileRoutes = (platform: Platform) =>
  new Elysia().get("/v1/files/:id", ({ params, request }) => serveFile(platform, params.id, request), {
    detail: describe({
      summary: "A generated image, video or recording, by its signed link",
      tags: ["files"],
      query: SignedLink,
      response: { mediaType: ["image/*", "video/*", "audio/*"] },
      headers: ["Content-Disposition", "Accept-Ranges", "ETag"],
      isFile: true,
      errors: [416],
    }),
  });

const serveFile = async (platform: Platform, id: string, request: Request): Promise<Response> => {
  const query = new URL(request.url).searchParams;
  if (!isSigned(platform.db, id, query.get("expires") ?? "", query.get("signature") ?? "")) throw notFound("The file");
  const file = await findFile(platform.db, id);
  if (file === undefined || file.expiresAtMs <= platform.clock.now()) throw notFound("The file");
  if (isHeldBy(request.headers.get("if-none-match"), file)) {
    return new Response(null, { status: 304, headers: headersOf(platform, file, undefined) });
  }
  // A download may be resumed only from the same file; files never change.
  const goesOn = [null, etagOf(file)].includes(request.headers.get("if-range"));
  const range = readRange(goesOn ? request.headers.get("range") : null, file.sizeBytes);
  if (range === "unsatisfiable") {
    throw new ApiError("invalid_request", "The range lies beyond the file.", {
      status: 416,
      headers: { "content-range": `bytes */${file.sizeBytes}` },
    });
  }
  const { from, to } = range ?? { from: 0, to: file.sizeBytes };
  const headers = headersOf(platform, file, range);
  const pieces = piecesOf(platform, file.id, from, to);
  // Bun sends the length of a complete body, but of a stream only for HEAD, whose body it drops by itself.
  const body = to - from <= WHOLE_BYTES ? Buffer.concat([...pieces]) : streamOf(pieces);
  return new Response(body, {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, "content-length": String(to - from) },
  });
};

const WHOLE_BYTES = 4 * PIECE_BYTES;

const etagOf = ({ id }: StoredFile): string => `"${id}"`;

/** Whether the caller already has the file (RFC 9110 §13.1.2). */
const isHeldBy = (ifNoneMatch: string | null, file: StoredFile): boolean =>
  ifNoneMatch !== null && (ifNoneMatch.trim() === "*" || ifNoneMatch.includes(etagOf(file)));

/** The type was read from the bytes; even so, no browser may interpret the file as a page. */
const headersOf = (platform: Platform, file: StoredFile, range: ByteRange | undefined): Record<string, string> => ({
  "content-type": file.mediaType,
  "content-disposition": `inline; filename="${file.name.replace(/[^\w.-]/g, "_")}"`,
  "accept-ranges": "bytes",
  etag: etagOf(file),
  "cache-control": `private, max-age=${Math.max(0, Math.floor((file.expiresAtMs - platform.clock.now()) / 1000))}`,
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  ...(range !== undefined && { "content-range": `bytes ${range.from}-${range.to - 1}/${file.sizeBytes}` }),
});

/** Throws if the file is deleted while it is being read, because the answer must not look complete. */
function* piecesOf(platform: Platform, id: string, from: number, to: number): Generator<Uint8Array> {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / PIECE_BYTES);
    const piece = findPiece(platform.db, id, number);
    if (piece === undefined) throw new Error("The file has expired.");
    const start = at - number * PIECE_BYTES;
    const part = piece.subarray(start, Math.min(piece.length, start + to - at));
    at += part.length;
    yield part;
  }
}
