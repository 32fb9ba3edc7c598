/** The certificate and key with which the server itself speaks TLS, read from their files. */

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type Config, SettingError } from "./config/config.ts";

type Tls = NonNullable<Config["tls"]>;

/** As the runtime takes them, in PEM. Throws SettingError if one cannot be read, or the two do not belong together. */
export const readTls = ({ certificate, key }: Tls): { cert: string; key: string } => {
  const read = { cert: readPem("tls.certificate", certificate), key: readPem("tls.key", key) };
  const leaf = parsed("tls.certificate", certificate, () => new X509Certificate(read.cert));
  const secret = parsed("tls.key", key, () => createPrivateKey(read.key));
  if (!leaf.checkPrivateKey(secret))
    throw new SettingError(`tls.key is "${key}", which is not the key of the certificate in "${certificate}".`);
  // Whether the issuers' certificates behind it are whole shows only here; with half a chain no listener would start.
  parsed("tls.certificate", certificate, () => createSecureContext(read));
  return read;
};

/** Epoch milliseconds of the end of the certificate. */
export const certificateEndsAtMs = (tls: Tls): number => Date.parse(new X509Certificate(readTls(tls).cert).validTo);

const readPem = (setting: string, path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new SettingError(`${setting} is "${path}", which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};

const parsed = <T>(setting: string, path: string, parse: () => T): T => {
  try {
    return parse();
  } catch {
    throw new SettingError(`${setting} is "${path}"; it may be a file in PEM format, a key without a passphrase.`);
  }
};
