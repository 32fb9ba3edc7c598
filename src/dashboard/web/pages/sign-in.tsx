/** Signing in, and setting a first password through a one-time link: the operator's, or that of an invited member. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { call, Failure } from "../api.ts";
import { TextField } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ActionForm, Form } from "../parts/form.tsx";
import { Mark } from "../parts/icon.tsx";
import { go, place, queryOf, ROOT } from "../router.ts";
import { session } from "../state.ts";
import { useForm } from "../use-form.ts";

const Gate = ({ title, children }: { title: string; children: ComponentChildren }) => {
  useEffect(() => {
    document.title = `${title} · Signalbox`;
  }, [title]);
  return (
    <main class="gate">
      <div class="card">
        <div class="brand">
          <Mark /> Signalbox
        </div>
        {children}
      </div>
    </main>
  );
};

const useSignIn = (onDone: () => void) => {
  const begun = { name: session.value?.member?.name ?? "", password: "" };
  const { busy, failure, submit, values, ...form } = useForm(begun, async (body, change) => {
    await call("POST", "/login", body).catch((failure: Failure) => {
      if (failure.param === "password") change({ password: "" });
      throw failure;
    });
    onDone();
  });
  const typed = form.field("password");
  const hasNames = session.value?.has_members === true;
  const fields = (
    <>
      {hasNames && (
        <TextField
          label="Name"
          autoComplete="username"
          autoFocus={values.name === ""}
          {...form.field("name")}
          hint="Leave it empty to sign in with the server's own password."
        />
      )}
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={!hasNames || begun.name !== ""}
        {...typed}
        problem={typed.problem ?? failure?.message}
      />
    </>
  );
  const button = (
    <button type="submit" class="button primary" disabled={busy || values.password === ""}>
      {busy ? "Signing in…" : "Sign in"}
    </button>
  );
  return { submit, fields, button };
};

/** The page that signing out leads to. It clears what was typed, so that the next user does not find it. */
const SIGNED_OUT = "login";

export const Login = ({ onDone }: { onDone: () => void }) => {
  const { submit, fields, button } = useSignIn(onDone);
  // A layout effect, so that it is cleared before the page is shown and the user walks away.
  useLayoutEffect(() => {
    if (place.value.page === SIGNED_OUT) sessionStorage.clear();
  }, []);
  if (session.value?.password_set === false && !session.value.has_members) return <NoPassword />;
  return (
    <Gate title="Sign in">
      <Form onSubmit={submit}>
        <h1>Sign in</h1>
        {fields}
        {button}
        <p class="muted small">
          Forgotten? <OtherPassword /> {session.value?.has_members && "Members ask an admin for a new link."}
        </p>
      </Form>
    </Gate>
  );
};

const OtherPassword = () =>
  session.value?.password_from_environment ? (
    <>
      The next start takes another <code>SIGNALBOX_ADMIN_PASSWORD</code>.
    </>
  ) : (
    <>
      <code>signalbox password reset</code>, on the server's machine, makes another.
    </>
  );

/** Shown over the open page, so that nothing typed into it is lost. */
export const SignInAgain = ({ onDone }: { onDone: () => void }) => {
  const { submit, fields, button } = useSignIn(onDone);
  return (
    <Dialog title="Your session has ended" onSubmit={submit} footer={button}>
      <p>Sign in to go on where you were. What you have typed is still there.</p>
      {fields}
    </Dialog>
  );
};

const NoPassword = () => (
  <Gate title="Set a password">
    <div class="stack">
      <h1>No password yet</h1>
      <p>
        Signalbox printed a one-time link when it started. Open that link to choose the dashboard's password. If it is lost, start
        Signalbox again: it prints a new one.
      </p>
      <p class="muted">
        Or set <code>SIGNALBOX_ADMIN_PASSWORD</code> before the start.
      </p>
    </div>
  </Gate>
);

const LEAST = 10;

export const Setup = ({ onDone }: { onDone: () => void }) => (
  <FirstPassword path="/setup" next={`${ROOT}/p/default/test/start`} onDone={onDone}>
    Choose the password of this dashboard. It sees every project, prompt and key name, so make it a good one.
  </FirstPassword>
);

export const Invitation = ({ onDone }: { onDone: () => void }) => (
  <FirstPassword path="/invitation" next={ROOT} onDone={onDone}>
    You are invited to this dashboard. Choose the password with which you will sign in.
  </FirstPassword>
);

type FirstProps = { path: string; next: string; onDone: () => void; children: ComponentChildren };

const FirstPassword = ({ path, next, onDone, children }: FirstProps) => {
  const form = useForm({ password: "", again: "" }, async ({ password, again }) => {
    if (password !== again) throw new Failure(0, "differs", "The two passwords differ.", "again");
    await call("POST", path, { token: queryOf("token") ?? "", password });
    go(next, { replace: true });
    onDone();
  });
  const { field } = form;
  return (
    <Gate title="Set the password">
      <ActionForm of={form} action="Set the password" doing="Setting…" disabled={form.values.password.length < LEAST}>
        <div>
          <h1>Welcome</h1>
          <p class="muted">{children}</p>
        </div>
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          autoFocus
          minLength={LEAST}
          {...field("password")}
          hint={`At least ${LEAST} characters. A sentence is easier to remember than a puzzle.`}
        />
        <TextField label="The same again" type="password" autoComplete="new-password" required {...field("again")} />
      </ActionForm>
    </Gate>
  );
};
