/** Links to files carry the server's public address; this page fetches them from where it came from itself. */
export const ownAddress = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.startsWith("/v1/files/") ? pathname + search : url;
};
