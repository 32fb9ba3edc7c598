/** Domains that a search is limited to, or that it leaves out. */

import { invalidRequest } from "../api-error.ts";

export const MOST_DOMAINS = 50;

/**
 * Accepts whole URLs too, since people paste them. Anything that is not a host name is refused, with its place below `param`, before it can
 * become part of a query.
 */
export const readDomains = (list: readonly string[] | null | undefined, param: string): string[] => {
  const entries = list ?? [];
  if (entries.length > MOST_DOMAINS) throw invalidRequest(`\`${param}\` may name at most ${MOST_DOMAINS} domains.`, param);
  return entries.map((entry, index) => {
    const text = entry.trim().replace(/^\*?\./, "");
    const url = URL.parse(text.includes("://") ? text : `https://${text}`);
    const host = url?.hostname.replace(/\.$/, "");
    if (!host || !/^[a-z0-9.-]{1,253}$/.test(host))
      throw invalidRequest(`\`${param}.${index}\` is not a domain name.`, `${param}.${index}`);
    return host;
  });
};
