/** Holds the arrows of the house (src/README.md): who may import whom, who may touch the outside, how long a file may grow. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "../src");
const files = [...new Glob("**/*.{ts,tsx}").scanSync(ROOT)].filter((file) => !file.endsWith(".d.ts")).sort();
const text = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));

type Import = { from: string; to: string; typeOnly: boolean };
/** Also those that are made when they are needed: `await import("./x.ts")`. */
const IMPORT = /(?:^(?:import|export)\s+(type\s+)?[^;'"]*?from\s+|^import\s+|\bimport\()"(\.[^"]+)"/gm;
const imports: Import[] = files.flatMap((from) =>
  [...text.get(from)!.matchAll(IMPORT)].map(([, type, path]) => ({
    from,
    to: normalize(join(dirname(from), path!)),
    typeOnly: type !== undefined,
  })),
);
const room = (file: string): string => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "house");

/** From the ground up: a room stands on those below its floor. What a file of `src` itself may do stands in `FOR_ALL`. */
const FLOORS = [
  ["lib"],
  ["config", "encoder"],
  ["catalog", "database"],
  ["background", "limits"],
  ["history"],
  ["accounts"],
  ["http"],
  ["providers"],
  ["router", "telemetry"],
];
const floorOf = (name: string): number => FLOORS.findIndex((rooms) => rooms.includes(name));
/** Features that every feature may call: to record a call, to have something reviewed, to keep what was made, to frame a call that has one prompt. */
const SHARED = ["logs", "policies", "files", "media"];
/** Who may call which room besides. */
const MAY_CALL: Record<string, string[]> = {
  chat: ["documents", "memory", "schemas", "images", "video", "audio"],
  compat: ["chat", "embeddings", "search"],
  route: ["chat"],
  /** Its pictures are read as those of messages. */
  moderations: ["chat"],
  /** Its tools try a schema. */
  dashboard: ["schemas"],
  /** What a call's failure was, for what is learned from it. */
  router: ["logs"],
  /** Forgetting a user reaches what came of the calls. */
  logs: ["memory"],
};
/** Of the files of `src` itself, those that any room may use; the others put the program together. */
const FOR_ALL = ["api-error.ts", "process-log.ts", "version.ts"];
const mayUseHouse = (from: string, to: string): boolean =>
  FOR_ALL.includes(to) ||
  room(from) === "cli" ||
  // A provider that is changed there takes effect at once; a deleted project leaves every room.
  (room(from) === "dashboard" && ["watch-settings.ts", "delete-project.ts", "take-backups.ts"].includes(to));

const mayImport = (from: string, to: string): boolean => {
  const [a, b] = [room(from), room(to)];
  if (a === b || a === "house") return true;
  if (b === "house") return mayUseHouse(from, to);
  if (a === "cli" || b === "cli") return a === "cli";
  if (MAY_CALL[a]?.includes(b)) return true;
  if (floorOf(a) >= 0) return floorOf(b) >= 0 && floorOf(b) < floorOf(a);
  return floorOf(b) >= 0 || SHARED.includes(b);
};

/** Rooms whose records are spoken of from below, by their types alone: whom a limit holds for, the calls that traces tell of. */
const MAY_NAME: Record<string, string[]> = { limits: ["accounts"], telemetry: ["logs"] };
const mayName = (from: string, to: string): boolean =>
  to === "platform.ts" || from.startsWith("dashboard/web/") || MAY_NAME[room(from)]?.includes(room(to)) || mayImport(from, to);

/** Shapes that a room speaks besides its own: bodies that are the same under another path. */
const READS_SHAPES_OF: Record<string, string[]> = {
  compat: ["chat/wire.ts", "embeddings/wire.ts"],
  route: ["chat/wire.ts"],
  cli: ["chat/wire.ts"],
};
const isPrivate = (file: string): boolean => /[/-](store|routes|wire)\.ts$/.test(file);

test("each import stays within the arrows of src/README.md", () => {
  const wrong = imports.filter(({ from, to, typeOnly }) => !(typeOnly ? mayName(from, to) : mayImport(from, to)));
  expect(
    wrong.map(
      ({ from, to }) =>
        `${from} → ${to}: ask the feature's exported verb through a room that may, or move what is shared to lib/`,
    ),
  ).toEqual([]);
});

test("a feature's store, routes and wire are its own", () => {
  const wrong = imports.filter(
    ({ from, to, typeOnly }) =>
      !typeOnly &&
      isPrivate(to) &&
      floorOf(room(to)) < 0 &&
      room(from) !== room(to) &&
      room(from) !== "house" &&
      !READS_SHAPES_OF[room(from)]?.includes(to),
  );
  expect(wrong.map(({ from, to }) => `${from} → ${to}: export a verb from ${room(to)}/ instead`)).toEqual([]);
});

test("what is allowed besides is made use of", () => {
  const isMade = (from: string, isTarget: (to: string) => boolean): boolean =>
    imports.some((made) => room(made.from) === from && isTarget(made.to));
  const pairs = (allowed: Record<string, string[]>) =>
    Object.entries(allowed).flatMap(([a, all]) => all.map((b) => [a, b] as const));
  const unused = [
    ...[...pairs(MAY_CALL), ...pairs(MAY_NAME)].filter(([a, b]) => !isMade(a, (to) => room(to) === b)),
    ...pairs(READS_SHAPES_OF).filter(([a, file]) => !isMade(a, (to) => to === file)),
  ];
  expect(unused.map(([a, b]) => `${a} → ${b}: nobody needs the exception any more`)).toEqual([]);
});

test("lib holds what at least two files use", () => {
  const lent = files.filter((file) => /^lib\/[^/]+$/.test(file));
  const users = (file: string) => new Set(imports.filter(({ to }) => to === file).map(({ from }) => from)).size;
  expect(lent.filter((file) => users(file) < 2).map((file) => `${file}: belongs to the one that uses it`)).toEqual([]);
});

test("the dashboard's pages take nothing but types from the server", () => {
  const wrong = imports.filter(
    ({ from, to, typeOnly }) => from.startsWith("dashboard/web/") && !to.startsWith("dashboard/web/") && !typeOnly,
  );
  expect(wrong.map(({ from, to }) => `${from} → ${to}: it would be bundled for the browser`)).toEqual([]);
});

/** Types count: what two files of a circle say can only be understood together. */
test("no file imports itself in a circle", () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  expect(circles.map((circle) => `${circle}: what both need has a file of its own, or belongs to the one below`)).toEqual([]);
});

