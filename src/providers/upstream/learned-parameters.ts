/**
 * What models have refused, which is left out from then on: a parameter from all requests, or what only certain schemas caused from requests
 * with the same schemas, as an agent or a pipeline makes thousands of. Bounded, and in memory only.
 */

import type { ChatRequest } from "../provider.ts";
import type { Refusal } from "../upstream-error.ts";
import type { AnswerForm } from "./upstream-request.ts";

const MAX_MODELS = 500;
const MAX_SCHEMAS = 1_000;
const MAX_PARAMETERS = 16;

/** Some servers hold whole answers to a schema, and no streams. */
type Asked = { request: ChatRequest; form: AnswerForm };

type LearnedParameters = {
  of(model: string, asked: Asked): readonly string[];
  learn(model: string, asked: Asked, refusal: Refusal): void;
};

/** The oldest entries make way. */
const createMemory = (most: number) => {
  const refused = new Map<string, string[]>();
  return {
    of: (name: string): readonly string[] => refused.get(name) ?? [],
    learn: (name: string, param: string): void => {
      const known = refused.get(name) ?? [];
      if (known.includes(param) || known.length >= MAX_PARAMETERS) return;
      if (refused.size >= most && !refused.has(name)) refused.delete(refused.keys().next().value!);
      refused.set(name, [...known, param]);
    },
  };
};

const withSchemas = (model: string, { request: { tools, outputFormat }, form }: Asked): string =>
  `${model}\n${Bun.hash(JSON.stringify([tools, outputFormat, form])).toString(36)}`;

export const createLearnedParameters = (): LearnedParameters => {
  const ofModels = createMemory(MAX_MODELS);
  const ofSchemas = createMemory(MAX_SCHEMAS);
  /** Models that have refused any: the schemas of others' requests need not be read. */
  const choosy = new Set<string>();
  return {
    of: (model, asked) => {
      const always = ofModels.of(model);
      return choosy.has(model) ? [...always, ...ofSchemas.of(withSchemas(model, asked))] : always;
    },
    learn: (model, asked, { param, once }) => {
      if (!once) ofModels.learn(model, param);
      if (once !== "schemas") return;
      choosy.add(model);
      ofSchemas.learn(withSchemas(model, asked), param);
    },
  };
};
