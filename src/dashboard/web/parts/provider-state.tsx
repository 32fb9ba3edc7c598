/** A provider as several pages show it: where it is set up, and whether it answers. */

import type { ProviderTest } from "../../wire.ts";
import { call } from "../api.ts";
import { milliseconds, plural } from "../format.ts";
import { useLoad } from "../use-load.ts";
import { Lamp } from "./lamp.tsx";

/** Where a provider is set up. */
export const SOURCES = {
  environment: "in the environment",
  file: "in signalbox.yaml",
  dashboard: "in the dashboard",
  discovered: "automatically: it was found on this machine",
};

/** Whether a provider answers: asked as soon as `atOnce` is true, and by `run`. `test` is null while it has not answered. */
export const useProviderTest = (id: string, atOnce: boolean) => {
  const { data, failure, loading, reload } = useLoad(atOnce ? id : null, (signal) =>
    call<ProviderTest>("POST", `/providers/${id}/test`, undefined, signal),
  );
  const done = failure ? { ok: false, latency_ms: null, models: null, message: failure.message } : data;
  return { test: loading ? null : done, running: loading, run: reload };
};

export const TestLamp = ({ test }: { test: ProviderTest | null }) => {
  if (test === null) return <Lamp tone="off">testing…</Lamp>;
  if (test.ok === null) return <Lamp tone="off">set up, nothing to test</Lamp>;
  if (!test.ok) return <Lamp tone="red">no answer</Lamp>;
  return (
    <Lamp tone="green">
      answers in {milliseconds(test.latency_ms)}, {plural(test.models?.length ?? 0, "model")}
    </Lamp>
  );
};
