/** Requests to the dashboard's own API, and through it to the public API for the chosen project and mode. */

import { BASE_PATH } from "./base-path.ts";
import { connected, session } from "./state.ts";

export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly param: string | null = null,
    readonly body: any = null,
  ) {
    super(message);
  }
}

export const asFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, "error", (error as Error).message);

export const API_ROOT = `${BASE_PATH}/dashboard/api`;

export const send = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> => {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(API_ROOT + path, {
      method,
      signal: signal ?? null,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      headers: body === undefined || isForm ? {} : { "content-type": "application/json" },
    });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    connected.value = false;
    throw new Failure(0, "network", "Signalbox cannot be reached. Is it still running? Your input is kept; try again.");
  }
  connected.value = true;
  if (!response.ok) throw await failureOf(response);
  return response;
};

const failureOf = async (response: Response): Promise<Failure> => {
  const body = await response.json().catch(() => null);
  const error = body?.error;
  // A policy's refusal has its details beside a plain error text (spec.md "Policy blocked").
  let message =
    (typeof error === "object" ? error?.message : body?.message) ?? `The server answered with status ${response.status}.`;
  if (response.status === 401 && error?.code === "signed_out" && session.value) {
    session.value = { ...session.value, signed_in: false };
    // Still true once the user has signed in again, over the page that shows it.
    message = "Your session had ended. Sign in and try again.";
  }
  return new Failure(response.status, error?.type ?? body?.code ?? "error", message, error?.param ?? null, body);
};

const read = async <T>(response: Response): Promise<T> => {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch {
    const message = "What came back is not Signalbox's. Is there a proxy in between that answers for it?";
    throw new Failure(response.status, "unreadable", message);
  }
};

export const call = async <T = any>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> =>
  read(await send(method, path, body, signal));
export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => call("GET", path, undefined, signal);
