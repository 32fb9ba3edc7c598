/** What a call may cost in all, side calls included. */

import type { RoutingRules } from "../../policies/routing-rules.ts";
import type { ChatInput } from "../request/chat-input.ts";

/** The caller's ceiling or the policies', whichever is lower; nano-USD, undefined where neither sets one. */
export const callCeiling = ({ ceilingNanoUsd }: ChatInput, rules: RoutingRules | undefined): number | undefined => {
  const ceilings = [ceilingNanoUsd, rules?.ceilingNanoUsd].filter((each) => each !== undefined);
  return ceilings.length === 0 ? undefined : Math.min(...ceilings);
};
