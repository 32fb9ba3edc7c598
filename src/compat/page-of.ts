/** Pages of OpenAI's lists: the next one begins after the last id of the one before. */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { orNull } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";

const ORDERS = ["asc", "desc"] as const;

export const pageQuery = (order: (typeof ORDERS)[number]) =>
  Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    after: Type.Optional(Type.String({ description: "The id of the item before the page" })),
    order: oneOf(ORDERS, { default: order, description: "From the first on, or from the last" }),
  });
type PageQuery = Static<ReturnType<typeof pageQuery>>;

export const Page = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(Type.Object({ id: Type.String() }, { additionalProperties: true })),
  first_id: orNull(Type.String()),
  last_id: orNull(Type.String()),
  has_more: Type.Boolean(),
});

/** `items`: all of them, from the first on. Throws 400 if `after` is none of them. */
export const pageOf = (items: readonly { id: string }[], { limit, after, order }: PageQuery): Static<typeof Page> => {
  const inOrder = order === "asc" ? items : items.toReversed();
  const start = after === undefined ? 0 : inOrder.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw invalidRequest("`after` must be the id of one of the items.", "after");
  const data = inOrder.slice(start, start + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < inOrder.length,
  };
};
