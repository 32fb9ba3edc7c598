/** Whose request it is: behind proxies that the operator trusts, the address that they report in place of their own. */

import { isIP } from "node:net";
import { inNetworks } from "./in-networks.ts";

/** `trusted`: addresses, and networks such as `10.0.0.0/8`. */
export const createClientAddress = (trusted: readonly string[]) => {
  const isProxy = inNetworks(trusted);
  /** `peer`: who opened the connection. */
  return (peer: string, request: Request): string => {
    // Each proxy appends whom it hears, so that what is left of a stranger's address is the stranger's word.
    let client = addressIn(peer);
    for (const hop of (request.headers.get("x-forwarded-for") ?? "").split(",").reverse()) {
      const before = addressIn(hop);
      if (isIP(before) === 0 || !isProxy(client)) break;
      client = before;
    }
    return client;
  };
};

/** Some proxies write the port, too; a socket for both families writes IPv4 as IPv6. */
const addressIn = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/^::ffff:(?=[\d.]+$)/i, "");
