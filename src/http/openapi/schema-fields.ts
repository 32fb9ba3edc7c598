/** A JSON Schema for people to read: one line per field, nested ones by their path. */

type Json = Record<string, any>;

export type SchemaField = {
  /** `messages[].role`: a list's items have brackets. */
  name: string;
  type: string;
  required: boolean;
  meaning: string;
};

/** Deeper levels usually belong to another standard and are described there. */
const MOST_LEVELS = 3;

export const fieldsOf = (schema: Json, within = "", level = 1): SchemaField[] => {
  const objects = kindsOf(schema).filter((kind) => kind["properties"]);
  return Object.entries(propertiesOf(objects)).flatMap(([name, property]) => {
    const field = {
      name: within + name,
      type: typeOf(property),
      required: objects.every(({ required = [] }) => (required as string[]).includes(name)),
      meaning: meaningOf(property),
    };
    if (level === MOST_LEVELS) return [field];
    const kinds = kindsOf(property);
    const items = kinds.flatMap((kind) => (kind["type"] === "array" ? [(kind["items"] as Json | undefined) ?? {}] : []));
    return [
      field,
      ...fieldsOf({ anyOf: kinds }, `${field.name}.`, level + 1),
      ...fieldsOf({ anyOf: items }, `${field.name}[].`, level + 1),
    ];
  });
};

/** The variants of a value, without null. */
const kindsOf = (schema: Json): Json[] =>
  ((schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"]) as Json[] | undefined)
    ?.flatMap(kindsOf)
    .filter(({ type }) => type !== "null") ?? [schema];

/** The fields of several kinds of object; a name with several meanings gets all their types. */
const propertiesOf = (objects: Json[]): Json => {
  const merged: Json = {};
  for (const { properties } of objects)
    for (const [name, property] of Object.entries(properties as Json))
      merged[name] = name in merged ? { anyOf: [merged[name], property] } : property;
  return merged;
};

const typeOf = (schema: Json): string => [...new Set(typesOf(schema))].join(" | ");

const typesOf = (schema: Json): string[] => {
  if (schema["const"] !== undefined) return [JSON.stringify(schema["const"])];
  if (schema["enum"]) return (schema["enum"] as unknown[]).map((item) => JSON.stringify(item));
  const kinds = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  if (kinds) return kinds.flatMap(typesOf);
  if (schema["type"] === "array")
    return [`${typeOf((schema["items"] as Json | undefined) ?? {})}[]`.replace(/^(.* \| .*)\[\]$/, "($1)[]")];
  return [[schema["type"] ?? "any"].flat().join(" | ")];
};

const meaningOf = (schema: Json): string => {
  const parts = [schema, ...kindsOf(schema)];
  const first = (key: string): unknown => parts.find((part) => part[key] !== undefined)?.[key];
  const [least, most, standard] = [first("minimum"), first("maximum"), first("default")];
  return [
    first("description"),
    standard === undefined ? undefined : `default ${JSON.stringify(standard)}`,
    least === undefined ? undefined : `from ${least}`,
    most === undefined ? undefined : `to ${most}`,
  ]
    .filter((part) => part !== undefined)
    .join("; ");
};
