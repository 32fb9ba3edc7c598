/** Data of a page: loaded when its key changes, kept on show while the next is on its way, so that nothing jumps. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "./api.ts";
import { connected, session } from "./state.ts";

type Loaded<T> = {
  data: T | null;
  failure: Failure | null;
  loading: boolean;
  reload(): Promise<void>;
  set(data: T): void;
};

export const useLoad = <T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> => {
  const [state, setState] = useState<{ data: T | null; failure: Failure | null; loading: boolean }>({
    data: null,
    failure: null,
    loading: key !== null,
  });
  const latest = useRef(load);
  latest.current = load;
  const under = useRef<AbortController | null>(null);

  const run = useCallback(async () => {
    under.current?.abort();
    const controller = new AbortController();
    under.current = controller;
    setState((before) => ({ ...before, loading: true }));
    try {
      const data = await latest.current(controller.signal);
      if (!controller.signal.aborted) setState({ data, failure: null, loading: false });
    } catch (error) {
      if (controller.signal.aborted) return;
      const failure = error instanceof Failure ? error : new Failure(0, "error", (error as Error).message, null, null);
      setState((before) => ({ data: before.data, failure, loading: false }));
    }
  }, []);

  useEffect(() => {
    if (key === null) return;
    void run();
    return () => under.current?.abort();
  }, [key, run]);

  // Signed in again, or the server is back: what the end of the session refused, or nobody heard, is asked for once more.
  const { status, type } = state.failure ?? {};
  const isOver = (status === 401 && session.value?.signed_in) || (type === "network" && connected.value);
  useEffect(() => {
    if (isOver) void run();
  }, [isOver, run]);

  return { ...state, reload: run, set: (data) => setState({ data, failure: null, loading: false }) };
};

/** Of figures: a page that is left open shows them as they are, not as they were. */
export const FRESH_FOR_MS = 60_000;

/** Calls `tick` every `ms` while the page is on screen. Where it takes longer than that, the next waits for it. */
export const useEvery = (ms: number | null, tick: () => Promise<void>): void => {
  const latest = useRef(tick);
  latest.current = tick;
  useEffect(() => {
    if (ms === null) return;
    let isUnderway = false;
    const timer = setInterval(async () => {
      if (document.hidden || isUnderway) return;
      isUnderway = true;
      await latest.current();
      isUnderway = false;
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
};
