/** The router: every view of the dashboard, including its filters, has a URL that can be shared and reloaded. */

import { computed, signal } from "@preact/signals";
import { BASE_PATH } from "./base-path.ts";

export const ROOT = `${BASE_PATH}/dashboard`;
export const here = signal(new URL(window.location.href));
/** False until the first view has been left. */
export const travelled = signal(false);

/** `/dashboard/p/{project}/{mode}/{page}/{id?}`, or `/dashboard/{page}` outside any project. */
type Place = { project: string | null; mode: "live" | "test" | null; page: string; id: string | null };

export const place = computed<Place>(() => {
  const parts = here.value.pathname.slice(ROOT.length).split("/").filter(Boolean).map(decodeURIComponent);
  if (parts[0] !== "p") return { project: null, mode: null, page: parts[0] ?? "", id: parts[1] ?? null };
  const mode = parts[2] === "live" || parts[2] === "test" ? parts[2] : null;
  return { project: parts[1] ?? null, mode, page: parts[3] ?? "overview", id: parts[4] ?? null };
});

export const pageHref = (
  project: string,
  mode: string,
  page: string,
  id?: string | null,
  query: Record<string, string | number | boolean | null | undefined> = {},
): string => {
  const path = [ROOT, "p", encodeURIComponent(project), mode, page, ...(id ? [encodeURIComponent(id)] : [])].join("/");
  return path + queryText(query);
};

const queryText = (query: Record<string, string | number | boolean | null | undefined>): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "" && value !== false) params.set(name, String(value));
  return params.size === 0 ? "" : `?${params}`;
};

/** A page's URL in the current project and mode. */
export const hrefTo = (page: string, id?: string | null, query: Parameters<typeof pageHref>[4] = {}): string =>
  pageHref(place.value.project ?? "default", place.value.mode ?? "test", page, id, query);

/** The page has unsaved changes, so leaving it asks for confirmation. */
export const unsaved = signal(false);
/** The navigation that awaits confirmation. */
export const pendingNavigation = signal<(() => void) | null>(null);

/** Closes what lies over the page, such as a dialog or the menu; the last one lies on top. */
const overlays = new Set<() => void>();

/** Back is only heard of if it leads to another entry of this document, so the first one is doubled. */
const doubleFirst = (): void => {
  if (history.state?.isInside) return;
  history.replaceState({ isDoubled: true }, "");
  history.pushState({ isInside: true }, "", here.value);
};

/** Until the result is called, Back calls `close` and stays on the page. */
export const overlay = (close: () => void): (() => void) => {
  doubleFirst();
  overlays.add(close);
  return () => void overlays.delete(close);
};

/** Leaves the page, and what lies over it, without asking: its changes are saved or discarded. */
export const leave = (take: () => void): void => {
  overlays.clear();
  unsaved.value = false;
  pendingNavigation.value = null;
  take();
};

export const go = (href: string, { replace = false } = {}): void => {
  const url = new URL(href, window.location.href);
  if (url.href === here.value.href) return;
  const moved = url.pathname !== here.value.pathname;
  if (moved && unsaved.value) {
    pendingNavigation.value = () => go(href, { replace });
    return;
  }
  if (moved && !replace) {
    travelled.value = true;
    history.replaceState({ ...history.state, scrolledTo: window.scrollY }, "");
  }
  history[replace ? "replaceState" : "pushState"]({ isInside: !replace || history.state?.isInside }, "", url);
  here.value = url;
  if (moved && !replace) window.scrollTo(0, 0);
};

/** Puts the current project's new name into the URL; the page keeps its state. */
export const followName = (name: string): void => {
  const url = new URL(here.value);
  url.pathname = url.pathname.replace(/(\/dashboard\/p\/)[^/]+/, (_, before) => before + encodeURIComponent(name));
  history.replaceState(history.state, "", url);
  here.value = url;
};

/** Whether the view was left before, and Back returned to it. */
export const wasLeft = (): boolean => history.state?.scrolledTo !== undefined;

export const queryOf = (name: string): string | null => here.value.searchParams.get(name);

/**
 * Sets some parameters of the current URL; null removes one. Replaces the history entry by default, so that Back leaves the page instead of
 * undoing filters.
 */
export const setQuery = (change: Record<string, string | null>, { replace = true } = {}): void => {
  const url = new URL(here.value);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  go(url.href, { replace });
};

const CONTENT_COMES_MS = 3_000;

/** Restores the scroll position after Back, once the content has loaded; the browser would scroll too early. */
const scrollBack = (to: number): void => {
  const { href } = here.value;
  const growth = new ResizeObserver(() => {
    const isHigh = document.documentElement.scrollHeight >= to + window.innerHeight;
    if (isHigh && here.value.href === href) window.scrollTo(0, to);
    if (isHigh || here.value.href !== href) growth.disconnect();
  });
  growth.observe(document.body);
  setTimeout(() => growth.disconnect(), CONTENT_COMES_MS);
};

/** Back closes what lies over the page, or asks if it would lose unsaved changes, and returns to the page. True if it did. */
const holdBack = (): boolean => {
  const closeTop = [...overlays].at(-1);
  const isLosing = window.location.pathname !== here.value.pathname && unsaved.value;
  if (closeTop === undefined && !isLosing) return false;
  history.pushState({ isInside: true }, "", here.value);
  if (closeTop !== undefined) closeTop();
  else pendingNavigation.value = () => history.back();
  return true;
};

/** Handles links within the dashboard without loading a page. */
export const followLinks = (): void => {
  window.addEventListener("beforeunload", (event) => unsaved.value && event.preventDefault());
  window.addEventListener("popstate", ({ state }) => {
    if (holdBack()) return;
    if (state?.isDoubled && window.location.pathname === here.value.pathname) {
      // The same view, as it was before the dialog: Back goes on to what was before this document.
      history.replaceState(state, "", here.value);
      history.back();
      return;
    }
    here.value = new URL(window.location.href);
    if (state?.scrolledTo > 0) scrollBack(state.scrolledTo);
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest("a");
    if (link === null || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(ROOT) || link.pathname.startsWith(`${ROOT}/api/`) || link.hash !== "") return;
    event.preventDefault();
    go(link.href);
  });
};
