/** The index of the last of the ascending `values` that is at most `most`; 0 if there is none. */
export const lastUpTo = <Value>(values: ArrayLike<Value>, most: number, of: (value: Value) => number = Number): number => {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (of(values[middle]!) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
};
