/** AES-256-GCM for secrets at rest. What a sealed value is for is bound into it, so that it cannot be moved to another place. */

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { leaveToOwner } from "./leave-to-owner.ts";
import { placeFile } from "./place-file.ts";

const NONCE_BYTES = 12;

/** From the operator's secret, or from a key file beside the database, made at first use with mode 0600. */
export const sealingKey = (secret: string | undefined, databasePath: string): Promise<CryptoKey> =>
  keyFrom(secret ?? readOrMakeKeyFile(keyFileOf(databasePath), databasePath));

/** For decrypting only. Creates no key file: a new one could decrypt nothing, and would hide that the right one is missing. */
export const unsealingKey = (secret: string | undefined, databasePath: string): Promise<CryptoKey> => {
  return keyFrom(secret ?? readKeyFile(keyFileOf(databasePath)));
};

export const keyFileOf = (databasePath: string): string => `${databasePath}.key`;

const newKeyFileOf = (databasePath: string): string => `${keyFileOf(databasePath)}.new`;

/** The key to change to: from a new secret, or from a file that is kept beside the old one until `takeNewKeyFile`. */
export const nextSealingKey = (secret: string | undefined, databasePath: string): Promise<CryptoKey> =>
  keyFrom(secret ?? readOrMakeKeyFile(newKeyFileOf(databasePath), databasePath));

/** Call it once everything is encrypted with the new key file, which then replaces the old one. */
export const takeNewKeyFile = (databasePath: string): void => renameSync(newKeyFileOf(databasePath), keyFileOf(databasePath));

const keyFrom = async (material: string): Promise<CryptoKey> => {
  const digest = await crypto.subtle.digest("SHA-256", Buffer.from(`signalbox seal 1:${material}`));
  return crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
};

/** Empty if there is none. */
const readKeyFile = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8").trim() : "");

/**
 * Created by the one process that serves or holds the database. An empty file counts as missing: nothing may be encrypted with a key that
 * everybody knows.
 */
const readOrMakeKeyFile = (path: string, databasePath: string): string => {
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  const fill = (partial: string): void => {
    writeFileSync(partial, random());
    leaveToOwner(partial, databasePath);
  };
  if (readKeyFile(path) === "") placeFile(path, fill);
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

/** Undefined if the secret differs or the value was changed. */
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
