/** Chooses what to show: the sign-in, then a project, then the page of the URL. */

import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import type { SessionState } from "../wire.ts";
import { Failure, get } from "./api.ts";
import { loadProviders } from "./ask-providers.ts";
import { CallDetail } from "./pages/calls/call-detail.tsx";
import { Calls } from "./pages/calls/calls.tsx";
import { Documents } from "./pages/documents/documents.tsx";
import { Media } from "./pages/media/media.tsx";
import { Overview } from "./pages/overview/overview.tsx";
import { Playground } from "./pages/playground/playground.tsx";
import { Policies } from "./pages/policies/policies.tsx";
import { Providers } from "./pages/providers/providers.tsx";
import { Schemas } from "./pages/schemas/schemas.tsx";
import { Sessions } from "./pages/sessions.tsx";
import { ProjectSettings } from "./pages/settings/projects.tsx";
import { Settings } from "./pages/settings/settings.tsx";
import { Invitation, Login, Setup, SignInAgain } from "./pages/sign-in.tsx";
import { Start } from "./pages/start.tsx";
import { Empty, Problem, say, Toasts } from "./parts/notice.tsx";
import { Page } from "./parts/page.tsx";
import { Leaving } from "./parts/unsaved.tsx";
import { loadProjects, refreshProjects } from "./refresh-projects.ts";
import { go, hrefTo, leave, pageHref, place } from "./router.ts";
import { setServerClock } from "./server-clock.ts";
import { Shell } from "./shell.tsx";
import { hasProvider, mode, project, projects, session } from "./state.ts";

const PAGES: Record<string, FunctionComponent> = {
  start: Start,
  overview: Overview,
  calls: Calls,
  playground: Playground,
  documents: Documents,
  sessions: Sessions,
  policies: Policies,
  schemas: Schemas,
  media: Media,
  providers: Providers,
  settings: Settings,
};

export const App = () => {
  const [failure, setFailure] = useState<Failure | null>(null);
  const start = async () => {
    try {
      setFailure(null);
      await enter();
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  useEffect(() => void start(), []);

  if (failure)
    return (
      <main class="gate">
        <Problem failure={failure} retry={start} />
      </main>
    );
  if (session.value === null) return <p class="opening">Opening…</p>;
  // A used set-up link leads to the sign-in, not to a form that would be refused.
  if (place.value.page === "setup" && !session.value.password_set) return <Setup onDone={start} />;
  if (place.value.page === "invitation") return <Invitation onDone={start} />;
  if (projects.value === null) return session.value.signed_in ? null : <Login onDone={start} />;
  return (
    <>
      <Inside />
      <Leaving />
      {!session.value.signed_in && <SignInAgain onDone={start} />}
      <Toasts />
    </>
  );
};

const enter = async (): Promise<void> => {
  const known = await get<SessionState>("/session");
  setServerClock(known.now);
  if (!known.signed_in) {
    session.value = known;
    return;
  }
  [projects.value] = await Promise.all([loadProjects(), loadProviders()]);
  session.value = known;
  settle();
};

/**
 * Sends `/dashboard`, and the page of a project that does not exist or was deleted, to the first project, by default in live mode if a
 * provider is configured.
 */
const settle = (): void => {
  const { page, project: named, mode: chosen } = place.value;
  if (named !== null && chosen !== null && project.value !== null) return;
  const first = project.value ?? projects.value![0];
  if (first === undefined) return;
  if (named !== null && project.value === null) say(`There is no project “${named}” here. This is ${first.name}.`, "red");
  const target = Object.hasOwn(PAGES, page) ? page : "overview";
  const inMode = chosen ?? (hasProvider.value ? "live" : "test");
  leave(() => go(pageHref(first.name, inMode, target), { replace: true }));
};

const pageOf = (name: string): FunctionComponent => (Object.hasOwn(PAGES, name) ? PAGES[name]! : NoPage);

/** Reloads the projects when the tab becomes visible, because another tab or a command may have changed them. */
const useNews = (): void => {
  useEffect(() => {
    const look = () => document.hidden || refreshProjects().then(settle, () => {});
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
};

const Inside = () => {
  useNews();
  const { page, id } = place.value;
  const view = `${project.value?.id} ${mode.value} ${page} ${id ?? ""}`;
  const Found = project.value === null ? NoProject : page === "calls" && id !== null ? CallDetail : pageOf(page);
  return (
    <Shell>
      <Guarded key={view}>
        <Found />
      </Guarded>
    </Shell>
  );
};

/** Catches a page's errors, so that the menu and the other pages keep working. */
const Guarded = ({ children }: { children: ComponentChildren }) => {
  const [error, reset] = useErrorBoundary((failed) => console.error(failed));
  if (error === undefined) return <>{children}</>;
  const failure = new Failure(
    0,
    "page",
    "This page ran into something it did not expect. The rest of the dashboard still works.",
  );
  return (
    <Page title="Something broke">
      <Problem failure={failure} retry={reset} />
    </Page>
  );
};

const NoProject = () => (
  <Page
    title="Choose a project"
    lead="Keys, documents, policies and calls belong to a project. The one in the address does not exist."
  >
    <ProjectSettings />
  </Page>
);

const NoPage = () => (
  <Page title="Page not found">
    <Empty title="There is no such page">
      <a class="button" href={hrefTo("overview")}>
        To the overview
      </a>
    </Empty>
  </Page>
);
