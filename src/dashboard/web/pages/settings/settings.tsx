/** One project's keys, limits, routing and log, and the whole server's projects, members, history, backup and password. */

import { Page } from "../../parts/page.tsx";
import { chosenOf, type Section, Sections } from "../../parts/sections.tsx";
import { HistorySettings } from "./history.tsx";
import { KeySettings } from "./keys.tsx";
import { LimitSettings } from "./limits.tsx";
import { LogSettings } from "./log.tsx";
import { MemberSettings } from "./members.tsx";
import { ProjectSettings } from "./projects.tsx";
import { RoutingSettings } from "./routing.tsx";
import { ServerSettings } from "./server.tsx";

const SECTIONS: Section[] = [
  { id: "keys", label: "API keys", Content: KeySettings },
  { id: "projects", label: "Projects & tiers", Content: ProjectSettings },
  { id: "limits", label: "Limits & usage", Content: LimitSettings },
  { id: "routing", label: "Routing", Content: RoutingSettings },
  { id: "log", label: "Log & retention", Content: LogSettings },
  { id: "members", label: "Members", Content: MemberSettings },
  { id: "history", label: "History", Content: HistorySettings },
  { id: "server", label: "Backup & password", Content: ServerSettings },
];

export const Settings = () => (
  <Page title="Settings" section={chosenOf(SECTIONS).label}>
    <Sections page="settings" label="Settings" sections={SECTIONS} />
  </Page>
);
