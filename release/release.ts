/** `bun run release`: what is published of a version, in dist/: four executables, their checksums, licences, bill of materials. */

import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../src/version.ts";
import { billOfMaterials } from "./bill-of-materials.ts";
import { buildExecutable, ROOT } from "./build-executable.ts";
import { licenceNotices } from "./licence-notices.ts";
import { listParts } from "./list-parts.ts";
import { TARGETS, type Target } from "./targets.ts";

const folder = join(ROOT, "dist", `signalbox-${VERSION}`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

for (const target of Object.keys(TARGETS) as Target[]) {
  await buildExecutable(target, join(folder, `signalbox-${target}${TARGETS[target].suffix}`));
  console.log(`signalbox-${target}`);
}
const parts = await listParts();
await Bun.write(join(folder, "THIRD-PARTY-LICENSES.txt"), licenceNotices(parts));
await Bun.write(join(folder, "signalbox.cdx.json"), `${JSON.stringify(billOfMaterials(parts, VERSION), null, 2)}\n`);
for (const name of ["LICENSE", "CHANGELOG.md", "release/signalbox.service"])
  copyFileSync(join(ROOT, name), join(folder, name.split("/").at(-1)!));

const files = [...new Bun.Glob("*").scanSync(folder)].sort();
const sums = await Promise.all(
  files.map(async (name) => {
    const hash = new Bun.CryptoHasher("sha256");
    for await (const chunk of Bun.file(join(folder, name)).stream()) hash.update(chunk);
    return `${hash.digest("hex")}  ${name}\n`;
  }),
);
await Bun.write(join(folder, "SHA256SUMS"), sums.join(""));
console.log(`${folder}: ${files.length} files, ${parts.length} parts by others`);
