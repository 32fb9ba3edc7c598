/** The schema of a word out of a list; errors name them all. */

import { type SchemaOptions, Type } from "@sinclair/typebox";

export const oneOf = <const Name extends string>(names: readonly Name[], options: SchemaOptions = {}) =>
  Type.Unsafe<Name>(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      options,
    ),
  );
