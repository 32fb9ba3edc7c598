/** Whether an IP address is publicly routable: all special-purpose ranges are not (RFC 6890 and its successors). */

import { isIP } from "node:net";
import { inNetworks } from "./in-networks.ts";

// biome-ignore format: a list
const isSpecialV4 = inNetworks([
  "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
  "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
]);

/** Of IPv6 only this is allocated; within it, forms that embed an IPv4 address or lead back are refused. */
const isGlobalV6 = inNetworks(["2000::/3"]);
const isSpecialV6 = inNetworks(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return !isSpecialV4(address);
  return version === 6 && isGlobalV6(address) && !isSpecialV6(address);
};
