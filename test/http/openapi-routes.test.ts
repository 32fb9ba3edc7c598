/** What describes the API takes long to make, and needs no key. */

import { expect, test } from "bun:test";
import { openApiRoutes } from "../../src/http/openapi/openapi-routes.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();

test("the document and its page are made once, however often they are asked for; the page's example names the caller's own address", async () => {
  let made = 0;
  const app = openApiRoutes(gateway.platform, () => {
    made++;
    return [];
  });
  const ask = (path: string, host = "gateway.local") =>
    app.handle(new Request(`http://localhost${path}`, { headers: { host } })).then((response) => response.text());
  const document = await ask("/openapi.json");
  expect([JSON.parse(document).openapi, await ask("/openapi.json"), made]).toEqual(["3.1.0", document, 1]);
  expect(await ask("/docs")).toContain("curl http://gateway.local/v1/chat");
  expect(await ask("/docs", "127.0.0.1:1234")).toContain("curl http://127.0.0.1:1234/v1/chat");
  expect(made).toBe(2);
});
