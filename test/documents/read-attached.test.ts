/** The text of an attached PDF is remembered for the project that sent it. */

import { expect, spyOn, test } from "bun:test";
import { createAttachedReader } from "../../src/documents/extract/read-attached.ts";
import * as child from "../../src/documents/extract/run-extract-child.ts";
import { makePdf } from "../support/make-pdf.ts";

test("a PDF that a project sends again is not read again; another project's is", async () => {
  using spawned = spyOn(child, "runExtractChild");
  const read = createAttachedReader();
  const { signal } = new AbortController();
  const pdf = (text: string) => Buffer.from(makePdf([text])).toString("base64");
  const first = await read("one", pdf("The committee met."), signal);
  expect(first).toEqual({ pages: [{ page: 1, text: "The committee met." }] });
  expect(await read("one", pdf("The committee met."), signal)).toEqual(first);
  expect(spawned).toHaveBeenCalledTimes(1);
  await read("two", pdf("The committee met."), signal);
  await read("one", pdf("The committee left."), signal);
  expect(spawned).toHaveBeenCalledTimes(3);
});

test("the wait for another PDF to be read ends with its caller", async () => {
  const { promise: reading, resolve } = Promise.withResolvers<child.ChildOutput>();
  using spawned = spyOn(child, "runExtractChild").mockImplementation(() => reading);
  const read = createAttachedReader();
  const slow = read("one", "aaaa", new AbortController().signal);
  const leaving = new AbortController();
  const waiting = read("two", "bbbb", leaving.signal);
  leaving.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  expect(spawned).toHaveBeenCalledTimes(1);
  resolve({ reason: "time" });
  expect(await slow).toEqual({ reason: "time" });
});
