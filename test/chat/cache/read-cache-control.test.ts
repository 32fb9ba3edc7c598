/** The project's setting and the caller's `Cache-Control`, as one wish. */

import { expect, test } from "bun:test";
import { readCacheControl } from "../../../src/chat/cache/read-cache-control.ts";

test.each([
  // header, the project's setting, what is wanted (seconds)
  [null, undefined, undefined],
  [null, 60, { maxAge: 60, keep: 60 }],
  ["max-age=10", undefined, { maxAge: 10, keep: 10 }],
  ["max-age=10", 60, { maxAge: 10, keep: 60 }],
  ["max-age=600", 60, { maxAge: 600, keep: 600 }],
  ["no-cache", 60, { maxAge: 0, keep: 60 }],
  ["no-cache", undefined, undefined],
  ["no-cache, max-age=10", undefined, { maxAge: 0, keep: 10 }],
  ["max-age=0", 60, { maxAge: 0, keep: 60 }],
  ["max-age=0", undefined, undefined],
  ["no-store", 60, undefined],
  ["max-age=10, no-store", 60, undefined],
  ['Max-Age="10" , no-transform', undefined, { maxAge: 10, keep: 10 }],
  ["max-age=-1", 60, { maxAge: 60, keep: 60 }],
  ["max-age=ten", undefined, undefined],
  ["x-max-age=10, max-age=10s", undefined, undefined],
  ["max-age=99999999999999999999", undefined, { maxAge: 2_592_000, keep: 2_592_000 }],
  ["", undefined, undefined],
])("Cache-Control %p of a project with ttl_s %p", (header, ttlS, wanted) => {
  expect(readCacheControl(header, ttlS)).toEqual(wanted && { maxAgeMs: wanted.maxAge * 1000, keepMs: wanted.keep * 1000 });
});
