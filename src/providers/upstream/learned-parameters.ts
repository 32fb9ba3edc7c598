/** Which parameters a model has refused: found out once, left out from then on. Bounded, and forgotten with the process. */

const MAX_MODELS = 500;
const MAX_PARAMETERS = 16;

export const createLearnedParameters = () => {
  const refused = new Map<string, string[]>();
  return {
    of: (model: string): readonly string[] => refused.get(model) ?? [],
    /** False where it was known already or there is no room: trying again would change nothing. */
    learn(model: string, param: string): boolean {
      const known = refused.get(model) ?? [];
      if (known.includes(param) || known.length >= MAX_PARAMETERS) return false;
      if (refused.size >= MAX_MODELS && !refused.has(model)) refused.delete(refused.keys().next().value!);
      refused.set(model, [...known, param]);
      return true;
    },
  };
};
