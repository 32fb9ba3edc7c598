/** The requests that the documentation shows are answered as it promises. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cert, key as secret } from "../fixtures/self-signed.json";
import { foldersOfFile } from "../support/folder-of-file.ts";
import { startGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const ROOT = join(import.meta.dir, "../..");
const pages = ["README.md", ...new Bun.Glob("docs/*.md").scanSync(ROOT)];
/** Bodies with an ellipsis stand for the reader's own ids. */
const shown = pages.flatMap((page) =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/^curl http:\/\/127\.0\.0\.1:8484(\S+)(?:[^\n]*\\\n)*[^\n]*-d '([^']+)'/gm)]
    .map(([, path, body]) => ({ page, path: path!, body: body! }))
    .filter(({ body }) => !body.includes("…")),
);

const gateway = await gatewayOfFile();
const key = await gateway.key();

test("there are some", () => expect(shown.length).toBeGreaterThanOrEqual(4));

for (const { page, path, body } of shown) {
  test(`${page}: ${path} ${body.slice(0, 60)}`, async () => {
    const response = await gateway.send(key, "POST", path, JSON.parse(body));
    expect([await response.text(), response.ok]).toEqual([expect.any(String), true]);
  });
}

const folder = foldersOfFile()();
const TLS = { SIGNALBOX_TLS_CERTIFICATE: join(folder, "crt"), SIGNALBOX_TLS_KEY: join(folder, "key") };
await Bun.write(TLS.SIGNALBOX_TLS_CERTIFICATE, cert);
await Bun.write(TLS.SIGNALBOX_TLS_KEY, secret);

test.each(pages)("the settings that %s shows are taken", async (page) => {
  for (const [, block] of readFileSync(join(ROOT, page), "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)) {
    // Litestream's own file, and comments for editors.
    if (/^dbs:/.test(block!) || !/^\w+:/m.test(block!)) continue;
    const named = [...block!.matchAll(/env:(\w+)/g)].map(([, name]) => [name!, "x"]);
    // The files that they name are elsewhere.
    const environment = { ...Object.fromEntries(named), ...(block!.includes("\ntls:") && TLS) };
    const started = await startGateway({ settings: block!, environment });
    expect(started.platform.config.file).toEqual(Bun.YAML.parse(block!) as object);
    await started.stop();
  }
});
