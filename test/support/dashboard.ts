/** A signed-in operator who speaks to the dashboard's API as its pages do (over plain http, where browsers send `Origin` alone). */

import type { Gateway } from "./gateway.ts";

export const PASSWORD = "correct horse battery";

export type Operator = {
  cookie: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
};

export const operatorOf = (gateway: Gateway, cookie: string): Operator => ({
  cookie,
  send: (method, path, body, headers = {}) =>
    fetch(`${gateway.url}/dashboard/api${path}`, {
      method,
      headers: {
        cookie,
        origin: gateway.url,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
});

export const signIn = async (gateway: Gateway, password = PASSWORD): Promise<{ response: Response; operator: Operator }> => {
  const response = await operatorOf(gateway, "").send("POST", "/login", { password });
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { response, operator: operatorOf(gateway, cookie) };
};
