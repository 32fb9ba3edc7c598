/** Shapes of what may be null. */

import { type TSchema, Type } from "@sinclair/typebox";

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A field that may be left out, or be null, which clients write for the same. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(orNull(schema));
