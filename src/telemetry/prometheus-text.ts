/** Instruments and gauges in Prometheus' text format, version 0.0.4. */

import type { Gauge } from "./gauges.ts";
import type { Counter, Histogram, Labels } from "./instruments.ts";

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export const toPrometheusText = (instruments: readonly (Counter | Histogram)[], gauges: readonly Gauge[]): string =>
  [
    ...instruments.map((instrument) =>
      instrument.kind === "counter" ? pointsText(instrument, "counter", instrument.points()) : histogramText(instrument),
    ),
    ...gauges.map((gauge) => pointsText(gauge, "gauge", gauge.points)),
  ].join("");

type About = { name: string; help: string };

const head = ({ name, help }: About, type: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

const pointsText = (about: About, type: string, points: Gauge["points"]): string =>
  head(about, type) + points.map(({ labels, value }) => line(about.name, labels, value)).join("");

const histogramText = (histogram: Histogram): string => {
  let text = head(histogram, "histogram");
  for (const { labels, counts, sum, count } of histogram.points()) {
    let below = 0;
    for (const [index, bound] of histogram.bounds.entries()) {
      below += counts[index]!;
      text += line(`${histogram.name}_bucket`, { ...labels, le: String(bound) }, below);
    }
    text += line(`${histogram.name}_bucket`, { ...labels, le: "+Inf" }, count);
    text += line(`${histogram.name}_sum`, labels, sum) + line(`${histogram.name}_count`, labels, count);
  }
  return text;
};

const line = (name: string, labels: Labels, value: number): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`;
};

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
