/** Assembles tool arguments that Gemini streams as `{jsonPath, stringValue | numberValue | …}` pieces. */

import { isContainer, isRecord } from "../../lib/is-record.ts";

type Step = string | number;
/** An object or a list. */
type Container = Record<Step, unknown>;

const MAX_DEPTH = 64;
/** Items of a list come in order, except empty ones, which may not come at all. Each one skipped costs four letters. */
const MOST_SKIPPED = 100;

/** `$.a.b[0]['c d']` → ["a", "b", 0, "c d"]; undefined for anything else. */
export const parsePath = (path: string): Step[] | undefined => {
  const step = /\.([^.[\]]+)|\[(\d{1,6})\]|\['([^']*)'\]|\["([^"]*)"\]/y;
  const steps: Step[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length && steps.length <= MAX_DEPTH) {
    const match = step.exec(path);
    if (!match) return undefined;
    steps.push(match[2] === undefined ? (match[1] ?? match[3] ?? match[4] ?? "") : Number(match[2]));
  }
  return path.startsWith("$") && steps.length > 0 && steps.length <= MAX_DEPTH ? steps : undefined;
};

const newContainer = (nextStep: Step): Container => (typeof nextStep === "number" ? [] : Object.create(null)) as Container;

/** Walks to the container of the last step, creating what is missing; undefined if the path contradicts existing values. */
const containerFor = (root: Container, steps: Step[]): Container | undefined => {
  let at = root;
  for (const [place, step] of steps.entries()) {
    if (Array.isArray(at) ? typeof step !== "number" || step > at.length + MOST_SKIPPED : typeof step === "number")
      return undefined;
    if (place === steps.length - 1) return at;
    at[step] ??= newContainer(steps[place + 1]!);
    if (!isContainer(at[step])) return undefined;
    at = at[step] as Container;
  }
  return undefined;
};

const readValue = (piece: Record<string, unknown>): unknown => {
  const value = piece["stringValue"] ?? piece["numberValue"] ?? piece["boolValue"] ?? piece["structValue"] ?? piece["listValue"];
  // Some servers write all members, also those without a value.
  return value ?? ("nullValue" in piece ? null : undefined);
};

export const createPartialArguments = () => {
  const root: Container = Object.create(null);
  /** The path of the string that the next pieces may continue. */
  let openPath: string | undefined;

  return {
    add(piece: unknown): void {
      if (!isRecord(piece) || typeof piece["jsonPath"] !== "string") return;
      // `$.a[]` comes after the last item of the list `$.a`.
      const endsList = piece["jsonPath"].endsWith("[]");
      const path = endsList ? piece["jsonPath"].slice(0, -2) : piece["jsonPath"];
      const steps = parsePath(path);
      const container = steps && containerFor(root, steps);
      if (!container) return;
      const last = steps.at(-1)!;
      const before = container[last];
      const value = readValue(piece);
      // Without a value a piece ends what is there, or is itself all of an empty list or object.
      if (value === undefined) {
        if (before === undefined && piece["willContinue"] !== true) container[last] = newContainer(endsList ? 0 : "");
        return;
      }
      const goesOn = openPath === path && typeof before === "string" && typeof value === "string";
      container[last] = goesOn ? before + value : value;
      openPath = piece["willContinue"] === true ? path : undefined;
    },
    toJson: (): string => JSON.stringify(root),
  };
};
