/** The place that a call belonged to, for feedback that may still come. */

type RecentPlaces = {
  remember(callId: string, place: number): void;
  find(callId: string): number | undefined;
  forget(): void;
};

/** Remembers at least the last `least` calls and at most twice as many: the older half is forgotten all at once, which costs almost nothing. */
export const createRecentPlaces = (least: number): RecentPlaces => {
  let recent = new Map<string, number>();
  let earlier = new Map<string, number>();
  return {
    remember: (callId, place) => {
      recent.set(callId, place);
      if (recent.size < least) return;
      earlier = recent;
      recent = new Map();
    },
    find: (callId) => recent.get(callId) ?? earlier.get(callId),
    forget: () => {
      recent.clear();
      earlier.clear();
    },
  };
};
