/** What a form or a button sends off: busy while it runs, its failure kept to be shown beside the field. */

import { useState } from "preact/hooks";
import type { Failure } from "./api.ts";

export const useSubmit = <T>(action: () => Promise<T>) => {
  const [state, setState] = useState<{ busy: boolean; failure: Failure | null; result: T | null }>({
    busy: false,
    failure: null,
    result: null,
  });
  const submit = async (event: Event) => {
    event.preventDefault();
    setState((before) => ({ ...before, busy: true, failure: null }));
    try {
      setState({ busy: false, failure: null, result: await action() });
    } catch (error) {
      setState((before) => ({ ...before, busy: false, failure: error as Failure }));
    }
  };
  return { ...state, submit };
};
