/** Only one answer is requested. Of several that come anyway, the one with index 0 counts, wherever it is in the list. */

import { isRecord } from "../../lib/is-record.ts";

type Choice = Record<string, unknown>;

const isFirst = (choice: unknown): choice is Choice => isRecord(choice) && Number(choice["index"] ?? 0) === 0;

/** Undefined if `choices` is not a list, or has only other answers. */
export const firstChoice = (choices: unknown): Choice | undefined => (Array.isArray(choices) ? choices.find(isFirst) : undefined);
