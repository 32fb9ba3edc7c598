/** What servers leave to be done in their answers: the steps between what a dialect reads and what callers get. */

import { isOpenAiDialect, type ProviderEntry } from "../catalog/model.ts";
import { answerInThoughts } from "./answer-in-thoughts.ts";
import { cutAtStop } from "./cut-at-stop.ts";
import type { ChatRequest, TakeEvents } from "./provider.ts";
import { setThoughtsApart } from "./set-thoughts-apart.ts";
import { tellCallsApart } from "./tell-calls-apart.ts";
import { readTextCalls } from "./text-calls/read-text-calls.ts";
import { unwrapCalls } from "./unwrap-calls.ts";

type Step = (take: TakeEvents, request: ChatRequest) => TakeEvents;

/** For one server, all steps as one. */
export const mendAnswersOf = ({ dialect, runsOpenModels }: ProviderEntry, isVendors: boolean): Step => {
  const isOpenAis = isOpenAiDialect(dialect);
  /** Vendors read the calls and the thinking of their own models. */
  const leavesMarkup = runsOpenModels === true || (!isVendors && isOpenAis);
  /** These formats tell thinking in parts of their own; tags in a text are the model's words, as an older Claude's. */
  const hasThoughtsOfItsOwn = dialect === "anthropic" || dialect === "google";
  const steps: Step[] = [
    tellCallsApart,
    ...(hasThoughtsOfItsOwn ? [] : [setThoughtsApart]),
    ...(leavesMarkup ? [answerInThoughts] : []),
    cutAtStop,
    ...(leavesMarkup ? [readTextCalls] : []),
    ...(isOpenAis ? [unwrapCalls] : []),
  ];
  return (take, request) => steps.reduceRight((next, step) => step(next, request), take);
};
