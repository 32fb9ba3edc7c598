/** `POST /v1/rerank`, and the same under the path that Cohere's SDKs have in their second version. */

import { Elysia } from "elysia";
import type { Caller } from "../accounts/authenticate.ts";
import { describe } from "../http/describe.ts";
import { type GuardRule, guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { rerank } from "./rerank.ts";
import { Ranking, Rerank, toRerankOrder, toWireRanking } from "./wire.ts";

/** Gap: counts with texts to embed. */
const GUARD: GuardRule = { scope: "chat", group: "embeddings", maxBytes: BOUNDS.rerankBodyBytes };

const routeWith = (summary: string) => ({
  guard: GUARD,
  detail: describe({ summary, tags: ["tools"], body: Rerank, response: Ranking, errors: [404] }),
});

export const rerankRoutes = (platform: Platform) => {
  const answerAt =
    (route: string) =>
    async ({ caller, request }: { caller: Caller; request: Request }) => {
      const body = await readJson(request, Rerank, GUARD);
      const order = { ...toRerankOrder(body, platform.config.file.media_aliases), route, signal: request.signal };
      return toWireRanking(await rerank(platform, caller, order), body, caller.requestId);
    };
  return new Elysia()
    .use(guarded(platform))
    .post("/v1/rerank", answerAt("/v1/rerank"), routeWith("Texts ranked by how well they answer a query"))
    .post("/v2/rerank", answerAt("/v2/rerank"), routeWith("The same, where Cohere's SDKs look for it"));
};
