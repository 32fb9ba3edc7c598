/** The request behind a form or button: busy while it runs, then its result, or what was wrong. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "./api.ts";
import { say } from "./parts/notice.tsx";
import { pointAtUnread } from "./point-at-unread.ts";

/** The server's complaints of fields, by their names. */
export type Problems = { readonly [field: string]: string | undefined };
export type Sending = { busy: boolean; failure: Failure | null; submit: () => Promise<void> };
type Submission<T> = Sending & { problems: Problems; result: T | null };

/**
 * `fields`: the server's names of the fields that show their own problem. If the server refuses one of them, `problems` says why and the
 * field gets the focus; any other failure is in `failure`. If the form was closed meanwhile, the failure is said at the edge of the window.
 */
export const useSubmit = <T>(action: () => Promise<T>, fields: readonly string[] = []): Submission<T> => {
  const [state, setState] = useState<{ busy: boolean; failure: Failure | null; result: T | null }>({
    busy: false,
    failure: null,
    result: null,
  });
  const { failure } = state;
  const refused = failure !== null && fields.includes(failure.param ?? "") ? failure : null;
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  const pressed = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (state.busy || pressed.current === null) return;
    const form = pressed.current.closest("form") ?? document;
    if (refused) form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
    // A button that is disabled meanwhile loses the focus.
    else if (document.activeElement === document.body) pressed.current.focus();
  }, [state.busy]);
  const submit = async () => {
    if (pointAtUnread()) return;
    pressed.current = document.activeElement as HTMLElement | null;
    setState((before) => ({ ...before, busy: true, failure: null }));
    try {
      setState({ busy: false, failure: null, result: await action() });
    } catch (error) {
      if (!isOpen.current) say((error as Failure).message, "red");
      setState((before) => ({ ...before, busy: false, failure: error as Failure }));
    }
  };
  return { ...state, ...(refused && { failure: null }), problems: refused ? { [refused.param!]: refused.message } : {}, submit };
};
