/** What is being filled in: a record that is changed field by field. */

import { useState } from "preact/hooks";

export type Fields<T extends object> = {
  values: T;
  change: (next: Partial<T>) => void;
  field: ReturnType<typeof fieldsOf<T>>;
};

export const useFields = <T extends object>(begun: T): Fields<T> => {
  const [values, setValues] = useState(begun);
  const change = (next: Partial<T>): void => setValues((before) => ({ ...before, ...next }));
  return { values, change, field: fieldsOf(values, change) };
};

/** Only what is no longer as it was: the rest may have been changed elsewhere meanwhile. */
export const changesOf = <T extends object>(begun: T, values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(begun[name as keyof T])),
  ) as Partial<T>;

/** What a control needs to show one of the fields and to change it. */
const fieldsOf =
  <T extends object>(values: T, change: (next: Partial<T>) => void) =>
  <Name extends keyof T>(name: Name) => ({
    value: values[name],
    onChange: (value: T[Name]): void => change({ [name]: value } as unknown as Partial<T>),
  });
