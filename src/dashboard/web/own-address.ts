/** Links to files have the server's public address; the page fetches them from its own origin instead. */

import { BASE_PATH } from "./base-path.ts";

export const ownAddress = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.startsWith(`${BASE_PATH}/v1/files/`) ? pathname + search : url;
};
