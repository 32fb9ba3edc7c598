/** Size bounds of spec.md "Limits" and decisions §4, in bytes unless the name says otherwise. */

const MB = 1_000_000;
const MIB = 1_048_576;

export const BOUNDS = {
  jsonBodyBytes: 1 * MIB,
  mediaBodyBytes: 20 * MIB,
  /** 20 MB as base64 and its JSON. */
  documentJsonBodyBytes: 28 * MIB,
  documentBytes: 20 * MIB,
  audioBytes: 25 * MIB,
  multipartOverheadBytes: 1 * MIB,
  /** Bun's own bound answers without the envelope of errors. Ours refuse a body before it is read; what comes unread is not kept. */
  serverBodyBytes: Number.MAX_SAFE_INTEGER,
  jsonDepth: 128,
  /** Gap: spec.md bounds an image's prompt only; a video's has the same. */
  mediaPromptCharacters: 4_000,
  speechInputCharacters: 4_096,
  fetchedMediaBytes: 200 * MB,
  /** Gap: what grows with every change and every turn ends somewhere. Of a saved schema so many versions are kept, the newest. */
  schemaVersions: 100,
  /** Of a session so many messages, the newest; what goes has been in its summary for long. */
  sessionMessages: 10_000,
} as const;
