/** One project's keys, limits, routing and log, and the whole server's projects, backup and password. */

import type { FunctionComponent } from "preact";
import { Page } from "../../parts/page.tsx";
import { hrefTo, place, queryOf } from "../../router.ts";
import { HouseSettings } from "./house.tsx";
import { KeySettings } from "./keys.tsx";
import { LimitSettings } from "./limits.tsx";
import { LogSettings } from "./log.tsx";
import { ProjectSettings } from "./projects.tsx";
import { RoutingSettings } from "./routing.tsx";

const SECTIONS: { id: string; label: string; Section: FunctionComponent }[] = [
  { id: "keys", label: "API keys", Section: KeySettings },
  { id: "projects", label: "Projects & tiers", Section: ProjectSettings },
  { id: "limits", label: "Limits & usage", Section: LimitSettings },
  { id: "routing", label: "Routing", Section: RoutingSettings },
  { id: "log", label: "Log & retention", Section: LogSettings },
  { id: "house", label: "Backup & password", Section: HouseSettings },
];

export const Settings = () => {
  const chosen = SECTIONS.find(({ id }) => id === (place.value.id ?? queryOf("section"))) ?? SECTIONS[0]!;
  return (
    <Page title="Settings">
      <nav class="tabs" aria-label="Settings">
        {SECTIONS.map(({ id, label }) => (
          <a key={id} href={hrefTo("settings", id)} aria-current={id === chosen.id ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <chosen.Section />
    </Page>
  );
};
