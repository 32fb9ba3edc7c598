/** The request behind a form or button: busy while it runs, then its result, or what was wrong. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "./api.ts";

type Problems = { readonly [field: string]: Failure | undefined };
const NONE: Problems = {};

/**
 * `fields`: the server's names of the fields that show their own problem. If the server refuses one of them, its failure is in `problems`
 * and the field gets the focus; any other failure is in `failure`.
 */
export const useSubmit = <T>(action: () => Promise<T>, fields: readonly string[] = []) => {
  const [state, setState] = useState<{ busy: boolean; failure: Failure | null; result: T | null }>({
    busy: false,
    failure: null,
    result: null,
  });
  const { failure } = state;
  const refused = failure !== null && fields.includes(failure.param ?? "") ? failure : null;
  const pressed = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (state.busy || pressed.current === null) return;
    const form = pressed.current.closest("form") ?? document;
    if (refused) form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
    // A button that is disabled meanwhile loses the focus.
    else if (document.activeElement === document.body) pressed.current.focus();
  }, [state.busy]);
  const submit = async (event: Event) => {
    event.preventDefault();
    pressed.current = document.activeElement as HTMLElement | null;
    setState((before) => ({ ...before, busy: true, failure: null }));
    try {
      setState({ busy: false, failure: null, result: await action() });
    } catch (error) {
      setState((before) => ({ ...before, busy: false, failure: error as Failure }));
    }
  };
  const problems: Problems = refused ? { [refused.param!]: refused } : NONE;
  return { ...state, failure: refused ? null : failure, problems, submit };
};
