/** State shared by all pages: the session, the projects, and the current project and mode. */

import { computed, signal } from "@preact/signals";
import type { ProjectRow, ProjectSettingsBody, ProvidersAnswer, SessionState, TierRow } from "../wire.ts";
import { place } from "./router.ts";

/** Whether the last request reached the server. */
export const connected = signal(true);
export const session = signal<SessionState | null>(null);
/** With what holds for it: its tier's limits, and all settings. */
export type Project = ProjectRow & { settings: ProjectSettingsBody; tier_limits: TierRow };
export const projects = signal<Project[] | null>(null);
/** Sees everything and changes nothing. */
export const isViewer = computed(() => session.value?.member?.role === "viewer");
/** The providers, and the order in which search engines are tried. */
export const setup = signal<ProvidersAnswer>({ providers: [], search_order: [], search_order_fixed: false });
export const providers = computed(() => setup.value.providers);

export const project = computed(() => projects.value?.find(({ name }) => name === place.value.project) ?? null);
export const mode = computed(() => place.value.mode ?? "test");
export const hasProvider = computed(() => providers.value.some(({ configured }) => configured));

/** Path of the public API for the current project and mode. */
export const apiPath = (path: string): string => `/projects/${project.value!.id}/${mode.value}${path}`;

/** The last URL of the list of calls, so that returning from a call keeps its filters. */
export const callsSeen = signal("");

export type Theme = "auto" | "light" | "dark";
const stored = localStorage.getItem("signalbox-theme");
export const theme = signal<Theme>(stored === "light" || stored === "dark" ? stored : "auto");

export const setTheme = (next: Theme): void => {
  theme.value = next;
  if (next === "auto") localStorage.removeItem("signalbox-theme");
  else localStorage.setItem("signalbox-theme", next);
  applyTheme();
};
export const applyTheme = (): void => {
  if (theme.value === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
};
