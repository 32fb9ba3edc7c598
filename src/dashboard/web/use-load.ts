/** Loads a page's data. What was loaded before stays visible until the new arrives, so that nothing jumps. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asFailure, type Failure, get } from "./api.ts";
import { connected, session } from "./state.ts";

const RECONNECT_EVERY_MS = 3_000;

export type Loading<T> = {
  data: T | null;
  failure: Failure | null;
  loading: boolean;
  reload(): Promise<void>;
  set(data: T): void;
};

/** Loads what stands under a path, whenever that is another. */
export const useGet = <T>(path: string): Loading<T> => useLoad(path, (signal) => get<T>(path, signal));

/** Loads whenever `key` is another, once it has stayed the same for `restMs`; not at all while it is null. */
export const useLoad = <T>(key: string | null, load: (signal: AbortSignal) => Promise<T>, restMs = 0): Loading<T> => {
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
      setState((before) => ({ data: before.data, failure: asFailure(error), loading: false }));
    }
  }, []);

  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(run, restMs);
    return () => {
      clearTimeout(timer);
      under.current?.abort();
    };
  }, [key, run]);

  // Repeats a request that failed because the session had ended or the server was unreachable, once that is over. Whether the server is
  // back is known from other requests, and from this one. A proxy in front of it answers for it meanwhile.
  const { status = 0, type } = state.failure ?? {};
  const isOver = (status === 401 && session.value?.signed_in) || (type === "network" && connected.value);
  useEffect(() => {
    if (isOver) void run();
  }, [isOver, run]);
  // What is asked while somebody types is asked again with the next letter: that no model can be chosen is an answer, and a 503.
  const isAway = restMs === 0 && (type === "network" || (status >= 502 && status <= 504));
  useEvery(isAway ? RECONNECT_EVERY_MS : null, run);

  return { ...state, reload: run, set: (data) => setState({ data, failure: null, loading: false }) };
};

/** How often an open page refreshes its figures. */
export const FRESH_FOR_MS = 60_000;

/** Calls `tick` every `ms` while the page is visible. If a call takes longer than that, the next is skipped. */
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
