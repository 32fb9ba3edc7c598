import { expect, test } from "bun:test";
import { hostInUrl } from "../../src/lib/host-in-url.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["gateway.lan", "gateway.lan"],
  ["fd00::7", "[fd00::7]"],
  // Loopback stands for every address.
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
])("%s stands in a URL as %s", (host, written) => {
  expect(hostInUrl(host)).toBe(written);
});
