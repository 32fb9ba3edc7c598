/** Where the server is: under a path of another site if its `public_url` says so. */

/** Empty, or like `/ai`. */
export const BASE_PATH = document.documentElement.dataset["basePath"] ?? "";
/** What callers put before `/v1`. */
export const ADDRESS = location.origin + BASE_PATH;
