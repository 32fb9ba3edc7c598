/** Life under a path of another site (`public_url: https://example.com/ai`). */

import type { Config } from "../config/config.ts";
import { pathOf } from "./exchange.ts";

/** `/ai` for that `public_url`; empty if the server has a host name of its own. */
export const basePathOf = ({ publicUrl }: Pick<Config, "publicUrl">): string =>
  publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/+$/, "");

/** Whoever sets a base path like this one has a proxy that takes it away: it could not be told from our own paths. */
const OUR_OWN = /^\/(v1|dashboard)(\/|$)/;

/** Proxies take the base path away or leave it; afterwards nobody has to know which. */
export const takeBasePathAway = (request: Request, basePath: string): void => {
  const path = pathOf(request.url);
  if ((path !== basePath && !path.startsWith(`${basePath}/`)) || OUR_OWN.test(basePath)) return;
  const at = request.url.indexOf(path, request.url.startsWith("/") ? 0 : request.url.indexOf("//") + 2);
  const rest = request.url.slice(at + basePath.length);
  const value = request.url.slice(0, at) + (rest.startsWith("/") ? rest : `/${rest}`);
  Object.defineProperty(request, "url", { value, configurable: true });
};
