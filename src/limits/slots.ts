/** Concurrency limits (streams, video jobs): each takes a slot and frees it. */

type Slots = {
  /** The returned function frees the slot, once. */
  take(name: string): () => void;
  taken(name: string): number;
  /** Over all names with this ending. */
  takenByAll(ending: string): number;
};

export const createSlots = (): Slots => {
  const counts = new Map<string, number>();
  const taken = (name: string): number => counts.get(name) ?? 0;
  return {
    take: (name) => {
      counts.set(name, taken(name) + 1);
      let isFreed = false;
      return () => {
        if (isFreed) return;
        isFreed = true;
        const left = taken(name) - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      };
    },
    taken,
    takenByAll: (ending) => {
      let sum = 0;
      for (const [name, count] of counts) if (name.endsWith(ending)) sum += count;
      return sum;
    },
  };
};
