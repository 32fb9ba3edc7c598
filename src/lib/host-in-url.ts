/** How a host that is listened on is named in a URL. */

export const isEveryAddress = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Only on some systems can "every address" be asked as well, so loopback stands for it. */
export const hostInUrl = (host: string): string => {
  if (isEveryAddress(host)) return host === "::" ? "[::1]" : "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
};
