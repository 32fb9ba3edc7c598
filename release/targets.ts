/** The machines an executable is made for, and what differs between them. */

export type Target = "linux-x64" | "linux-arm64" | "darwin-arm64" | "windows-x64";

/** macOS on x64 is missing: the cross-built file's code signature is invalid. */
export const TARGETS: Record<Target, { vectorLibrary: string; suffix: string }> = {
  "linux-x64": { vectorLibrary: "sqlite-vec-linux-x64/vec0.so", suffix: "" },
  "linux-arm64": { vectorLibrary: "sqlite-vec-linux-arm64/vec0.so", suffix: "" },
  "darwin-arm64": { vectorLibrary: "sqlite-vec-darwin-arm64/vec0.dylib", suffix: "" },
  "windows-x64": { vectorLibrary: "sqlite-vec-windows-x64/vec0.dll", suffix: ".exe" },
};

export const isTarget = (name: string): name is Target => name in TARGETS;

/** Throws where no executable is made for the machine this runs on. */
export const thisTarget = (): Target => {
  const name = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  if (!isTarget(name)) throw new Error(`There is no executable for ${name}; there are ${Object.keys(TARGETS).join(", ")}.`);
  return name;
};
