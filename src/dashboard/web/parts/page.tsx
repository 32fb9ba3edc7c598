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
