/**
 * `bun run test/database/write-release-fixture.ts`, once, when a version is released: keeps the file that it leaves behind
 * (fixtures/database/<version>.db.gz), which every later version must be able to migrate. One that is there is never written again.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../../src/version.ts";
import { startGateway } from "../support/gateway.ts";

const fixture = join(import.meta.dir, `../fixtures/database/${VERSION}.db.gz`);
if (existsSync(fixture)) {
  console.error(`${VERSION} has left its file already. Set the next version in package.json first.`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "signalbox-fixture-"));
const gateway = await startGateway({ folder });
const key = await gateway.key({ project: "kept", tier: "team" });
const post = async (path: string, body: object): Promise<any> => {
  const response = await gateway.send(key, "POST", path, body);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
const user = (content: string) => ({ messages: [{ role: "user", content }] });
await post("/v1/documents", { filename: "box.md", content: "# The box\n\nThe lever frame has thirty levers.", encoding: "utf8" });
await post("/v1/schemas", {
  name: "Person",
  slug: "person",
  schema: { type: "object", properties: { name: { type: "string" } } },
});
await post("/v1/policies", { template: "budget-mode" });
await gateway.platform.background.idle();
await post("/v1/chat", { ...user("[[sandbox:reply=All lines are clear.]]"), user: "ada", session_id: "morning" });
const { svc } = await post("/v1/chat", user("[[sandbox:reply=The points are set.]]"));
await post(`/v1/logs/${svc.request_id}/feedback`, { score: 1 });
await gateway.platform.background.idle();
await gateway.stop();

await Bun.write(fixture, Bun.gzipSync(await Bun.file(join(folder, "signalbox.db")).bytes(), { level: 9 }));
rmSync(folder, { recursive: true, force: true });
