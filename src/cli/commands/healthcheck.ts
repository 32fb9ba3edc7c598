/** `signalbox healthcheck`: asks the running server whether it is ready; what a container's health check calls in place of curl. */

import { get } from "node:http";
import { get as getOverTls } from "node:https";
import { type Config, type Environment, readConfig } from "../../config/config.ts";
import { ownAddress } from "../../config/own-address.ts";
import { type Given, tell } from "../command.ts";

const TIMEOUT_MS = 3_000;

/** Exit code 0 while the server takes work, 1 otherwise (also while it drains). */
export const healthcheck = async (given: Given, environment: Environment): Promise<number> => {
  const config = readConfig(environment, given.values);
  const url = `${ownAddress(config)}/readyz`;
  const { ok, detail } = await askWhetherReady(config);
  tell(given, { url, ok, detail }, `${url}: ${detail}`);
  return ok ? 0 : 1;
};

/**
 * Not with `fetch`, which would use a proxy that the environment names. `isOurs`: whether it is a Signalbox that answers. Its certificate is
 * for the name that others know it by.
 */
export const askWhetherReady = ({ host, port, tls }: Config): Promise<{ ok: boolean; detail: string; isOurs: boolean }> =>
  new Promise((resolve) => {
    const asked = { host, port, path: "/readyz", timeout: TIMEOUT_MS, rejectUnauthorized: false };
    const request = (tls === undefined ? get : getOverTls)(asked, (response) => {
      response.resume();
      const ok = response.statusCode === 200;
      const isOurs = response.headers["x-svc-request-id"] !== undefined;
      resolve({ ok, detail: ok ? "ready" : `not ready (${response.statusCode})`, isOurs });
    });
    request.on("timeout", () => request.destroy(new Error("does not answer")));
    request.on("error", ({ message }) => resolve({ ok: false, detail: message, isOurs: false }));
  });
