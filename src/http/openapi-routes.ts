/** `/openapi.json`, and `/docs`: the same document as a page that loads nothing from elsewhere. */

import { Elysia } from "elysia";
import { settingsSchema } from "../config/settings-schema.ts";
import type { Platform } from "../platform.ts";
import { VERSION } from "../version.ts";
import { describe, type RouteEntry } from "./describe.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./openapi.ts";
import { originOf } from "./request-origin.ts";

export const openApiRoutes = ({ config }: Platform, routes: () => RouteEntry[]) =>
  new Elysia()
    .get("/openapi.json", () => openApiDocument(routes(), VERSION), {
      detail: describe({ summary: "This document", tags: ["documentation"] }),
    })
    .get("/config.schema.json", settingsSchema, {
      detail: describe({ summary: "The JSON Schema of signalbox.yaml, for editors", tags: ["documentation"] }),
    })
    .get("/docs", ({ request }) => docsPage(openApiDocument(routes(), VERSION), originOf(config, request)), {
      detail: describe({ summary: "The API reference as a page", tags: ["documentation"], response: { mediaType: "text/html" } }),
    });
