/** Changes some of the current project's settings, and says that it is done, or why not. */

import type { ProjectSettingsBody } from "../../../wire.ts";
import { attempt } from "../../parts/notice.tsx";
import { changeProject } from "../../refresh-projects.ts";
import { project } from "../../state.ts";

export const saveSettings = (settings: Partial<ProjectSettingsBody>, done?: string): Promise<boolean> =>
  attempt(() => changeProject(project.value!.id, { settings }), done);
