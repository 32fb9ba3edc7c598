/** The frame around every page: the project and mode, the navigation, and signing out. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { call } from "./api.ts";
import { BASE_PATH } from "./base-path.ts";
import { optionsOf, Segmented } from "./parts/controls.tsx";
import { Icon, type IconName, Mark } from "./parts/icon.tsx";
import { attempt } from "./parts/notice.tsx";
import { go, hrefTo, overlay, pageHref, pendingNavigation, place, ROOT } from "./router.ts";
import { isViewer, mode, projects, session, setTheme, type Theme, theme } from "./state.ts";

const menuOpen = signal(false);
const closeMenu = () => {
  menuOpen.value = false;
};

/** Each page has an icon of its name. */
const NAVIGATION = {
  See: { overview: "Overview", calls: "Calls" },
  Try: { start: "Getting started", playground: "Playground", media: "Media", documents: "Documents", sessions: "Sessions" },
  Decide: { policies: "Policies", schemas: "Schemas", providers: "Providers & models", settings: "Settings" },
} satisfies Record<string, { [Page in IconName]?: string }>;

export const Shell = ({ children }: { children: ComponentChildren }) => {
  const { page } = place.value;
  const menuButton = useRef<HTMLButtonElement>(null);
  useEffect(closeMenu, [page, place.value.id]);
  useLayoutEffect(() => (menuOpen.value ? overlay(closeMenu) : undefined), [menuOpen.value]);
  // Closing the menu hides the focused element, so the focus returns to the button that opened it.
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !menuOpen.value) return;
    closeMenu();
    menuButton.current?.focus();
  };
  // The open menu covers the page, where the focus would not be seen.
  const closeBehind = ({ target }: FocusEvent) => {
    if ((target as Element).closest("main")) closeMenu();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and the focus are listened for, nothing here is pressed
    <div class="shell" onKeyDown={closeOnEscape} onFocusIn={closeBehind}>
      <a class="skip button" href="#main">
        Skip to the page
      </a>
      <header class="topbar">
        <button
          type="button"
          ref={menuButton}
          class="button quiet icon"
          aria-label="Menu"
          aria-expanded={menuOpen.value}
          onClick={() => (menuOpen.value = true)}
        >
          <Icon name="menu" />
        </button>
        <a class="brand" href={hrefTo("overview")}>
          <Mark /> Signalbox
        </a>
        <span class={`badge mode-tag ${mode.value === "live" ? "green" : "amber"}`}>
          <span class="name">{place.value.project}</span>
          <span>· {mode.value}</span>
        </span>
      </header>
      {menuOpen.value && <button type="button" class="scrim" aria-label="Close the menu" onClick={closeMenu} />}
      <Rail />
      {children}
    </div>
  );
};

const Rail = () => {
  const { page } = place.value;
  return (
    <aside class={`rail ${menuOpen.value ? "open" : ""}`} aria-label="Project and pages">
      <a class="brand" href={hrefTo("overview")}>
        <Mark /> Signalbox
      </a>
      <ProjectAndMode />
      <nav class="nav" aria-label="Pages">
        {Object.entries(NAVIGATION).map(([title, pages]) => (
          <div key={title}>
            <h2>{title}</h2>
            <ul>
              {Object.entries(pages).map(([name, label]) => (
                <li key={name}>
                  <a href={hrefTo(name)} aria-current={page === name ? "page" : undefined}>
                    <Icon name={name as IconName} />
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="rail-foot">
        <SignedIn />
        <ThemeButton />
        <a
          class="button quiet icon"
          href={`${BASE_PATH}/docs`}
          target="_blank"
          rel="noreferrer"
          aria-label="API reference"
          title="API reference"
        >
          <Icon name="book" />
        </a>
        <button type="button" class="button quiet icon" aria-label="Sign out" title="Sign out" onClick={signOut}>
          <Icon name="out" />
        </button>
        <span class="version">{session.value?.version}</span>
      </div>
    </aside>
  );
};

/** Which member, if it is one. */
const SignedIn = () => {
  const member = session.value?.member;
  if (!member) return null;
  const { name, role } = member;
  const meaning = isViewer.value ? "sees everything and changes nothing" : "may do everything";
  return (
    <span class="member" title={`${name} is signed in, and ${meaning}.`}>
      {name} · {role}
    </span>
  );
};

const signOut = () =>
  attempt(async () => {
    await call("POST", "/logout");
    location.assign(`${ROOT}/login`);
  });

/** Pages whose id names one of their sections, which every project has, and not an item. */
const SECTIONED = ["media", "settings"];

/**
 * Switches project and mode, keeping the page and its section but not an open item. Renders again when leaving is questioned, because the
 * choice has not taken effect.
 */
const ProjectAndMode = () => {
  const { page, id, project } = place.value;
  const section = SECTIONED.includes(page) ? id : null;
  void pendingNavigation.value;
  return (
    <div class="where">
      <select
        aria-label="Project"
        value={project ?? ""}
        onChange={(event) => go(pageHref(event.currentTarget.value, mode.value, page, section))}
      >
        {(projects.value ?? []).map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Segmented
        wide
        label="Live calls or test calls"
        value={mode.value}
        onChange={(next) => go(pageHref(project!, next, page, section))}
        options={optionsOf({ live: "Live", test: "Test" })}
      />
    </div>
  );
};

const NEXT_THEME: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const THEME_ICON: Record<Theme, IconName> = { auto: "auto", light: "sun", dark: "moon" };

const ThemeButton = () => (
  <button
    type="button"
    class="button quiet icon"
    aria-label={`Colours: ${theme.value}. Switch to ${NEXT_THEME[theme.value]}`}
    title={`Colours: ${theme.value}`}
    onClick={() => setTheme(NEXT_THEME[theme.value])}
  >
    <Icon name={THEME_ICON[theme.value]} />
  </button>
);
