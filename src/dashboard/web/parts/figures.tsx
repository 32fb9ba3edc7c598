/** Figures and facts: as panels, in a list, and as bars. */

import type { ComponentChildren } from "preact";

type FigureProps = { name: string; value: ComponentChildren; note?: ComponentChildren; href?: string };

export const Figure = ({ name, value, note, href }: FigureProps) => {
  const content = (
    <>
      <span class="name">{name}</span>
      <span class="value">{value}</span>
      <span class="note">{note}</span>
    </>
  );
  return href ? (
    <a class="figure" href={href}>
      {content}
    </a>
  ) : (
    <div class="figure">{content}</div>
  );
};

type Facts = { facts: readonly (readonly [name: string, value: ComponentChildren])[] };

/** Leaves out what is null. */
export const FactList = ({ facts }: Facts) => (
  <dl class="facts small">
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** A usage bar that warns when nearly full, unless `calm`, for which full is the goal. */
export const Meter = ({ share, label, calm = false }: { share: number; label: string; calm?: boolean }) => (
  <span class={`meter ${calm ? "" : share >= 0.95 ? "red" : share >= 0.75 ? "amber" : ""}`} role="img" aria-label={label}>
    <span style={{ width: `${Math.min(100, share * 100)}%` }} />
  </span>
);

export type BarItem = { name: string; value: number; text: string; href?: string };

/** A bar chart of shares; each bar links to its calls. */
export const Bars = ({ items }: { items: BarItem[] }) => {
  const most = Math.max(...items.map(({ value }) => value), 1e-12);
  return (
    <div class="bars">
      {items.map((item) => (
        <div class="bar" key={item.name}>
          {item.href ? (
            <a class="name" href={item.href} title={item.name}>
              {item.name}
            </a>
          ) : (
            <span class="name" title={item.name}>
              {item.name}
            </span>
          )}
          <span class="track">
            <span class="fill" style={{ width: `${(item.value / most) * 100}%` }} />
          </span>
          <span class="figure-text">{item.text}</span>
        </div>
      ))}
    </div>
  );
};
