/** Signing in, and setting the first password through the one-time link. */

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
  const { busy, failure, submit, values, ...form } = useForm({ password: "" }, async (body, change) => {
    await call("POST", "/login", body).catch((failure: Failure) => {
      if (failure.param === "password") change({ password: "" });
      throw failure;
    });
    onDone();
  });
  const typed = form.field("password");
  const field = (
    <TextField
      label="Password"
      type="password"
      autoComplete="current-password"
      required
      autoFocus
      {...typed}
      problem={typed.problem ?? failure?.message}
    />
  );
  const button = (
    <button type="submit" class="button primary" disabled={busy || values.password === ""}>
      {busy ? "Signing in…" : "Sign in"}
    </button>
  );
  return { submit, field, button };
};

/** The page that signing out leads to. It clears what was typed, so that the next user does not find it. */
const SIGNED_OUT = "login";

export const Login = ({ onDone }: { onDone: () => void }) => {
  const { submit, field, button } = useSignIn(onDone);
  // A layout effect, so that it is cleared before the page is shown and the user walks away.
  useLayoutEffect(() => {
    if (place.value.page === SIGNED_OUT) sessionStorage.clear();
  }, []);
  if (session.value?.password_set === false) return <NoPassword />;
  return (
    <Gate title="Sign in">
      <Form onSubmit={submit}>
        <h1>Sign in</h1>
        {field}
        {button}
        <p class="muted small">
          Forgotten? <code>SIGNALBOX_ADMIN_PASSWORD</code> sets another one with the next start.
        </p>
      </Form>
    </Gate>
  );
};

/** Shown over the open page, so that nothing typed into it is lost. */
export const SignInAgain = ({ onDone }: { onDone: () => void }) => {
  const { submit, field, button } = useSignIn(onDone);
  return (
    <Dialog title="Your session has ended" onSubmit={submit} footer={button}>
      <p>Sign in to go on where you were. What you have typed is still there.</p>
      {field}
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

export const Setup = ({ onDone }: { onDone: () => void }) => {
  const setup = useForm({ password: "", again: "" }, async ({ password, again }) => {
    if (password !== again) throw new Failure(0, "differs", "The two passwords differ.", "again");
    await call("POST", "/setup", { token: queryOf("token") ?? "", password });
    go(`${ROOT}/p/default/test/start`, { replace: true });
    onDone();
  });
  const { field } = setup;
  return (
    <Gate title="Set the password">
      <ActionForm of={setup} action="Set the password" doing="Setting…" disabled={setup.values.password.length < LEAST}>
        <div>
          <h1>Welcome</h1>
          <p class="muted">
            Choose the password of this dashboard. It sees every project, prompt and key name, so make it a good one.
          </p>
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
