/** Everything that travels in the executable and was made by others: asked of the bundler, not of the dependency list. */

import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import lock from "../bun.lock";
import { entryPoints, ROOT } from "./build-executable.ts";

export type Part = { name: string; version: string; licence: string; text: string; url: string; npm?: true; sha512?: string };

const licenceFile = (name: string): string => readFileSync(join(import.meta.dir, "licences", name), "utf8");
const apache = (): string => readFileSync(join(ROOT, "LICENSE"), "utf8");

/** Sorted by name. */
export const listParts = async (): Promise<Part[]> =>
  [...(await bundledPackages()).map(packagePart), ...otherParts()].sort((a, b) => a.name.localeCompare(b.name));

const bundledPackages = async (): Promise<string[]> => {
  const { metafile } = await Bun.build({ entrypoints: entryPoints(), target: "bun", metafile: true });
  const names = Object.keys(metafile!.inputs).map((path) =>
    /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1]?.replace("\\", "/"),
  );
  return [...new Set([...names.filter((name) => name !== undefined), "sqlite-vec"])];
};

const packagePart = (name: string): Part => {
  const folder = join(ROOT, "node_modules", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const integrity = lock.packages[name]?.at(-1) as string | undefined;
  return {
    name,
    version: manifest.version,
    licence: spdx(manifest.license),
    text:
      file === undefined ? `${manifest.license}; the package carries no text of it.` : readFileSync(join(folder, file), "utf8"),
    url: `https://www.npmjs.com/package/${name}/v/${manifest.version}`,
    npm: true,
    ...(integrity?.startsWith("sha512-") && { sha512: Buffer.from(integrity.slice(7), "base64").toString("hex") }),
  };
};

const spdx = (declared: string): string => declared.replace(/\bApache\b(?!-)/, "Apache-2.0");

/** Parts that no package manifest lists. */
const otherParts = (): Part[] => [
  {
    name: "bun",
    version: Bun.version,
    licence: "MIT AND LGPL-2.1-only",
    text: licenceFile("bun.txt"),
    url: "https://bun.com",
  },
  {
    name: "sqlite",
    version: sqliteVersion(),
    licence: "blessing",
    text: "SQLite is in the public domain: https://sqlite.org/copyright.html (inside Bun; macOS brings its own).",
    url: "https://sqlite.org",
  },
  {
    name: "pdf.js",
    version: "6.1",
    licence: "Apache-2.0",
    text: `Copyright Mozilla Foundation; bundled by unpdf.\n\n${apache()}`,
    url: "https://mozilla.github.io/pdf.js/",
  },
  {
    name: "adobe-cmap-resources",
    version: "2009",
    licence: "BSD-3-Clause",
    text: licenceFile("adobe-cmaps.txt"),
    url: "https://github.com/adobe-type-tools/cmap-resources",
  },
  {
    name: "all-MiniLM-L6-v2",
    version: "1",
    licence: "Apache-2.0",
    text: `${readFileSync(join(ROOT, "src/encoder/LICENSE-encoder.md"), "utf8")}\n\n${apache()}`,
    url: "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
  },
];

const sqliteVersion = (): string =>
  (new Database(":memory:").query("SELECT sqlite_version() AS version").get() as { version: string }).version;
