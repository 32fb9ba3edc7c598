/** The address by which callers reach this server, for absolute links. A `Host` header that anybody could have chosen is not trusted. */

import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { ownAddress } from "../config/own-address.ts";

/**
 * `public_url` if it is set. Otherwise the request's own host, if that can only be this machine or its network; a public name needs
 * `public_url` (or `allowed_hosts`), and until then links have the configured address.
 */
export const originOf = (config: Config, request: Request): string => {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const scheme = request.headers.get("x-forwarded-proto") === "https" || request.url.startsWith("https:") ? "https" : "http";
  const host = namedHost(request);
  if (host !== undefined && isOwn(config, host)) return `${scheme}://${host}`;
  return ownAddress(config);
};

/** False if the request's host could be anybody's: a web page whose name was pointed at this machine can send requests from it, too. */
export const namesOwnHost = (config: Config, request: Request): boolean => {
  const host = namedHost(request);
  return host === undefined || isOwn(config, host);
};

const namedHost = (request: Request): string | undefined =>
  request.headers.get("host")?.toLowerCase() ?? (URL.canParse(request.url) ? new URL(request.url).host : undefined);

const OWN_SUFFIXES = [".localhost", ".local", ".lan", ".internal", ".home.arpa"];

const isOwn = (config: Config, host: string): boolean => {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(host);
  if (!match) return false;
  const name = match[1]!.replace(/^\[|\]$/g, "");
  if (isIP(name) !== 0 || !name.includes(".") || name === config.host) return true;
  return config.allowedHosts.includes(name) || OWN_SUFFIXES.some((suffix) => name.endsWith(suffix));
};
