/** `POST /v1/rerank` in the form that Cohere, Jina, Voyage and LiteLLM share. */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { LOCAL_RERANK_ID, RERANK_MODELS } from "../catalog/media-models.ts";
import { USER_FIELDS, userInBody } from "../http/user-in-body.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { type MediaAliases, requireListedModel } from "../media/require-model.ts";
import type { Served } from "../media/serve-prompt-call.ts";
import type { RerankAnswer, RerankOrder } from "./rerank.ts";

const MOST_DOCUMENTS = 1_000;
/** As in document search. */
const LONGEST_QUERY = 20_000;
/** As at Cohere. */
const USUAL_TOKENS_PER_DOCUMENT = 4_096;
const Top = nullable(Type.Integer({ minimum: 1, description: "How many of the best are returned; all by default" }));

const Document = Type.Object(
  { text: Type.String({ minLength: 1 }) },
  { additionalProperties: true, description: "Other members are returned with it, and not ranked" },
);

export const Rerank = Type.Object({
  model: nullable(Type.String({ description: "auto, rerank-local, or a catalog id" })),
  query: boundedText({ minLength: 1, maxLength: LONGEST_QUERY, pattern: "\\S" }),
  documents: Type.Array(Type.Union([Type.String({ minLength: 1 }), Document]), { minItems: 1, maxItems: MOST_DOCUMENTS }),
  top_n: Top,
  top_k: nullable(Type.Integer({ minimum: 1, description: "The same, as Voyage names it" })),
  truncation: nullable(Type.Boolean({ description: "Voyage's; without effect, but see `data` of the answer" })),
  return_documents: nullable(Type.Boolean({ default: false })),
  max_tokens_per_doc: nullable(
    Type.Integer({
      minimum: 1,
      default: USUAL_TOKENS_PER_DOCUMENT,
      description: "What is behind so many tokens of a document is not read",
    }),
  ),
  ...USER_FIELDS,
});
type RerankBody = Static<typeof Rerank>;

const Result = Type.Object({
  index: Type.Integer({ description: "The document's place in the request" }),
  relevance_score: Type.Number({ minimum: 0, maximum: 1 }),
  document: Type.Optional(Document),
});

export const Ranking = Type.Object({
  id: Type.String(),
  object: Type.Literal("list"),
  model: Type.String(),
  results: Type.Array(Result, { description: "Best first" }),
  data: Type.Optional(Type.Array(Result, { description: "The same once more, where Voyage's `top_k` or `truncation` was sent" })),
  meta: Type.Object({
    billed_units: Type.Object({ search_units: Type.Optional(Type.Integer()), total_tokens: Type.Optional(Type.Integer()) }),
    tokens: Type.Object({ input_tokens: Type.Integer() }),
  }),
  usage: Type.Object({ total_tokens: Type.Integer() }),
  svc: Type.Object({
    request_id: Type.String(),
    model_selected: Type.String(),
    cost_usd: Type.Number(),
    latency_ms: Type.Integer(),
  }),
});

/** Throws 404 for an unknown model, 400 with `param`. */
export const toRerankOrder = (body: RerankBody, aliases?: MediaAliases): Omit<RerankOrder, "signal" | "route"> => {
  const model = requireListedModel("The reranker", RERANK_MODELS, body.model ?? "auto", { ...aliases, auto: LOCAL_RERANK_ID });
  const { top_n: topN, top_k: topK, documents } = body;
  if (typeof topN === "number" && typeof topK === "number" && topN !== topK)
    throw invalidRequest("`top_n` and `top_k` mean the same; send one of them.", "top_k");
  return {
    model,
    query: body.query,
    documents: documents.map((document) => (typeof document === "string" ? document : document.text)),
    topN: Math.min(topN ?? topK ?? documents.length, documents.length),
    maxTokensPerDocument: body.max_tokens_per_doc ?? USUAL_TOKENS_PER_DOCUMENT,
    ...userInBody(body),
  };
};

/** Documents are returned as they were sent: what a policy redacted is hidden from the model, not from their sender. */
export const toWireRanking = (
  { ranked, model, tokens, searchUnits, costNanoUsd, latencyMs }: Served<RerankAnswer>,
  { documents, return_documents: withDocuments, top_k: topK, truncation }: RerankBody,
  requestId: string,
): Static<typeof Ranking> => {
  const results = ranked.map(({ index, score }) => {
    const document = documents[index]!;
    const whole = typeof document === "string" ? { text: document } : document;
    return { index, relevance_score: score, ...(withDocuments && { document: whole }) };
  });
  return {
    id: requestId,
    object: "list",
    model,
    results,
    // Voyage's own clients look for them there, and always send one of its names.
    ...((topK ?? truncation ?? undefined) !== undefined && { data: results }),
    meta: {
      billed_units: searchUnits === undefined ? { total_tokens: tokens.read } : { search_units: searchUnits },
      tokens: { input_tokens: tokens.read },
    },
    usage: { total_tokens: tokens.read },
    svc: { request_id: requestId, model_selected: model, cost_usd: toUsd(costNanoUsd), latency_ms: latencyMs },
  };
};
