/** JSON Pointers (RFC 6901), as errors and `$ref` use them. */

import { isContainer } from "./is-record.ts";

/** One step of a pointer as the name it stands for. */
export const unescapeStep = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

/** What `pointer` (`#/$defs/a`, percent-encoded as in a URI) refers to; undefined if there is nothing there, or if it is not such a pointer. */
export const valueAtPointer = (root: unknown, pointer: string): unknown => {
  let place: unknown = pointer.startsWith("#/") ? root : undefined;
  for (const step of pointer.slice(2).split("/")) {
    const name = unescapeStep(percentDecoded(step));
    place = isContainer(place) && Object.hasOwn(place, name) ? Reflect.get(place, name) : undefined;
  }
  return place;
};

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
