/** `signalbox openapi`: the document as the server would serve it, without a server. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../app.ts";
import type { Environment } from "../config/config.ts";
import { closePlatform, createPlatform } from "../create-platform.ts";
import { openApiDocument } from "../http/openapi.ts";
import { VERSION } from "../version.ts";
import { configFor, printJson, readWords } from "./command.ts";

export const printOpenApi = async (words: string[], _environment: Environment): Promise<number> => {
  readWords(words, {});
  const folder = mkdtempSync(join(tmpdir(), "signalbox-"));
  try {
    const platform = await createPlatform({ ...configFor({}, { db: join(folder, "empty.db") }), logLevel: "silent" });
    printJson(openApiDocument(createApp(platform).routes(), VERSION));
    await closePlatform(platform);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
};
