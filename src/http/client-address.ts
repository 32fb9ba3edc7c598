/** Whose request it is: behind proxies that the operator trusts, the address that they report in place of their own. */

import { BlockList, isIP } from "node:net";

/** `trusted`: addresses, and networks such as `10.0.0.0/8`. */
export const createClientAddress = (trusted: readonly string[]) => {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address = "", bits] = network.split("/");
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  /** `peer`: who opened the connection. */
  return (peer: string, request: Request): string => {
    // Each proxy appends whom it hears, so that what is left of a stranger's address is the stranger's word.
    let client = addressIn(peer);
    for (const hop of (request.headers.get("x-forwarded-for") ?? "").split(",").reverse()) {
      const before = addressIn(hop);
      if (isIP(before) === 0 || !proxies.check(client, familyOf(client))) break;
      client = before;
    }
    return client;
  };
};

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Some proxies write the port, too; a socket for both families writes IPv4 as IPv6. */
const addressIn = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/^::ffff:(?=[\d.]+$)/i, "");
