/** Messages to the user: failures and what to do, successes, and the purpose of an empty page. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Failure } from "../api.ts";
import { hrefTo } from "../router.ts";
import { Icon } from "./icon.tsx";
import { Prose } from "./prose.tsx";

type Toast = { id: number; text: string; tone: "green" | "red" };
const toasts = signal<Toast[]>([]);
let next = 0;

const SHOWN_MS = 5_000;

/** A failure stays until it is closed: it cannot be looked up elsewhere, and nobody knows how long one needs to read it. */
export const say = (text: string, tone: Toast["tone"] = "green"): void => {
  const id = next++;
  toasts.value = [...toasts.value.filter((toast) => toast.text !== text), { id, text, tone }];
  if (tone === "green") setTimeout(() => dismiss(id), SHOWN_MS);
};

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** Runs an action and shows its failure. Returns whether it succeeded. */
export const attempt = async (action: () => Promise<unknown>, done?: string): Promise<boolean> => {
  try {
    await action();
    if (done !== undefined) say(done);
    return true;
  } catch (error) {
    say((error as Error).message, "red");
    return false;
  }
};

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map((toast) => (
      <div key={toast.id} class={`toast ${toast.tone}`}>
        <span class="grow">
          <Prose text={toast.text} />
        </span>
        {toast.tone === "red" && (
          <button type="button" class="button quiet icon" aria-label="Close" onClick={() => dismiss(toast.id)}>
            <Icon name="close" />
          </button>
        )}
      </div>
    ))}
  </div>
);

export const Problem = ({ failure, retry }: { failure: Failure; retry?: () => void }) => (
  <div class={`note-box ${failure.type === "insufficient_tier" ? "amber" : "red"}`} role="alert">
    <div>
      <strong>{titleOf(failure)}</strong>
      <div>
        <Prose text={failure.message} />
      </div>
      {STOPPED.includes(failure.type) && (
        <div>
          What stops calls stands under <a href={hrefTo("policies")}>Policies</a>.
        </div>
      )}
      {failure.body?.error?.request_id && (
        <div class="small">
          The process log has more of it under <code>{failure.body.error.request_id}</code>.
        </div>
      )}
      {failure.type === "insufficient_tier" && (
        <div>
          <RaiseTier />
        </div>
      )}
    </div>
    {retry && failure.type !== "insufficient_tier" && (
      <button type="button" class="button small" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

export const RaiseTier = () => (
  <>
    Raise this project's tier under <a href={hrefTo("settings", "projects")}>Settings</a>.
  </>
);

const STOPPED = ["POLICY_BLOCKED", "content_policy_violation", "policy_blocked"];

const titleOf = ({ type, status }: Failure): string => {
  if (type === "insufficient_tier") return "Not part of this project's tier";
  if (type === "network") return "No connection";
  if (STOPPED.includes(type)) return "Stopped by a policy";
  if (status === 404) return "Not found";
  if (status === 429) return "Limit reached";
  return "That did not work";
};

export const Note = ({ tone = "", children }: { tone?: "" | "amber" | "red" | "green"; children: ComponentChildren }) => (
  <div class={`note-box ${tone}`}>
    <div>{children}</div>
  </div>
);

export const Empty = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class="empty">
    <svg class="rails" viewBox="0 0 132 34" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true">
      <path d="M0 27h132M22 27c22 0 26-18 48-18h62" />
      <path d="M104 9V2M104 27v-7" />
      <circle cx="104" cy="9" r="3" fill="currentColor" stroke="none" />
      <circle cx="104" cy="27" r="3" fill="currentColor" stroke="none" />
    </svg>
    <h2>{title}</h2>
    {children}
  </div>
);
