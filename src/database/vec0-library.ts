/** The path of this machine's sqlite-vec library. The build replaces this module by one that embeds the target's file. */

import { createRequire } from "node:module";

const PACKAGES: Record<string, string> = {
  "linux-x64": "sqlite-vec-linux-x64/vec0.so",
  "linux-arm64": "sqlite-vec-linux-arm64/vec0.so",
  "darwin-arm64": "sqlite-vec-darwin-arm64/vec0.dylib",
  "darwin-x64": "sqlite-vec-darwin-x64/vec0.dylib",
  "win32-x64": "sqlite-vec-windows-x64/vec0.dll",
};

const find = (): string | null => {
  const file = PACKAGES[`${process.platform}-${process.arch}`];
  if (file === undefined) return null;
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return null;
  }
};

const libraryPath: string | null = find();
export default libraryPath;
