/** What the tests of documents do over and over: upload, wait, ask. */
import type { Gateway, TestKey } from "../support/gateway.ts";

export type WireDocument = {
  id: string;
  filename: string;
  status: string;
  error_message?: string;
  collection_id: string | null;
  page_count: number | null;
  chunk_count: number | null;
  progress_percent: number;
};
type WireResult = {
  chunk_id: string;
  document_id: string;
  filename: string;
  content: string;
  score: number;
  chunk_index: number;
  page: number;
};

export const uploadFile = (
  gateway: Gateway,
  key: TestKey,
  name: string,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
) => {
  const form = new FormData();
  form.set("file", new File([content as BlobPart], name));
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return gateway.send(key, "POST", "/v1/documents", form);
};

export const documentOf = async (gateway: Gateway, key: TestKey, id: string): Promise<WireDocument> =>
  (await gateway.send(key, "GET", `/v1/documents/${id}`)).json() as Promise<WireDocument>;

/** Uploads, lets the job run, and says how it ended. */
export const ingested = async (...upload: Parameters<typeof uploadFile>) => {
  const [gateway, key] = upload;
  const response = await uploadFile(...upload);
  if (response.status !== 201) throw new Error(`Upload answered ${response.status}: ${await response.text()}`);
  const { id } = (await response.json()) as WireDocument;
  await gateway.platform.background.idle();
  return documentOf(gateway, key, id);
};

export const query = async (gateway: Gateway, key: TestKey, body: object): Promise<WireResult[]> => {
  const response = await gateway.send(key, "POST", "/v1/documents/query", body);
  if (response.status !== 200) throw new Error(`Query answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { results: WireResult[] }).results;
};

/** Paragraphs that differ, so that chunks can be told apart. */
export const longText = (paragraphs: number): string =>
  Array.from(
    { length: paragraphs },
    (_, at) => `Paragraph ${at} speaks of topic${at} and of nothing else. ${"It goes on for a while. ".repeat(12)}`,
  ).join("\n\n");
