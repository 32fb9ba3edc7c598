/** Parameters that a model has refused, which are left out from then on. Bounded, and in memory only. */

const MAX_MODELS = 500;
const MAX_PARAMETERS = 16;

export const createLearnedParameters = () => {
  const refused = new Map<string, string[]>();
  return {
    of: (model: string): readonly string[] => refused.get(model) ?? [],
    /** False if it is known already or there is no room: sending the request again would change nothing. */
    learn(model: string, param: string): boolean {
      const known = refused.get(model) ?? [];
      if (known.includes(param) || known.length >= MAX_PARAMETERS) return false;
      if (refused.size >= MAX_MODELS && !refused.has(model)) refused.delete(refused.keys().next().value!);
      refused.set(model, [...known, param]);
      return true;
    },
  };
};
