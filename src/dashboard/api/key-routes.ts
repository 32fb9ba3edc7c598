/** API keys are created and shown once, changed and revoked (decisions §3; spec.md: keys are created in the dashboard). */

import { type Static, Type } from "@sinclair/typebox";
import { type ApiKey, SCOPES } from "../../accounts/api-key.ts";
import { BUDGET_PERIODS } from "../../accounts/budget-period.ts";
import { readModels } from "../../accounts/key-models.ts";
import {
  type KeyTerms,
  MOST_BUDGET_USD,
  MOST_MODELS,
  MOST_PER_MINUTE,
  parseExpiry,
  toWireTerms,
  UNLIMITED,
} from "../../accounts/key-terms.ts";
import { changeKey, insertKey, listKeys, revokeKey } from "../../accounts/store.ts";
import { invalidRequest, notFound } from "../../api-error.ts";
import { readJson } from "../../http/read-json.ts";
import { toNanoUsd } from "../../lib/money.ts";
import { orNull } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import type { Platform } from "../../platform.ts";
import { byOperator } from "../sessions/require-operator.ts";
import type { KeyRow, NewKey } from "../wire.ts";
import { toKeyRow } from "./project-rows.ts";
import { requireName, requireProject } from "./require.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const perMinute = Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: MOST_PER_MINUTE })));
const terms = {
  name: Type.String(),
  scopes: Type.Optional(orNull(Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true }))),
  models: Type.Optional(orNull(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: MOST_MODELS }))),
  budget_usd: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: MOST_BUDGET_USD }))),
  budget_period: Type.Optional(oneOf(BUDGET_PERIODS)),
  requests_per_minute: perMinute,
  tokens_per_minute: perMinute,
  expires_at: Type.Optional(orNull(Type.String({ maxLength: 40 }))),
};
const TermsBody = Type.Object(terms);
const ChangeBody = Type.Partial(TermsBody);
/**
 * `replaces` is the id of the key that the new one is made in place of: it goes on with what that one has spent, and has its terms where
 * none are given.
 */
const NewKeyBody = Type.Object({ ...terms, mode: oneOf(["live", "test"]), replaces: Type.Optional(Type.String()) });

export const keyRoutes = (platform: Platform) => {
  const { db, clock, config, catalog, accounts, budgets } = platform;
  const requireKey = async (projectId: string, id: string): Promise<ApiKey> => {
    const key = (await listKeys(db, (await requireProject(db, projectId)).id)).find((one) => one.id === id);
    if (key === undefined || key.revokedAtMs !== null) throw notFound("A valid key of that id");
    return key;
  };

  /**
   * `known`: models that may stay though the catalog has them no more. `expiryMs`: it may stay though it has passed, so that an expired key can
   * still be renamed.
   */
  const readTerms = (body: Static<typeof TermsBody>, known: string[] | null = null, expiryMs: number | null = null): KeyTerms => {
    const { name, models = null, budget_usd: budget = null, expires_at: expiry = null } = body;
    requireName(name);
    const expiresAtMs = expiry === null ? null : parseExpiry(expiry);
    if (expiresAtMs !== null && expiresAtMs !== expiryMs && !(expiresAtMs > clock.now()))
      throw invalidRequest("The expiry must be a date in the future.", "expires_at");
    const complain = (problem: string) => invalidRequest(problem, "models");
    return {
      name,
      scopes: body.scopes ?? null,
      models: models && readModels(catalog, config.file, models, complain, known ?? []),
      budgetNanoUsd: budget === null ? null : toNanoUsd(budget),
      budgetPeriod: body.budget_period ?? UNLIMITED.budgetPeriod,
      requestsPerMinute: body.requests_per_minute ?? null,
      tokensPerMinute: body.tokens_per_minute ?? null,
      expiresAtMs,
    };
  };

  return (
    signedInRoutes(platform)
      .get("/projects/:id/keys", async ({ params }): Promise<{ keys: KeyRow[] }> => {
        await accounts.flushLastUsed();
        const keys = await listKeys(db, (await requireProject(db, params.id)).id);
        return { keys: keys.map((key) => toKeyRow(key, budgets.spent(key))).reverse() };
      })
      .post("/projects/:id/keys", async ({ request, params, set }): Promise<NewKey> => {
        const project = await requireProject(db, params.id);
        const { mode, replaces, ...body } = await readJson(request, NewKeyBody);
        const before = replaces === undefined ? undefined : await requireKey(project.id, replaces);
        const terms = readTerms({ ...(before && toWireTerms(before)), ...body }, before?.models);
        const key = { projectId: project.id, mode, replaces, ...terms };
        const { record, text } = await insertKey(db, byOperator(platform, request), key);
        accounts.forget();
        set.status = 201;
        return { key: text, record: toKeyRow(record, budgets.spent(record)) };
      })
      // Absent terms stay: what the page knows of them may be out of date.
      .patch("/projects/:id/keys/:key", async ({ request, params }): Promise<KeyRow> => {
        const body = await readJson(request, ChangeBody);
        const key = await requireKey(params.id, params.key);
        const terms = readTerms({ ...toWireTerms(key), ...body }, key.models, key.expiresAtMs);
        await changeKey(db, byOperator(platform, request), key.id, terms);
        accounts.forget();
        const changed = await requireKey(params.id, params.key);
        return toKeyRow(changed, budgets.spent(changed));
      })
      .delete("/projects/:id/keys/:key", async ({ request, params }) => {
        const { id } = await requireKey(params.id, params.key);
        await revokeKey(db, byOperator(platform, request), id);
        accounts.forget();
        return { id: params.key, deleted: true };
      })
  );
};
