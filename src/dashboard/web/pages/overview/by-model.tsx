/** The models with the most calls, and how many calls the others have in total. */

import { plural, short, usd } from "../../format.ts";
import { Bars } from "../../parts/figures.tsx";
import { hrefTo } from "../../router.ts";
import type { MetricsOverview } from "../../wire.ts";

const MOST = 8;

export const ByModel = ({ models, since }: Pick<MetricsOverview, "models"> & { since: { start_date: string } }) => {
  const ranked = Object.entries(models).sort((a, b) => b[1].calls - a[1].calls);
  const rest = ranked.slice(MOST);
  const restCalls = rest.reduce((sum, [, { calls }]) => sum + calls, 0);
  return (
    <div class="stack tight">
      <Bars
        items={ranked.slice(0, MOST).map(([name, model]) => ({
          name,
          value: model.calls,
          text: `${short(model.calls)} · ${usd(model.avg_cost)}`,
          href: hrefTo("calls", null, { ...since, model: name }),
        }))}
      />
      {rest.length > 0 && (
        <p class="small muted">
          {plural(rest.length, "more model")}: {plural(restCalls, "call")}.
        </p>
      )}
    </div>
  );
};
