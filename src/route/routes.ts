/** `POST /v1/route`: the decision about a chat request, and why, without calling a model. */

import { Elysia } from "elysia";
import { explainCall } from "../chat/explain-call.ts";
import { readChatBody } from "../chat/request/read-chat-body.ts";
import { RouteExplanation } from "../chat/response/completion-schema.ts";
import { ChatBody } from "../chat/wire.ts";
import { describe } from "../http/describe.ts";
import { countRequest, type GuardRule, guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";

const GUARD: GuardRule = { scope: "chat", group: "chat", countsItself: true, maxBytes: BOUNDS.mediaBodyBytes };

export const routeRoutes = (platform: Platform) =>
  new Elysia().use(guarded(platform)).post(
    "/v1/route",
    async ({ request, caller, set }) => {
      // Gap: the dashboard asks at every pause in typing, which does not use up the project's limits.
      if (platform.exchanges.of(request).vouched === undefined)
        countRequest(platform, caller, "chat", set.headers as Record<string, string>);
      const body = await readJson(request, ChatBody, GUARD);
      return explainCall(platform, caller, readChatBody(body, "/v1/route"), request.signal);
    },
    {
      guard: GUARD,
      detail: describe({
        summary: "Explain how a chat request would be routed",
        description:
          "Task, complexity, confidence, candidates with scores and costs, effects of policies, and the reason in words. No model is called.",
        tags: ["routing"],
        body: ChatBody,
        response: RouteExplanation,
        errors: [404],
      }),
    },
  );
