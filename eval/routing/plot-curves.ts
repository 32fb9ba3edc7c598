/** The cost-quality curves as a plain SVG: share of strong calls against the share of the strong-weak gap recovered. */

type Curve = { name: string; points: [number, number][] };

const SIZE = 420;
const MARGIN = 56;
const COLOURS = ["#1f6feb", "#c2410c", "#15803d"];

const x = (share: number): string => (MARGIN + share * (SIZE - 2 * MARGIN)).toFixed(1);
const y = (gain: number): string => (SIZE - MARGIN - Math.max(-0.1, Math.min(1.15, gain)) * (SIZE - 2 * MARGIN)).toFixed(1);

export function plotCurves(curves: Curve[]): string {
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const lines = curves.map(({ name, points }, i) => {
    const path = points.map(([share, gain]) => `${x(share)},${y(gain)}`).join(" ");
    const colour = COLOURS[i % COLOURS.length];
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>
<text x="${MARGIN + 10}" y="${MARGIN + 4 + i * 16}" fill="${colour}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${ticks.map((t) => `<line x1="${x(t)}" y1="${y(0)}" x2="${x(t)}" y2="${y(1)}" stroke="#eee"/><line x1="${x(0)}" y1="${y(t)}" x2="${x(1)}" y2="${y(t)}" stroke="#eee"/>`).join("\n")}
${ticks.map((t) => `<text x="${x(t)}" y="${SIZE - MARGIN + 18}" text-anchor="middle">${t}</text><text x="${MARGIN - 8}" y="${Number(y(t)) + 4}" text-anchor="end">${t}</text>`).join("\n")}
<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#999" stroke-dasharray="4 4"/>
${lines.join("\n")}
<text x="${MARGIN + 10}" y="${MARGIN + 4 + curves.length * 16}" fill="#777">zero router (dashed)</text>
<text x="${SIZE / 2}" y="${SIZE - 12}" text-anchor="middle">share of calls to the strong model</text>
<text transform="translate(16 ${SIZE / 2}) rotate(-90)" text-anchor="middle">share of the gap recovered</text>
</svg>
`;
}
