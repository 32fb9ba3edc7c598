/** Settings of the whole server: the backup and the password. */

import type { BackupsAnswer } from "../../../wire.ts";
import { API_ROOT, call } from "../../api.ts";
import { ago, number, plural } from "../../format.ts";
import { TextField } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Note, say } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { isViewer, session } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import { useGet } from "../../use-load.ts";

export const ServerSettings = () => (
  <div class="columns">
    <Card title="Backup" note="One file holds everything: projects, keys, calls, documents, media.">
      <div class="stack tight">
        <p>
          The copy is consistent also while calls run. Put it back with <code>signalbox restore FILE</code>.
        </p>
        {!isViewer.value && (
          <div class="row">
            <a class="button primary" href={`${API_ROOT}/backup`} download>
              <Icon name="download" /> Back up now
            </a>
          </div>
        )}
        <p class="muted small">
          Provider keys stored here are sealed: keep <code>SIGNALBOX_SECRET</code>, or the key file beside the database, with the
          copy.
        </p>
        <RegularBackups />
      </div>
    </Card>
    <Password />
  </div>
);

const RegularBackups = () => {
  const { data } = useGet<BackupsAnswer>("/backups");
  if (data === null) return null;
  if (data.backups === null)
    return (
      <p class="muted small">
        With <code>SIGNALBOX_BACKUP_FOLDER</code> set, the server makes one each day by itself.
      </p>
    );
  const { folder, every_hours: hours, keep, newest_at: newest } = data.backups;
  return (
    <p class="muted small">
      Every {plural(hours, "hour")} the server makes one by itself in <code class="wrap-anywhere">{folder}</code>, and keeps{" "}
      {number(keep)}. {newest === null ? "There is none yet." : `The newest: ${ago(newest)}.`}
    </p>
  );
};

const LEAST = 10;
const EMPTY = { password: "", next: "" };

const Password = () => {
  const { busy, failure, field, submit, values } = useForm(EMPTY, async ({ password, next }, change) => {
    await call("POST", "/password", { current: password, next });
    change(EMPTY);
    say("The password is changed; other browsers are signed out.");
  });
  const next = field("next");
  if (session.value?.password_from_environment && session.value.member === null)
    return (
      <Card title="Password">
        <Note>
          It comes from <code>SIGNALBOX_ADMIN_PASSWORD</code>. Change it there and start again.
        </Note>
      </Card>
    );
  return (
    <Card title="Password" note="Other browsers that signed in with it are signed out.">
      <Form onSubmit={submit}>
        <TextField label="Password now" type="password" autoComplete="current-password" {...field("password")} />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          {...next}
          hint={`At least ${LEAST} characters.`}
          problem={next.problem ?? failure?.message}
        />
        <div>
          <button type="submit" class="button" disabled={busy || values.password === "" || values.next.length < LEAST}>
            Change the password
          </button>
        </div>
      </Form>
    </Card>
  );
};
