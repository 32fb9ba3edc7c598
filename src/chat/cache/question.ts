/** When two calls ask the same: all that shapes an answer is alike, as it would be sent and under the rules that hold. */

import { digest } from "../../lib/digest.ts";
import type { ChatRequest } from "../../providers/provider.ts";
import type { CallDraft } from "../call-draft.ts";
import type { Context } from "../context/gather-context.ts";

/** A digest. The path, streaming, and who asks for whom (`user`, `metadata`) are no part of it. */
export const questionOf = (
  {
    caller: { project, mode, key },
    input,
    named,
    contentEvaluation: found,
  }: Pick<CallDraft, "caller" | "input" | "named" | "contentEvaluation">,
  { request, policies }: Pick<Context, "request" | "policies">,
): string =>
  digest(
    JSON.stringify([
      [project.id, mode],
      // What may answer, and what decides among it.
      [key.models, policies.stamp, named.isExclusive, named.pinned?.id, named.all.map(({ id }) => id)],
      [input.ceilingNanoUsd, input.qualityCost ?? project.settings.qualityCost],
      input.schemaStrict,
      // What was redacted in the prompt leaves no trace in the request, but the answer's evaluation tells it.
      found && { ...found, latency_ms: 0 },
      Object.entries(shapingIn(request)).sort(([one], [other]) => (one < other ? -1 : 1)),
    ]),
  );

/**
 * The request without what identifies the user or the client, or concerns the provider's own cache. Thinking of which nothing is said is as
 * none: the APIs differ in this, and no thinking is given again.
 */
const shapingIn = ({
  user: _user,
  cacheKey: _key,
  cachePrompt: _prompt,
  forAnthropic,
  thinking,
  ...shaping
}: ChatRequest): object => {
  const { attribution: _client, ...other } = forAnthropic ?? {};
  const isOpen = thinking?.mode === "default" && shaping.reasoningEffort === undefined;
  return { ...shaping, ...other, ...(thinking && !isOpen && { thinking }) };
};