/** Each with the reason it may. */
const ENVIRONMENT_ELSEWHERE = [
  "dashboard/assets.ts", // NODE_ENV, which the build settles
  "dashboard/web/snippets.ts", // the text of an example for the reader
  "main.ts", // hands it to config
];

test("only config reads the environment", () => {
  const elsewhere = files.filter((file) => room(file) !== "config" && /process\.env|Bun\.env/.test(text.get(file)!));
  expect(elsewhere).toEqual(ENVIRONMENT_ELSEWHERE);
});

const FETCH_ELSEWHERE = [
  "cli/commands/demo-data.ts", // speaks to the server it fills, as any client would
];

test("only providers, the outbound guard and the telemetry exporter reach outside", () => {
  const elsewhere = files.filter(
    (file) =>
      !["providers", "telemetry"].includes(room(file)) &&
      file !== "http/outbound-guard.ts" &&
      !file.startsWith("dashboard/web/") &&
      /(?<![.\w])fetch\(|\bBun\.connect\b/.test(text.get(file)!.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")),
  );
  expect(elsewhere).toEqual(FETCH_ELSEWHERE);
});

test("SQL stands in stores and the database's own folder", () => {
  const sql = /"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) |`\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH) /;
  const elsewhere = files.filter(
    (file) =>
      !/(?:^|[/-])(?:store|rollup)[^/]*\.ts$|-store\.ts$|^database\/|^documents\/index\//.test(file) && sql.test(text.get(file)!),
  );
  expect(elsewhere).toEqual(SQL_ELSEWHERE);
});

/** Each with the reason it may. */
const SQL_ELSEWHERE = [
  "cli/commands/backup.ts", // looks into a file that is not ours yet
  "cli/commands/doctor.ts",
  "providers/sandbox/chat/write-code.ts", // SQL as an answer
];

test("files stay short enough to be read", () => {
  const tables = /^catalog\//;
  const long = files.filter((file) => !tables.test(file) && text.get(file)!.split("\n").length > 350);
  expect(long.map((file) => `${file}: is there a second idea in it?`)).toEqual([]);
});

test("every file says in its first lines what it is for", () => {
  const silent = files.filter((file) => !/^(?:\/\*\*|\/\/|#!)/.test(text.get(file)!.trimStart()));
  expect(silent).toEqual([]);
});

test("the lock file names no registry", () => {
  expect(readFileSync(join(ROOT, "../bun.lock"), "utf8")).not.toContain("://");
});
