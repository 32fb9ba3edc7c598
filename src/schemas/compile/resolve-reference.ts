/**
 * Finds what a `$ref` means. Nothing is ever fetched. typebox would take any part of the schema where the reference's fragment leads
 * somewhere, whatever its URI, and looks for it in every list twice.
 */

import { Resolve, type Stack } from "typebox/schema";
import { isContainer } from "../../lib/is-record.ts";
import { valueAtPointer } from "../../lib/json-pointer.ts";
import { invalidSchema, type SchemaObject } from "./subschemas.ts";

export type TypeboxStack = ReturnType<typeof Stack>;

/** What the references of a schema can mean. */
export type Referable = {
  root: unknown;
  /** The URIs, without fragments, of the schema, its parts and the documents. */
  uris: Set<string>;
  /** The schemas with an `$anchor` or `$dynamicAnchor`, by its name. */
  anchors: Map<string, unknown>;
  /** How many subschemas have an `$id` or an anchor. */
  names: number;
  /** Whether a part of the schema has an `$id`: its references then have another base, and typebox has to find their targets. */
  hasParts: boolean;
};

/** The target is undefined if there is none. `stack` is the one for what stands inside the target. */
export const resolveReference = ({ root, uris, anchors, hasParts }: Referable, stack: TypeboxStack, reference: string) => {
  const [address = "", fragment = ""] = splitAtFragment(reference);
  const uri = address === "" ? withoutFragment(stack.referenceBase) : absoluteUri(address, stack.referenceBase);
  const nothing = { target: undefined, stack };
  if (!uris.has(uri)) return nothing;
  if (!hasParts && uri === withoutFragment(stack.referenceBase)) {
    const place = fragment.startsWith("/") ? valueAtPointer(root, `#${fragment}`) : anchors.get(fragment);
    return { target: fragment === "" ? root : place, stack };
  }
  const isMissing =
    address === "" && fragment.startsWith("/") && valueAtPointer(stack.lexicalSchema, `#${fragment}`) === undefined;
  if (isMissing) return nothing;
  const found = Resolve.Ref(stack, { $ref: reference });
  return { target: found.schema as unknown, stack: found.stack };
};

/** The URIs by which references inside this stack's schema may name it. */
export const urisOf = ({ lexicalBase, resourceBase, referenceBase }: TypeboxStack): string[] =>
  [lexicalBase, resourceBase, referenceBase].map(withoutFragment);

export const withoutFragment = (uri: string): string => splitAtFragment(uri)[0]!;

const splitAtFragment = (reference: string): string[] => {
  const at = reference.indexOf("#");
  return at < 0 ? [reference] : [reference.slice(0, at), reference.slice(at + 1)];
};

/** As typebox has it: a URN has no path, so that a relative reference replaces its last part. */
const absoluteUri = (address: string, base: string): string => {
  if (URL.canParse(address, base)) return new URL(address, base).href;
  return `${base === NAMELESS ? base : base.slice(0, base.lastIndexOf(":"))}:${address}`;
};
/** The base of a schema without an `$id`. */
const NAMELESS = "urn:typebox:root";

/** How many names may have to be compared with references in all, about a microsecond each. */
const MAX_COMPARED_NAMES = 20_000;
/** How many places typebox may visit in all to find the targets of references. */
const MAX_VISITS = 1_000_000;
const STEPS_PER_NAME = 250;
const STEPS_PER_VISIT = 10;

/** Refuses references for which typebox would have to search for long. Returns what one search costs at most, in the meter's steps. */
export const boundSearch = ({ root, names, hasParts }: Referable, references: readonly SchemaObject[]): number => {
  if (hasParts && names * references.length > MAX_COMPARED_NAMES)
    throw invalidSchema("", "has too many references for so many subschemas with an `$id` or an anchor");
  const searched = references.filter((from) => "$dynamicRef" in from || isSearched(from["$ref"] as string, hasParts)).length;
  const visits = hasParts || searched > 0 ? visitsOf(root) : 0;
  if (visits * searched > MAX_VISITS)
    throw invalidSchema("", "has too many references by name for lists in lists that are so deep");
  return (hasParts ? names * STEPS_PER_NAME : 0) + visits * STEPS_PER_VISIT;
};

/** A pointer is followed from the root of its part, unless preparing moves what it leads to. */
const isSearched = (reference: string, hasParts: boolean): boolean =>
  hasParts ? !/^#(?:\/|$)/.test(reference) || MOVED.test(reference) : !reference.startsWith("#");
const MOVED = /\/(?:if|then|else|dependentSchemas|dependencies|contains|unevaluatedItems|unevaluatedProperties)(?:\/|$)/;

/**
 * How many places typebox visits, at most, when it looks for the target of a reference: those within lists count twice, and the parts of a
 * condition four times, because preparing puts them into lists.
 */
const visitsOf = (schema: unknown): number => {
  if (!isContainer(schema)) return 1;
  const times = Array.isArray(schema) ? 2 : 1;
  return Object.entries(schema).reduce((sum, [key, child]) => sum + (MULTIPLIED.has(key) ? 4 : times) * visitsOf(child), 1);
};
const MULTIPLIED = new Set(["if", "then", "else", "dependentSchemas", "dependencies"]);
