/** What a first start prints, where a whole program could not be asked. */

import { expect, test } from "bun:test";
import { firstStart } from "../../src/cli/commands/first-start.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const { platform } = await gatewayOfFile();

test("the curl line quotes an address whose brackets a shell takes for a pattern", async () => {
  const words = await firstStart({ platform, url: "http://[::1]:8484" } as Parameters<typeof firstStart>[0]);
  expect(words).toContain('curl "http://[::1]:8484/v1/chat" -H "Authorization: Bearer pk_test_');
});
