/** `GET /v1/files/{id}`: generated media by signed link, without a key, in ranges; 404 for all that is not, no longer or wrongly asked. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ApiError, notFound } from "../api-error.ts";
import { describe } from "../http/describe.ts";
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
      inRanges: true,
      errors: [404, 416],
    }),
  });

const serveFile = async (platform: Platform, id: string, request: Request): Promise<Response> => {
  const query = new URL(request.url).searchParams;
  const expires = Number(query.get("expires") ?? Number.NaN);
  const isValid = Number.isSafeInteger(expires) && isSigned(platform.db, id, expires, query.get("signature") ?? "");
  if (!isValid || expires * 1000 <= platform.clock.now()) throw notFound("The file");
  const file = await findFile(platform.db, id);
  if (file === undefined || file.expiresAtMs <= platform.clock.now()) throw notFound("The file");
  const range = readRange(request.headers.get("range"), file.sizeBytes);
  if (range === "unsatisfiable") {
    throw new ApiError("invalid_request", "The range lies beyond the file.", {
      status: 416,
      headers: { "content-range": `bytes */${file.sizeBytes}` },
    });
  }
  const { from, to } = range ?? { from: 0, to: file.sizeBytes };
  const headers = headersOf(platform, file, range);
  // Bun takes the body of a HEAD away by itself, and keeps the length only of an answer that has one.
  const body = streamBytes(platform, file.id, from, to);
  return new Response(body, {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, "content-length": String(to - from) },
  });
};

/** The type is one we found in the bytes; even so no browser may take the file for a page. */
const headersOf = (platform: Platform, file: StoredFile, range: ByteRange | undefined): Record<string, string> => ({
  "content-type": file.mediaType,
  "content-disposition": `inline; filename="${file.name.replace(/[^\w.-]/g, "_")}"`,
  "accept-ranges": "bytes",
  "cache-control": `private, max-age=${Math.max(0, Math.floor((file.expiresAtMs - platform.clock.now()) / 1000))}`,
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  ...(range !== undefined && { "content-range": `bytes ${range.from}-${range.to - 1}/${file.sizeBytes}` }),
});

const streamBytes = (platform: Platform, id: string, from: number, to: number): ReadableStream<Uint8Array> => {
  let at = from;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= to) return controller.close();
      const number = Math.floor(at / PIECE_BYTES);
      const piece = findPiece(platform.db, id, number);
      // Deleted while it is being read: the answer must not look complete.
      if (piece === undefined) return controller.error(new Error("The file has expired."));
      const start = at - number * PIECE_BYTES;
      const part = piece.subarray(start, Math.min(piece.length, start + to - at));
      at += part.length;
      controller.enqueue(part);
    },
  });
};
