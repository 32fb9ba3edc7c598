/** Other models that would have been cheaper or better at a task. */

import { percent, usd } from "../../format.ts";
import { Note } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import type { MetricsPerformance } from "../../wire.ts";

export const Advice = ({ performance, busy }: { performance: MetricsPerformance; busy: boolean }) =>
  performance.recommendations.length === 0 ? null : (
    <Card title="What the figures suggest" busy={busy}>
      <div class="stack tight">
        {performance.recommendations.slice(0, 4).map((advice) => (
          <Note key={advice.task_type} tone="green">
            <strong>{advice.task_type}</strong>: {advice.recommended_model} instead of {advice.current_model}{" "}
            {advice.potential_savings_usd >= 0 ? "would have saved" : "would have cost"} about{" "}
            {usd(Math.abs(advice.potential_savings_usd))}
            {advice.potential_savings_usd < 0 && " more"}
            {advice.quality_improvement > 0.005 && `, at ${percent(advice.quality_improvement)} better quality`}.
          </Note>
        ))}
      </div>
    </Card>
  );
