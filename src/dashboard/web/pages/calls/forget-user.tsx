/** Deletes all data of one of the project's users, after a confirmation. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { plural } from "../../format.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { attempt, say } from "../../parts/notice.tsx";
import { go, hrefTo } from "../../router.ts";
import { apiPath } from "../../state.ts";

export const ForgetUser = ({ user }: { user: string }) => {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button small danger" onClick={() => setAsking(true)}>
        <Icon name="trash" /> Delete this user's data
      </button>
      {asking && (
        <Confirm
          title={`Delete everything of ${user}?`}
          action="Delete for good"
          onClose={() => setAsking(false)}
          onConfirm={() =>
            attempt(async () => {
              const { deleted } = await call<{ deleted: number }>(
                "DELETE",
                apiPath(`/v1/logs/user?user_id=${encodeURIComponent(user)}`),
              );
              say(`${plural(deleted, "call")} of ${user} deleted.`);
              go(hrefTo("calls"));
            })
          }
        >
          Calls with prompts and answers, sessions and files that belong to this user in this project are deleted, live and test.
          Sums in the overview stay. This cannot be undone.
        </Confirm>
      )}
    </>
  );
};
