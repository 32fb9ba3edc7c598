/** Bounds how often one value is looked at, because alternatives that double at each level would take minutes. */
import { invalidSchema } from "./subschemas.ts";

/** How many schemas may have to look at the same value. */
const MAX_FAN_OUT = 10_000;

/**
 * Refuses a schema that refers to itself without looking at a part of the value, or combines too many alternatives. `places`: the place of
 * each schema; `inPlace`: those that look at the same value as a schema.
 */
export const boundFanOut = (places: ReadonlyMap<object, string>, inPlace: ReadonlyMap<object, object[]>): void => {
  /** Evaluations that one value may cause from a schema on; Infinity marks one that is still being counted, which means a loop. */
  const costs = new Map<object, number>();
  const costOf = (node: object): number => {
    const known = costs.get(node);
    if (known !== undefined && known !== Number.POSITIVE_INFINITY) return known;
    const place = places.get(node) ?? "";
    if (known !== undefined) throw invalidSchema(place, "refers to itself without looking at a part of the value");
    costs.set(node, Number.POSITIVE_INFINITY);
    let total = 1;
    for (const target of inPlace.get(node) ?? []) total += costOf(target);
    if (total > MAX_FAN_OUT) throw invalidSchema(place, "combines so many alternatives that checking it could take minutes");
    costs.set(node, total);
    return total;
  };
  for (const node of places.keys()) costOf(node);
};
