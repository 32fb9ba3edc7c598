/** The form of a listening address in a URL. */

export const isEveryAddress = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** "Every address" can be connected to on some systems only, so loopback stands for it. */
export const hostInUrl = (host: string): string => {
  if (isEveryAddress(host)) return host === "::" ? "[::1]" : "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
};
