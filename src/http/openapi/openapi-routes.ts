/** `/openapi.json`, and `/docs`: the same document as a page that loads nothing from elsewhere. */

import { Elysia } from "elysia";
import { settingsSchema } from "../../config/settings-schema.ts";
import type { Platform } from "../../platform.ts";
import { VERSION } from "../../version.ts";
import { basePathOf } from "../base-path.ts";
import { describe, type RouteEntry } from "../describe.ts";
import { originOf } from "../request-origin.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./openapi-document.ts";

/** Both are built on their first request and kept: building takes the serving thread a tenth of a second, and anybody may ask without a key. */
export const openApiRoutes = ({ config }: Platform, routes: () => RouteEntry[]) => {
  let json: string | undefined;
  let page: ReturnType<typeof docsPage> | undefined;
  const document = () => openApiDocument(routes(), VERSION, basePathOf(config));
  const answerJson = (): Response => {
    json ??= JSON.stringify(document());
    return new Response(json, { headers: { "content-type": "application/json" } });
  };
  const answerPage = (request: Request): Response => {
    page ??= docsPage(document());
    return page(originOf(config, request));
  };
  return new Elysia()
    .get("/openapi.json", answerJson, {
      detail: describe({ summary: "This document", tags: ["documentation"], response: { mediaType: "application/json" } }),
    })
    .get("/config.schema.json", settingsSchema, {
      detail: describe({
        summary: "The JSON Schema of signalbox.yaml, for editors",
        tags: ["documentation"],
        response: { mediaType: "application/json" },
      }),
    })
    .get("/docs", ({ request }) => answerPage(request), {
      detail: describe({ summary: "The API reference as a page", tags: ["documentation"], response: { mediaType: "text/html" } }),
    });
};
