/** Where callers reach this server, for the absolute links it hands out (files). A `Host` that could be anybody's is not believed. */

import { isIP } from "node:net";
import type { Config } from "../config/config.ts";

/**
 * `public_url` decides where it is set. Otherwise the request's own host, where it can only mean this machine or its own network;
 * a public name needs `public_url` (or `allowed_hosts`), and until then links carry the configured address.
 */
export const originOf = (config: Config, request: Request): string => {
  if (config.publicUrl !== undefined) return config.publicUrl.replace(/\/+$/, "");
  const scheme = request.headers.get("x-forwarded-proto") === "https" || request.url.startsWith("https:") ? "https" : "http";
  const host = request.headers.get("host")?.toLowerCase() ?? hostOf(request.url);
  if (host !== undefined && isOwn(config, host)) return `${scheme}://${host}`;
  const own = config.host === "0.0.0.0" || config.host === "::" ? "127.0.0.1" : config.host;
  return `http://${own.includes(":") ? `[${own}]` : own}:${config.port}`;
};

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

const OWN_SUFFIXES = [".localhost", ".local", ".lan", ".internal", ".home.arpa"];

const isOwn = (config: Config, host: string): boolean => {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(host);
  if (!match) return false;
  const name = match[1]!.replace(/^\[|\]$/g, "");
  if (isIP(name) !== 0 || !name.includes(".") || name === config.host) return true;
  return config.allowedHosts.includes(name) || OWN_SUFFIXES.some((suffix) => name.endsWith(suffix));
};
