/**
 * Packs the predefined CMaps of pdf.js into `src/documents/extract/cmaps.bin`, the one file that travels in the executable.
 * Run by hand when pdf.js changes: `bun run release/pack-cmaps.ts <pdfjs-dist>/cmaps`.
 * Layout after gunzip: a 4-byte little-endian length, that many bytes of JSON `{name: [offset, length]}`, then the maps.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
if (folder === undefined) throw new Error("Name the folder that holds the .bcmap files.");

const names = readdirSync(folder)
  .filter((name) => name.endsWith(".bcmap"))
  .sort();
const index: Record<string, [number, number]> = {};
const parts: Uint8Array[] = [];
let offset = 0;
for (const name of names) {
  const bytes = await Bun.file(join(folder, name)).bytes();
  index[name.slice(0, -".bcmap".length)] = [offset, bytes.length];
  parts.push(bytes);
  offset += bytes.length;
}
const header = new TextEncoder().encode(JSON.stringify(index));
const length = new Uint8Array(new Uint32Array([header.length]).buffer);
await Bun.write(
  join(import.meta.dir, "../src/documents/extract/cmaps.bin"),
  Bun.gzipSync(Buffer.concat([length, header, ...parts]), { level: 9 }),
);
