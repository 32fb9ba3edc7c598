import { expect, test } from "bun:test";
import { ApiError } from "../../../src/api-error.ts";
import { createIngestThread } from "../../../src/documents/ingest/ingest-thread.ts";
import { receiveUpload } from "../../../src/documents/upload/receive-upload.ts";

const requestOf = (body: object | FormData): Request =>
  new Request("http://localhost/v1/documents", {
    method: "POST",
    ...(body instanceof FormData
      ? { body }
      : { body: JSON.stringify(body), headers: { "content-type": "application/json; charset=utf-8" } }),
  });
const formOf = (name: string, content: string): FormData => {
  const form = new FormData();
  form.set("file", new File([content], name));
  form.set("collection_id", "c");
  form.set("metadata", '{"a":[1]}');
  return form;
};
/** As a browser's page may send it: JSON as a Blob with its type. */
const formWithBlob = (name: string, content: string): FormData => {
  const form = formOf(name, content);
  form.set("metadata", new Blob(['{"a":[1]}'], { type: "application/json" }));
  return form;
};
const LARGE = "Größer als klein. ".repeat(50_000);

test("a large body is taken apart by the worker, a small one where it is, to the same end", async () => {
  const thread = createIngestThread(() => ":memory:");
  let asked = 0;
  const ingest = {
    parseUpload: (body: Parameters<typeof thread.parseUpload>[0]) => {
      asked++;
      return thread.parseUpload(body);
    },
  };
  const expected = (content: string) => ({
    filename: "a.txt",
    contentType: "text/plain",
    bytes: new TextEncoder().encode(content),
    collectionId: "c",
    metadata: { a: [1] },
  });
  for (const [content, whereTo] of [
    ["Klein.", 0],
    [LARGE, 1],
  ] as const) {
    asked = 0;
    const json = { filename: "a.txt", content, collection_id: "c", metadata: { a: [1] } };
    const encoded = { ...json, content: Buffer.from(content).toString("base64"), encoding: "base64" };
    for (const body of [json, encoded, formOf("a.txt", content), formWithBlob("a.txt", content)]) {
      const { bytes, ...rest } = await receiveUpload(ingest, requestOf(body));
      expect({ ...rest, bytes: Uint8Array.from(bytes) } as object).toEqual(expected(content));
    }
    expect(asked).toBe(4 * whereTo);
  }
  await thread.stop();
});

test("what is wrong with a large body is told as of a small one", async () => {
  const thread = createIngestThread(() => ":memory:");
  for (const [body, param] of [
    [{ filename: "a.docx", content: LARGE }, "content_type"],
    [{ filename: "a.txt", content: [LARGE] }, "content"],
    [{ filename: "a.pdf", content: LARGE }, "content"],
    [formOf("a.png", LARGE), "file"],
  ] as const) {
    const refused = await receiveUpload(thread, requestOf(body)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ type: "invalid_request", status: 400, options: { param } });
  }
  await thread.stop();
});
