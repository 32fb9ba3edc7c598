/** A form: what is filled in, and the request that sends it. A field that the server refuses says why. */

import { useFields } from "./use-fields.ts";
import { useSubmit } from "./use-submit.ts";

/** Every value has a control, which shows what the server objects to in it: its name is the server's. */
export const useForm = <T extends object, R = unknown>(
  begun: T,
  send: (values: T, change: (next: Partial<T>) => void) => Promise<R>,
) => {
  const { values, change, field } = useFields(begun);
  const { problems, ...submission } = useSubmit(() => send(values, change), Object.keys(begun));
  return {
    ...submission,
    values,
    change,
    field: <Name extends keyof T & string>(name: Name) => ({ ...field(name), problem: problems[name] }),
  };
};

export type FormOf<T extends object> = ReturnType<typeof useForm<T>>;
