/**
 * The frame of a page. Its title gets the focus on arrival, so that keyboards and screen readers start there; but whoever switches the project
 * or the mode stays at the switch.
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { travelled } from "../router.ts";

type Props = {
  title: string;
  /** For the window's title; the page shows it itself. */
  section?: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
};

export const Page = ({ title, section, lead, actions, children }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [section, title, "Signalbox"].filter(Boolean).join(" · ");
    const isSwitching = document.activeElement?.closest(".where") != null;
    if (travelled.value && !isSwitching) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <main class="page" id="main">
      <div class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  );
};

type CardProps = {
  title?: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  flush?: boolean;
  busy?: boolean;
  /** Screen readers read out what appears in it. */
  live?: boolean;
  children: ComponentChildren;
};

export const Card = ({ title, note, actions, flush, busy, live, children }: CardProps) => (
  <section
    class={`card ${flush ? "flush" : ""} ${busy ? "busy" : ""}`}
    aria-busy={busy ?? false}
    aria-live={live ? "polite" : undefined}
  >
    {(title || actions) && (
      <div class="card-head">
        <div>
          {title && <h2>{title}</h2>}
          {note && <p>{note}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
    )}
    {children}
  </section>
);

export const Figure = ({ name, value, note, href }: { name: string; value: string; note?: ComponentChildren; href?: string }) => {
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

/** A usage bar that warns when nearly full, unless `calm`, for which full is the goal. */
export const Meter = ({ share, label, calm = false }: { share: number; label: string; calm?: boolean }) => (
  <span class={`meter ${calm ? "" : share >= 0.95 ? "red" : share >= 0.75 ? "amber" : ""}`} role="img" aria-label={label}>
    <span style={{ width: `${Math.min(100, share * 100)}%` }} />
  </span>
);

type BarItem = { name: string; value: number; text: string; href?: string; accent?: boolean };

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
            <span class={`fill ${item.accent ? "accent" : ""}`} style={{ width: `${(item.value / most) * 100}%` }} />
          </span>
          <span class="figure-text">{item.text}</span>
        </div>
      ))}
    </div>
  );
};
