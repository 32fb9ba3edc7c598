/** What a tier holds is said by the tier table alone. */

import { expect, test } from "bun:test";
import { ApiError } from "../../src/api-error.ts";
import { leastTierWith, requireFeature, requireInTier, type TierFeature } from "../../src/limits/require-tier.ts";
import { TIER_LIMITS, TIERS, type Tier, type TierLimits } from "../../src/limits/tiers.ts";

const refusalOf = (work: () => void): ApiError | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as ApiError;
  }
};

const HELD: Record<TierFeature, (limits: TierLimits) => boolean> = {
  Documents: ({ documents }) => documents !== null,
  Memory: ({ memory }) => memory !== null,
  "Content policies": ({ contentPolicies }) => contentPolicies,
};

for (const [feature, isHeld] of Object.entries(HELD) as [TierFeature, (limits: TierLimits) => boolean][]) {
  test(`${feature}: the tiers that hold it take it, the others name the lowest that does`, () => {
    const taken = TIERS.filter((tier) => refusalOf(() => requireFeature({ tier }, feature)) === undefined);
    expect(taken).toEqual(TIERS.filter((tier) => isHeld(TIER_LIMITS[tier])));
    expect(leastTierWith(feature)).toBe(taken[0]!);
    const refusal = refusalOf(() => requireFeature({ tier: "free" }, feature))!;
    expect(refusal).toBeInstanceOf(ApiError);
    expect([refusal.type, refusal.options.details]).toEqual([
      "insufficient_tier",
      { required_tier: taken[0], current_tier: "free" },
    ]);
  });
}

test("what only the highest tier holds is refused to all others with its name", () => {
  const refusedTo = (tier: Tier) =>
    refusalOf(() => requireInTier({ tier }, "Log export as parquet", ({ logExports }) => logExports.includes("parquet")))
      ?.message;
  expect(refusedTo("enterprise")).toBeUndefined();
  expect(refusedTo("team")).toBe("Log export as parquet can be used from the enterprise tier on; this project is on team.");
});
