/** The door of keyed routes: what it leaves to them. */

import { expect, test } from "bun:test";
import { Elysia } from "elysia";
import { guarded } from "../../src/http/guarded.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

test("a body is left to its route, however the route is written", async () => {
  const { text: key } = await gateway.key();
  const readIt = async ({ request }: { request: Request }) => ({ read: await request.text() });
  // The router parses a body where the handler's text may look at it; a context that is handed on could.
  const app = new Elysia()
    .use(guarded(gateway.platform))
    .post("/own", (context) => readIt(context), { guard: { scope: "chat" } });
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
    const headers = { authorization: `Bearer ${key}`, "content-type": type };
    const answer = await app.handle(new Request("http://localhost/own", { method: "POST", headers, body: '{"a":1}' }));
    expect([type, await answer.json()]).toEqual([type, { read: '{"a":1}' }]);
  }
});
