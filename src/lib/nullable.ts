/** Schemas of values that may be null. */

import { type TSchema, Type } from "@sinclair/typebox";

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** An optional field that may also be null, which clients use for the same. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(orNull(schema));
