/**
 * Slows down password guessing: after five wrong ones, each further attempt from the same address waits longer, up to a minute. Whoever has
 * signed in is forgiven what was tried under that name, and nothing else: a member could otherwise guess at the others without end.
 */

import { ApiError } from "../../api-error.ts";
import { type Clock, steadyClock } from "../../lib/clock.ts";

const FREE_TRIES = 5;
const LONGEST_WAIT_MS = 60_000;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const MOST_ADDRESSES = 10_000;

/** Further attempts are not waited for any longer. */
const MOST_TRIES = 20;

/** `name`: whose password it is; null for the operator's, and for links. */
type LoginThrottle = {
  /** Counts an attempt before its password is checked, so that simultaneous ones count too. Throws 429. */
  begin(ip: string | null, name: string | null): void;
  succeeded(ip: string | null, name: string | null): void;
};

export const createLoginThrottle = (wall: Clock): LoginThrottle => {
  const clock = steadyClock(wall);
  const tries = new Map<string, { names: readonly string[]; atMs: number }>();
  return {
    begin: (ip, name) => {
      const now = clock.now();
      for (const [address, { atMs }] of tries) if (now - atMs >= FORGOTTEN_AFTER_MS) tries.delete(address);
      const network = networkOf(ip);
      const known = tries.get(network);
      const waitMs = known === undefined ? 0 : known.atMs + pauseAfter(known.names.length) - now;
      if (waitMs > 0 || (known === undefined && tries.size >= MOST_ADDRESSES)) throw tooManyTries(Math.max(waitMs, 1_000));
      tries.set(network, { names: [...(known?.names ?? []), keyOf(name)].slice(-MOST_TRIES), atMs: now });
    },
    succeeded: (ip, name) => {
      const network = networkOf(ip);
      const known = tries.get(network);
      const others = known?.names.filter((other) => other !== keyOf(name)) ?? [];
      if (known === undefined || others.length === 0) tries.delete(network);
      else tries.set(network, { ...known, names: others });
    },
  };
};

/** Case does not matter in names. */
const keyOf = (name: string | null): string => name?.toLowerCase() ?? "";

/** For IPv6 the network (the first 64 bits), because whoever has one address in it has all of them. */
const networkOf = (ip: string | null): string => {
  if (ip === null || !ip.includes(":") || ip.includes(".")) return ip ?? "";
  const [head = "", tail] = ip.split("::");
  const [before, after] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [string[], string[]];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...after].slice(0, 4).join(":");
};

const pauseAfter = (count: number): number =>
  count < FREE_TRIES ? 0 : Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (count - FREE_TRIES));

const tooManyTries = (waitMs: number): ApiError => {
  const seconds = Math.ceil(waitMs / 1_000);
  return new ApiError("rate_limit_exceeded", `Too many wrong passwords. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
};
