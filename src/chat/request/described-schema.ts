/** The schema of an output format. Only OpenAI has a place for a description beside it, so that becomes the schema's own. */
export const describedSchema = (
  schema: Record<string, unknown>,
  description: string | null | undefined,
): Record<string, unknown> => (description ? { description, ...schema } : schema);
