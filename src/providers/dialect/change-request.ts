/** How a request is changed after its provider refused a part of it. */

import { recordsAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import type { WireBody } from "./wire-dialect.ts";

export type Change = (body: WireBody, param: string) => void;

/** `messages` for `messages[0].role`. */
export const firstName = (param: string): string => param.split(/[.[]/, 1)[0]!;

/** The number at the end of a learned parameter. */
export const numberIn = (param: string): number => Number(param.slice(param.lastIndexOf(".") + 1));

/** Finds the change for a refused parameter by its whole name or its first one. If there is none, the parameter is left out. */
export const dropBy =
  (changes: Readonly<Record<string, Change>>, leaveOut: Change): Change =>
  (body, param) =>
    (ownValue(changes, param) ?? ownValue(changes, firstName(param)) ?? leaveOut)(body, param);

/** Changes the list in a field, if the request has that field. */
export const inList =
  (field: string, change: (items: WireBody[], param: string) => WireBody[]): Change =>
  (body, param) => {
    if (body[field]) body[field] = change(recordsAt(body, field), param);
  };

export const both =
  (one: Change, other: Change): Change =>
  (body, param) => {
    one(body, param);
    other(body, param);
  };
