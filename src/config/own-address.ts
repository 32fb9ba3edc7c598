/** The server's address on its own machine. */

import { hostInUrl } from "../lib/host-in-url.ts";
import type { Config } from "./config.ts";

export const ownAddress = ({ host, port, tls }: Pick<Config, "host" | "port" | "tls">): string =>
  `${tls === undefined ? "http" : "https"}://${hostInUrl(host)}:${port}`;
