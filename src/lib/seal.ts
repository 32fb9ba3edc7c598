/** AES-256-GCM for secrets at rest. What a sealed value is for is bound into it, so that it cannot be moved to another place. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";

const NONCE_BYTES = 12;

/** From the operator's secret, or from a key file beside the database, made at first use with mode 0600. */
export const sealingKey = async (secret: string | undefined, databasePath: string): Promise<CryptoKey> => {
  const material = secret ?? readKeyFile(`${databasePath}.key`);
  const digest = await crypto.subtle.digest("SHA-256", Buffer.from(`signalbox seal 1:${material}`));
  return crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
};

const readKeyFile = (path: string): string => {
  if (!existsSync(path)) {
    try {
      writeFileSync(path, Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64"), {
        mode: 0o600,
        flag: "wx",
      });
    } catch (error) {
      // Another process of ours was first; its key is the one to use.
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
  }
  return readFileSync(path, "utf8").trim();
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

/** Throws an Error for the operator when the secret is another one or the value was changed. */
export const openSeal = async (key: CryptoKey, sealed: string, purpose: string): Promise<string> => {
  const bytes = Buffer.from(sealed, "base64");
  try {
    const opened = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: bytes.subarray(0, NONCE_BYTES), additionalData: Buffer.from(purpose) },
      key,
      bytes.subarray(NONCE_BYTES),
    );
    return Buffer.from(opened).toString("utf8");
  } catch {
    throw new Error(
      `A stored secret (${purpose}) cannot be read: SIGNALBOX_SECRET or the key file is not the one it was sealed with.`,
    );
  }
};
