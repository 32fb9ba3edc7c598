/** Makes one executable that holds everything: program, workers, migrations, dashboard, encoder, sqlite-vec. */

import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BunPlugin } from "bun";
import { findTargetPackages } from "./find-target-packages.ts";
import { TARGETS, type Target } from "./targets.ts";

export const ROOT = join(import.meta.dir, "..");

/** Throws an AggregateError with the bundler's messages. Needs the package registry once for a target other than this machine. */
export const buildExecutable = async (target: Target, outfile: string): Promise<void> => {
  const packages = await findTargetPackages(TARGETS[target].vectorLibrary);
  // The source maps travel inside; the copies that the bundler leaves beside the file go with this folder.
  const workshop = join(dirname(outfile), `.build-${target}-${process.pid}`);
  mkdirSync(workshop, { recursive: true });
  const made = join(workshop, basename(outfile));
  try {
    await bundle(target, made, join(packages, TARGETS[target].vectorLibrary));
    renameSync(made, outfile);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
};

const bundle = (target: Target, outfile: string, vectorLibrary: string) =>
  Bun.build({
    entrypoints: entryPoints(),
    root: join(ROOT, "src"),
    target: "bun",
    format: "esm",
    minify: true,
    // What the program and its workers share is there once: 9 MB less of memory, a sixth less of the start.
    splitting: true,
    bytecode: true,
    sourcemap: "linked",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [embedVectorLibrary(vectorLibrary)],
    // A bunfig.toml in the folder where the program is started could otherwise run code in it.
    compile: { target: `bun-${target}`, outfile, autoloadBunfig: false, autoloadDotenv: true },
  });

/** A worker is found inside the executable only if it was an entry point; by its name, `*-worker.ts`, it is one. */
export const entryPoints = (): string[] =>
  ["src/main.ts", ...[...new Bun.Glob("src/**/*-worker.ts").scanSync(ROOT)].sort()].map((path) => join(ROOT, path));

/** Replaces the look-up in node_modules by the target's own file. */
const embedVectorLibrary = (library: string): BunPlugin => ({
  name: "embed-vector-library",
  setup(build) {
    build.onLoad({ filter: /[\\/]vec0-library\.ts$/ }, () => ({
      loader: "ts",
      contents: `import path from ${JSON.stringify(library)} with { type: "file" };\nexport default path;`,
    }));
  },
});
