/** API keys are created and shown once, changed and revoked (decisions §3; spec.md: keys are created in the dashboard). */

import { type Static, Type } from "@sinclair/typebox";
import { type ApiKey, SCOPES } from "../../accounts/api-key.ts";
import { MOST_BUDGET_USD, parseExpiry } from "../../accounts/key-terms.ts";
import { changeKey, insertKey, type KeyTerms, listKeys, revokeKey } from "../../accounts/store.ts";
import { invalidRequest, notFound } from "../../api-error.ts";
import { readJson } from "../../http/read-json.ts";
import { toIso } from "../../lib/clock.ts";
import { toNanoUsd } from "../../lib/money.ts";
import { orNull } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import type { Platform } from "../../platform.ts";
import type { KeyRow, NewKey } from "../wire.ts";
import { toKeyRow } from "./project-rows.ts";
import { requireName, requireProject } from "./require.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const terms = {
  name: Type.String(),
  scopes: Type.Optional(orNull(Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true }))),
  budget_usd: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: MOST_BUDGET_USD }))),
  expires_at: Type.Optional(orNull(Type.String({ maxLength: 40 }))),
};
const TermsBody = Type.Object(terms);
/** `replaces` is the id of the key that the new one is made in place of: it goes on with what that one has spent this month. */
const NewKeyBody = Type.Object({ ...terms, mode: oneOf(["live", "test"]), replaces: Type.Optional(Type.String()) });

export const keyRoutes = (platform: Platform) => {
  const { db, clock, accounts, budgets } = platform;
  const requireKey = async (projectId: string, id: string): Promise<ApiKey> => {
    const key = (await listKeys(db, (await requireProject(db, projectId)).id)).find((one) => one.id === id);
    if (key === undefined || key.revokedAtMs !== null) throw notFound("A valid key of that id");
    return key;
  };

  return (
    signedInRoutes(platform)
      .get("/projects/:id/keys", async ({ params }): Promise<{ keys: KeyRow[] }> => {
        await accounts.flushLastUsed();
        const keys = await listKeys(db, (await requireProject(db, params.id)).id);
        return { keys: keys.map((key) => toKeyRow(key, budgets.spent(key.id))).reverse() };
      })
      .post("/projects/:id/keys", async ({ request, params, set }): Promise<NewKey> => {
        const project = await requireProject(db, params.id);
        const { mode, replaces, ...body } = await readJson(request, NewKeyBody);
        if (replaces !== undefined) await requireKey(project.id, replaces);
        const key = { projectId: project.id, mode, replaces, ...readTerms(body, clock.now()) };
        const { record, text } = await insertKey(db, key, clock.now());
        accounts.forget();
        set.status = 201;
        return { key: text, record: toKeyRow(record, budgets.spent(record.id)) };
      })
      // Replaces all terms, as the form sends them; absent ones are unrestricted, as in a new key.
      .put("/projects/:id/keys/:key", async ({ request, params }): Promise<KeyRow> => {
        const key = await requireKey(params.id, params.key);
        await changeKey(db, key.id, readTerms(await readJson(request, TermsBody), clock.now(), toIso(key.expiresAtMs)));
        accounts.forget();
        return toKeyRow(await requireKey(params.id, params.key), budgets.spent(key.id));
      })
      .delete("/projects/:id/keys/:key", async ({ params }) => {
        await revokeKey(db, (await requireKey(params.id, params.key)).id, clock.now());
        accounts.forget();
        return { id: params.key, deleted: true };
      })
  );
};

/** An unchanged expiry may be in the past, so that an expired key can still be renamed. */
const readTerms = (body: Static<typeof TermsBody>, now: number, expiredBefore: string | null = null): KeyTerms => {
  const { name, scopes = null, budget_usd: budget = null, expires_at: expiry = null } = body;
  requireName(name);
  const expiresAtMs = expiry === null ? null : parseExpiry(expiry);
  if (expiresAtMs !== null && expiry !== expiredBefore && !(expiresAtMs > now))
    throw invalidRequest("The expiry must be a date in the future.", "expires_at");
  return { name, scopes, budgetNanoUsd: budget === null ? null : toNanoUsd(budget), expiresAtMs };
};
