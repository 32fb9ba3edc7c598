/** A field that may be left out, or be null, which clients write for the same. */

import { type TSchema, Type } from "@sinclair/typebox";

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
