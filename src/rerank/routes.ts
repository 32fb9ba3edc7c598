/** `POST /v1/rerank` */

import { Elysia } from "elysia";
import { describe } from "../http/describe.ts";
import { type GuardRule, guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { requireReranker } from "./require-reranker.ts";
import { RERANK_PATH, rerank } from "./rerank.ts";
import { Ranking, Rerank, toRerankOrder, toWireRanking } from "./wire.ts";

/** Gap: documents may be as large as a batch of texts to embed, and count with those. */
const GUARD: GuardRule = { scope: "chat", group: "embeddings", maxBytes: BOUNDS.mediaBodyBytes };

export const rerankRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    RERANK_PATH,
    async ({ caller, request }) => {
      const body = await readJson(request, Rerank, GUARD);
      const model = requireReranker(body.model ?? "auto", platform.config.file.media_aliases);
      const order = { ...toRerankOrder(body), model, signal: request.signal };
      return toWireRanking(await rerank(platform, caller, order), body, caller.requestId);
    },
    {
      guard: GUARD,
      detail: describe({
        summary: "Texts ranked by how well they answer a query",
        tags: ["tools"],
        body: Rerank,
        response: Ranking,
        errors: [404],
      }),
    },
  );
