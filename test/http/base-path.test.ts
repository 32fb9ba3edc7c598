import { expect, test } from "bun:test";
import { basePathOf, takeBasePathAway } from "../../src/http/base-path.ts";

test.each([
  [undefined, ""],
  ["https://example.com", ""],
  ["https://example.com/ai", "/ai"],
  ["https://example.com/tools/ai", "/tools/ai"],
])("the base path of %s is %p", (publicUrl, path) => {
  expect(basePathOf({ publicUrl })).toBe(path);
});

test.each([
  ["/ai", "http://h:1/ai/v1/chat?x=/ai/1", "http://h:1/v1/chat?x=/ai/1"],
  ["/ai", "http://h:1/ai", "http://h:1/"],
  ["/ai", "http://h:1/ai?x", "http://h:1/?x"],
  ["/ai", "/ai/healthz", "/healthz"],
  ["/ai", "http://h:1/aim/v1", "http://h:1/aim/v1"],
  ["/ai", "http://ai/ai/v1/models", "http://ai/v1/models"],
  ["/ai", "http://h:1/v1/ai/x", "http://h:1/v1/ai/x"],
  ["/tools/v1", "http://h:1/tools/v1/v1/chat", "http://h:1/v1/chat"],
  // A proxy has taken these away already.
  ["/v1", "http://h:1/v1/chat", "http://h:1/v1/chat"],
  ["/dashboard", "http://h:1/dashboard/login", "http://h:1/dashboard/login"],
])("below %s, %s is %s", (basePath, url, own) => {
  const request = { url } as Request;
  takeBasePathAway(request, basePath);
  expect(request.url).toBe(own);
});
