/**
 * The only way to fetch a URL that a caller or an upstream has named (safety-notes T1, T2): https, public addresses only,
 * resolved once and connected to those very addresses, each redirect checked again, bounded in bytes and time.
 */

import { getServers, Resolver, setServers } from "node:dns";
import { isIP } from "node:net";
import { dns } from "bun";
import { type ApiError, invalidRequest } from "../api-error.ts";
import type { Platform } from "../platform.ts";
import { isPublicAddress } from "./public-address.ts";

type GuardedFetch = {
  maxBytes: number;
  timeoutMs: number;
  /** The request field that errors name. */
  param: string;
  signal?: AbortSignal;
  /** Sent to the first host only, even after redirects, because they may hold a key. */
  headers?: Record<string, string>;
  /** Hosts allowed for this fetch, because the operator configured the upstream that named the URL. */
  allowedHosts?: readonly string[];
};
type Fetched = { bytes: Uint8Array; mediaType: string };

const MOST_REDIRECTS = 3;
/** Of one host, so that a long list of addresses does not become as many connections. */
const MOST_ADDRESSES = 8;

/** The error's `code` if another attempt would fetch as much again. */
export const TOO_LARGE = "too_large";

/** Throws 400 `invalid_request` with `param` for a URL that may not be fetched or does not answer. */
export const fetchGuarded = async (platform: Platform, url: string, options: GuardedFetch): Promise<Fetched> => {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const allowedHosts = [...platform.config.allowedHosts, ...(options.allowedHosts ?? [])];
  let target = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const parsed = checkUrl(allowedHosts, target, options.param);
    const isFirstHost = parsed.origin === new URL(url).origin;
    const addresses = await resolve(allowedHosts, parsed, signal, options.param);
    const response = await request(parsed, addresses, signal, options, isFirstHost);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const location = response.headers.get("location");
      if (location === null || !URL.canParse(location, parsed.href)) throw refusal(options.param, "it redirects to nowhere");
      target = new URL(location, parsed).href;
      continue;
    }
    if (!response.ok) throw refusal(options.param, `it answered with status ${response.status}`);
    return { bytes: await bounded(response, options), mediaType: mediaTypeOf(response) };
  }
  throw refusal(options.param, `it redirects more than ${MOST_REDIRECTS} times`);
};

/** Checks scheme, user info, port and literal addresses before any DNS lookup. Throws as `fetchGuarded` does. */
export const checkUrl = (allowedHosts: readonly string[], url: string, param: string): URL => {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw refusal(param, "it is not an absolute URL");
  }
  const host = hostOf(parsed);
  const allowed = isAllowed(allowedHosts, parsed);
  if (parsed.protocol !== "https:" && !(allowed && parsed.protocol === "http:"))
    throw refusal(param, "only https: URLs are taken");
  if (parsed.username !== "" || parsed.password !== "") throw refusal(param, "it carries a user name or password");
  if (allowed) return parsed;
  if (parsed.port !== "") throw refusal(param, "only port 443 is taken");
  // A name without a dot belongs to the local network, such as a container's.
  if (!/[.:]/.test(host) || host.endsWith(".localhost") || host.endsWith(".local") || host.endsWith(".internal")) {
    throw refusal(param, "its host is not public");
  }
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusal(param, "its address is not public");
  return parsed;
};

/** An entry may name the host with its port or without, and an IPv6 address in brackets or without. */
const isAllowed = (allowedHosts: readonly string[], url: URL): boolean => {
  const name = url.hostname.replace(/\.$/, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return [hostOf(url), name, `${name}:${port}`].some((entry) => allowedHosts.includes(entry));
};

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/**
 * Name servers are asked over a socket. The runtime's default occupies one of its few threads for as long as a name server is silent; the
 * database's log is synced on the same threads, so two such names could delay every answer.
 */
const BY_SOCKET = { backend: "c-ares" } as const;

/** The runtime asks the name servers of the network it was started in; this machine may be in another by now. */
const followNetwork = (): void => {
  const current = new Resolver().getServers();
  if (current.join() !== getServers().join()) setServers(current);
};

const lookUp = (host: string, signal: AbortSignal): Promise<{ address: string }[]> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", reject, { once: true });
    followNetwork();
    dns
      .lookup(host, BY_SOCKET)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", reject));
  });

/** The host's addresses. IPv4 comes first, because many machines have no route for IPv6. */
const resolve = async (allowedHosts: readonly string[], url: URL, signal: AbortSignal, param: string): Promise<string[]> => {
  let addresses: string[];
  try {
    addresses = (await lookUp(hostOf(url), signal)).map(({ address }) => address).toSorted((a, b) => isIP(a) - isIP(b));
  } catch {
    throw refusal(param, signal.aborted ? "it did not answer in time" : "its host name is not known");
  }
  // One private address among several is enough to refuse; which one is used must not depend on chance.
  if (!isAllowed(allowedHosts, url) && !addresses.every(isPublicAddress)) throw refusal(param, "its address is not public");
  return addresses.slice(0, MOST_ADDRESSES);
};

/** Connects to one checked address after another until one answers; the certificate is still verified against the name. */
const request = async (
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  options: GuardedFetch,
  withHeaders: boolean,
): Promise<Response> => {
  const pinned = new URL(url);
  for (const address of addresses) {
    pinned.hostname = isIP(address) === 6 ? `[${address}]` : address;
    try {
      return await fetch(pinned.href, {
        redirect: "manual",
        signal,
        headers: { host: url.host, accept: "*/*", ...(withHeaders && options.headers) },
        tls: { serverName: hostOf(url) },
      } as RequestInit);
    } catch {
      if (signal.aborted) break;
    }
  }
  throw refusal(options.param, signal.aborted ? "it did not answer in time" : "it could not be reached");
};

const bounded = async (response: Response, options: GuardedFetch): Promise<Uint8Array> => {
  const tooLarge = () => refusal(options.param, `it is larger than ${options.maxBytes} bytes`, TOO_LARGE);
  if (Number(response.headers.get("content-length")) > options.maxBytes) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of response.body ?? []) {
      size += (piece as Uint8Array).byteLength;
      if (size > options.maxBytes) break;
      pieces.push(piece as Uint8Array);
    }
  } catch {
    throw refusal(options.param, "its answer broke off");
  }
  if (size > options.maxBytes) throw tooLarge();
  return Buffer.concat(pieces);
};

const mediaTypeOf = (response: Response): string =>
  (response.headers.get("content-type") ?? "application/octet-stream").split(";")[0]!.trim().toLowerCase();

const refusal = (param: string, why: string, code?: string): ApiError =>
  invalidRequest(`The URL in \`${param}\` was refused: ${why}.`, param, code);
