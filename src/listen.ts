/** Listens on the configured address, with TLS if there is a certificate; a new certificate is taken without a restart. */

import { isIP } from "node:net";
import type { Serve, Server } from "bun";
import { type Config, SettingError } from "./config/config.ts";
import { watchFiles } from "./lib/watch-files.ts";
import type { Platform } from "./platform.ts";
import { describeError } from "./process-log.ts";
import { readTls } from "./tls-files.ts";

const RETRY_MS = 500;

export type Listener = {
  port: number;
  /** Requests that are not answered to the end. */
  pending(): number;
  /** Ends all connections. */
  stop(): Promise<void>;
};

/** What is done with requests. */
export type Answering = Required<Pick<Serve.Options<undefined>, "error" | "maxRequestBodySize" | "idleTimeout">> & {
  fetch: (request: Request, server: Server<undefined>) => Promise<Response>;
};

/** Throws a SettingError if the address or the certificate cannot be used. */
export const listen = (platform: Platform, answering: Answering): Listener => {
  const { config } = platform;
  const { tls } = config;
  const serve = (onPort: number, pem = tls && readTls(tls)) =>
    Bun.serve({
      hostname: config.host,
      port: onPort,
      development: false,
      // Outside development mode the runtime would silently share the port with another program.
      reusePort: false,
      ...(pem && { tls: pem }),
      ...answering,
    });
  let current = started(config, () => serve(config.port));
  const port = current.port!;
  /** Those that answer what they had begun when a new certificate came. */
  const leaving = new Set<Server<undefined>>();
  let retry: Timer | undefined;

  /** The address is free as soon as the old server is told to stop, which then answers what it has begun. */
  const renew = (pem: ReturnType<typeof readTls>): void => {
    clearTimeout(retry);
    const old = current;
    leaving.add(old);
    void old.stop().finally(() => leaving.delete(old));
    replace(pem);
  };
  /** Tries until it can: another program may have taken the address, and nobody is answered meanwhile. */
  const replace = (pem: ReturnType<typeof readTls>): void => {
    try {
      current = serve(port, pem);
      platform.log.info("The certificate is renewed");
    } catch (error) {
      platform.log.error("The server cannot listen with the new certificate, and tries again", describeError(error));
      retry = setTimeout(() => replace(pem), RETRY_MS);
    }
  };
  const unwatch =
    tls &&
    watchFiles([tls.certificate, tls.key], () => {
      const pem = readOrTell(platform, tls);
      if (pem !== undefined) renew(pem);
    });

  const all = () => [current, ...leaving];
  return {
    port,
    pending: () => all().reduce((sum, server) => sum + server.pendingRequests, 0),
    stop: async () => {
      unwatch?.();
      clearTimeout(retry);
      await Promise.all(all().map((server) => server.stop(true)));
    },
  };
};

/** Undefined if the files cannot be used, as while they are being replaced. */
const readOrTell = ({ log }: Platform, files: Parameters<typeof readTls>[0]): ReturnType<typeof readTls> | undefined => {
  try {
    return readTls(files);
  } catch (error) {
    log.error("The certificate cannot be used; the one before stays", { detail: (error as Error).message });
    return undefined;
  }
};

const started = ({ host, port }: Config, start: () => Server<undefined>): Server<undefined> => {
  try {
    return start();
  } catch (error) {
    throw explainAddress(error, host, port);
  }
};

/** Explains why the address could not be used: a SettingError if the system says so, else the error itself. */
export const explainAddress = (error: unknown, host: string, port: number): unknown => {
  if (error instanceof SettingError) return error;
  const { code } = error as { code?: string };
  if (code === "EADDRINUSE")
    return new SettingError(`PORT is ${port}, which another program on ${host} already uses. Choose another with --port.`);
  if (code === "EACCES") return new SettingError(`PORT is ${port}, on which this user may not listen; it may be 1024 to 65535.`);
  // For a host name that cannot be resolved the runtime reports whatever error the system had last.
  if (isIP(host) === 0 || code === "EADDRNOTAVAIL" || code === "EINVAL")
    return new SettingError(
      `HOST is "${host}", which is not an address of this machine; it may be 127.0.0.1, or 0.0.0.0 for all.`,
    );
  return error;
};
