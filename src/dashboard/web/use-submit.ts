/** The request behind a form or button: busy while it runs, then its result, or what was wrong. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "./api.ts";

type Problems = { readonly [field: string]: Failure | undefined };
const NONE: Problems = {};

/** `fields`: those that show their own problem, by the name the server gives them; a failure with another one is returned whole. */
export const useSubmit = <T>(action: () => Promise<T>, fields: readonly string[] = []) => {
  const [state, setState] = useState<{ busy: boolean; failure: Failure | null; result: T | null }>({
    busy: false,
    failure: null,
    result: null,
  });
  // A button that is disabled meanwhile loses the focus.
  const pressed = useRef<Element | null>(null);
  useEffect(() => {
    if (!state.busy && document.activeElement === document.body) (pressed.current as HTMLElement | null)?.focus();
  }, [state.busy]);
  const submit = async (event: Event) => {
    event.preventDefault();
    pressed.current = document.activeElement;
    setState((before) => ({ ...before, busy: true, failure: null }));
    try {
      setState({ busy: false, failure: null, result: await action() });
    } catch (error) {
      setState((before) => ({ ...before, busy: false, failure: error as Failure }));
    }
  };
  const { failure } = state;
  if (failure === null || !fields.includes(failure.param ?? "")) return { ...state, problems: NONE, submit };
  return { ...state, failure: null, problems: { [failure.param!]: failure } as Problems, submit };
};
