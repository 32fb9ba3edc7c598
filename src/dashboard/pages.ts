/** The dashboard's one page and its files. All data comes from `/dashboard/api/`; the page itself holds none. */

import { Elysia, NotFoundError } from "elysia";
import { notFound } from "../api-error.ts";
import { type Assets, assetResponse, loadAssets } from "./assets.ts";

/** Allow nothing from other hosts, no inline code or style, and no framing (safety-notes T13). */
const SECURITY_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), payment=()",
};

export const dashboardPages = (basePath: string) => {
  let loading: Promise<Assets> | undefined;
  const assets = () => {
    loading ??= loadAssets(basePath);
    return loading;
  };
  const page = async () =>
    new Response((await assets()).html, {
      headers: { ...SECURITY_HEADERS, "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
    });
  return new Elysia()
    .get("/", () => Response.redirect(`${basePath}/dashboard`, 302))
    .get("/dashboard", page)
    .get("/dashboard/*", page)
    .get("/dashboard/api/*", () => {
      throw new NotFoundError();
    })
    .get("/dashboard/assets/:name", async ({ params, request }) => {
      const found = assetResponse(await assets(), params.name, request);
      if (found === undefined) throw notFound("The file");
      return found;
    });
};
