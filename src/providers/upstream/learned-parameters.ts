/** Parameters that a model has refused, which are left out from then on. Bounded, and in memory only. */

const MAX_MODELS = 500;
const MAX_PARAMETERS = 16;

export const createLearnedParameters = () => {
  const refused = new Map<string, string[]>();
  return {
    of: (model: string): readonly string[] => refused.get(model) ?? [],
    learn(model: string, param: string): void {
      const known = refused.get(model) ?? [];
      if (known.includes(param) || known.length >= MAX_PARAMETERS) return;
      if (refused.size >= MAX_MODELS && !refused.has(model)) refused.delete(refused.keys().next().value!);
      refused.set(model, [...known, param]);
    },
  };
};
