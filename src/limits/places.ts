/** Things under way at once (streams, video jobs): each takes a place and frees it. */

type Places = {
  /** The returned function frees the place, once. */
  take(name: string): () => void;
  taken(name: string): number;
  /** Over all names that end so. */
  takenByAll(ending: string): number;
};

export const createPlaces = (): Places => {
  const places = new Map<string, number>();
  const taken = (name: string): number => places.get(name) ?? 0;
  return {
    take: (name) => {
      places.set(name, taken(name) + 1);
      let isFreed = false;
      return () => {
        if (isFreed) return;
        isFreed = true;
        const left = taken(name) - 1;
        if (left > 0) places.set(name, left);
        else places.delete(name);
      };
    },
    taken,
    takenByAll: (ending) => {
      let sum = 0;
      for (const [name, count] of places) if (name.endsWith(ending)) sum += count;
      return sum;
    },
  };
};
