/** AES-256-GCM for secrets at rest. What a sealed value is for is bound into it, so that it cannot be moved to another place. */

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { placeFile } from "./place-file.ts";

const NONCE_BYTES = 12;

/** From the operator's secret, or from a key file beside the database, made at first use with mode 0600. */
export const sealingKey = (secret: string | undefined, databasePath: string): Promise<CryptoKey> =>
  keyFrom(secret ?? readOrMakeKeyFile(keyFileOf(databasePath)));

/** To open what was sealed before. Makes no key file: a new one would open nothing, and pass for the one that is missing. */
export const unsealingKey = (secret: string | undefined, databasePath: string): Promise<CryptoKey> => {
  return keyFrom(secret ?? readKeyFile(keyFileOf(databasePath)));
};

export const keyFileOf = (databasePath: string): string => `${databasePath}.key`;

const newKeyFileOf = (databasePath: string): string => `${keyFileOf(databasePath)}.new`;

/** The key to change to: of a new secret, or of a file that waits beside the old one until `takeNewKeyFile`. */
export const nextSealingKey = (secret: string | undefined, databasePath: string): Promise<CryptoKey> =>
  keyFrom(secret ?? readOrMakeKeyFile(newKeyFileOf(databasePath)));

/** What was sealed is sealed under the new file: it takes the old one's place. */
export const takeNewKeyFile = (databasePath: string): void => renameSync(newKeyFileOf(databasePath), keyFileOf(databasePath));

const keyFrom = async (material: string): Promise<CryptoKey> => {
  const digest = await crypto.subtle.digest("SHA-256", Buffer.from(`signalbox seal 1:${material}`));
  return crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
};

/** Empty where there is none. */
const readKeyFile = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8").trim() : "");

/** Made by the one process that serves the database, or holds it. An empty file is none: nothing may be sealed with what everybody knows. */
const readOrMakeKeyFile = (path: string): string => {
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  if (readKeyFile(path) === "") placeFile(path, (partial) => writeFileSync(partial, random()));
  return readKeyFile(path);
};

export const seal = async (key: CryptoKey, text: string, purpose: string): Promise<string> => {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce, additionalData: Buffer.from(purpose) },
    key,
    Buffer.from(text),
  );
  return Buffer.concat([nonce, new Uint8Array(sealed)]).toString("base64");
};

/** Undefined when the secret is another one or the value was changed. */
export const openSeal = async (key: CryptoKey, sealed: string, purpose: string): Promise<string | undefined> => {
  const bytes = Buffer.from(sealed, "base64");
  try {
    const opened = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: bytes.subarray(0, NONCE_BYTES), additionalData: Buffer.from(purpose) },
      key,
      bytes.subarray(NONCE_BYTES),
    );
    return Buffer.from(opened).toString("utf8");
  } catch {
    return undefined;
  }
};
