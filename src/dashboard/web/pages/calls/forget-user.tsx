/** Deletes all data of one of the project's users, after a confirmation. */

import { call } from "../../api.ts";
import { plural } from "../../format.ts";
import { AskFirst } from "../../parts/dialog.tsx";
import { say } from "../../parts/notice.tsx";
import { go, hrefTo } from "../../router.ts";
import { apiPath } from "../../state.ts";

export const ForgetUser = ({ user }: { user: string }) => (
  <AskFirst
    class="button small danger"
    icon="trash"
    label="Delete this user's data"
    title={`Delete everything of ${user}?`}
    action="Delete for good"
    onConfirm={async () => {
      const path = apiPath(`/v1/logs/user?user_id=${encodeURIComponent(user)}`);
      const { deleted } = await call<{ deleted: number }>("DELETE", path);
      say(`${plural(deleted, "call")} of ${user} deleted.`);
      go(hrefTo("calls"));
    }}
  >
    Calls with prompts and answers, sessions and files that belong to this user in this project are deleted, live and test. Sums
    in the overview stay. This cannot be undone.
  </AskFirst>
);
