/** Shows a state as a lamp: colour, shape and text all say the same. */

import type { ComponentChildren } from "preact";

export type Tone = "green" | "amber" | "red" | "off";

export const Lamp = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`lamp ${tone} ${tone === "off" ? "" : "lit"}`}>{children}</span>
);

export const Badge = ({
  tone = "",
  children,
}: {
  tone?: "" | "green" | "amber" | "red" | "slate";
  children: ComponentChildren;
}) => <span class={`badge ${tone}`}>{children}</span>;

export const healthTone = (state: string): Tone => (state === "healthy" ? "green" : state === "degraded" ? "amber" : "red");
