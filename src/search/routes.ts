/** `POST /v1/tools/search` */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import type { Platform } from "../platform.ts";
import { searchWeb } from "./search-web.ts";
import { toSearchOrder, toWireSearch, WebSearch, WebSearchResult } from "./wire.ts";

const PATH = "/v1/tools/search";

export const searchRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    PATH,
    async ({ caller, request }) => {
      const order = toSearchOrder(await readJson(request, WebSearch));
      return toWireSearch(await searchWeb(platform, caller, { ...order, route: PATH, signal: request.signal }));
    },
    {
      guard: { scope: "search", group: "search" },
      detail: describe({ summary: "Search the web", tags: ["tools"], body: WebSearch, response: WebSearchResult }),
    },
  );
