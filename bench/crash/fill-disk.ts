/** The program on a small file system of its own (tmpfs) that is filled up under it and emptied again. */

import { Database } from "bun:sqlite";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchFolder, startBox } from "../start-box.ts";

type FullDiskFigures = { answered: number; refused: number; others: number; missing: number; recovered: boolean };

const CALLS_WHILE_FULL = 300;

export const fillDisk = async (): Promise<FullDiskFigures | "unavailable"> => {
  const disk = join(benchFolder(), "disk");
  mkdirSync(disk);
  if (Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=24m", "none", disk], { stderr: "ignore" }).exitCode !== 0)
    return "unavailable";
  const path = join(disk, "full.db");
  const box = await startBox(path, { LOG_LEVEL: "silent" });
  const body = JSON.stringify({
    messages: [{ role: "user", content: `Which trains were late? ${"The 8:15 stood at the signal. ".repeat(40)}` }],
  });
  const ask = async () => {
    const response = await fetch(`${box.url}/v1/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${box.testKey}`, "content-type": "application/json" },
      body,
    });
    await response.text();
    return { status: response.status, id: response.headers.get("x-svc-request-id")! };
  };
  const promised: string[] = [];
  const figures: FullDiskFigures = { answered: 0, refused: 0, others: 0, missing: 0, recovered: false };
  const note = ({ status, id }: { status: number; id: string }) => {
    if (status === 200) promised.push(id);
    if (status === 200) figures.answered++;
    else if (status === 503) figures.refused++;
    else figures.others++;
  };
  try {
    for (let asked = 0; asked < 20; asked++) note(await ask());
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, "filler"), new Uint8Array(Math.max(0, bavail * bsize - 64 * 1024)));
    for (let asked = 0; asked < CALLS_WHILE_FULL; asked++) note(await ask());
    rmSync(join(disk, "filler"));
    const after = await ask();
    note(after);
    figures.recovered = after.status === 200;
    await box.end("SIGTERM");
    const database = new Database(path, { readonly: true });
    for (const id of promised) if (database.query("SELECT 1 FROM calls WHERE id = ?").get(id) === null) figures.missing++;
    database.close();
  } finally {
    await box.end("SIGKILL");
    Bun.spawnSync(["umount", disk]);
  }
  return figures;
};
