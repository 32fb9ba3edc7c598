/** Stands in for a power cut: the write-ahead log, not yet moved into the file, is cut or garbled at random places and opened again. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/database/database.ts";
import { randomFrom } from "../support/random.ts";

type TearOptions = { damage: "cut" | "garbled"; offsets: number; seed: number };
/** Of the damaged files: how many opened, passed `integrity_check`, and hold exactly the first rows that were written. */
type TearFigures = { opened: number; sound: number; prefixes: number };

/** Few enough that no checkpoint moves any of them into the file meanwhile. */
const ROWS = 40;
const GARBLED_BYTES = 64;

export const tearWal = async (folder: string, { damage, offsets, seed }: TearOptions): Promise<TearFigures> => {
  const random = randomFrom(seed).next;
  const { file, wal } = await writeRows(folder);
  const figures: TearFigures = { opened: 0, sound: 0, prefixes: 0 };
  const path = join(folder, "torn.db");
  for (let turn = 0; turn < offsets; turn++) {
    const at = Math.floor(random() * wal.length);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    writeFileSync(path, file);
    writeFileSync(`${path}-wal`, damage === "cut" ? wal.subarray(0, at) : garbled(wal, at, random));
    const db = await openDatabase(path);
    figures.opened++;
    if (db.get<{ integrity_check: string }>("PRAGMA integrity_check")!.integrity_check === "ok") figures.sound++;
    const names = db.all<{ name: string }>("SELECT name FROM settings ORDER BY name").map(({ name }) => name);
    if (names.every((name, index) => name === nameOf(index))) figures.prefixes++;
    await db.close();
  }
  return figures;
};

const nameOf = (index: number): string => `row-${String(index).padStart(4, "0")}`;

/** One commit a row; then file and log as they lie on the disk while the program runs. */
const writeRows = async (folder: string): Promise<{ file: Buffer; wal: Buffer }> => {
  const path = join(folder, "whole.db");
  // The schema is in the file before, so that only rows are at stake.
  await (await openDatabase(path)).close();
  const before = readFileSync(path);
  const db = await openDatabase(path);
  for (let index = 0; index < ROWS; index++) {
    await db.write((sql) =>
      sql.run("INSERT INTO settings (name, value, updated_at) VALUES (?, ?, 0)", nameOf(index), "x".repeat(1_500)),
    );
  }
  const lying = { file: readFileSync(path), wal: readFileSync(`${path}-wal`) };
  await db.close();
  if (Buffer.compare(before, lying.file) !== 0) throw new Error("The log was moved into the file; nothing is left to tear.");
  return lying;
};

const garbled = (wal: Buffer, at: number, random: () => number): Buffer => {
  const copy = Buffer.from(wal);
  for (let index = at; index < Math.min(copy.length, at + GARBLED_BYTES); index++) copy[index] = Math.floor(random() * 256);
  return copy;
};
