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
  /** Bun's own bound would answer without our error envelope. Our bounds refuse a body before it is read, and unread bytes are not kept. */
  serverBodyBytes: Number.MAX_SAFE_INTEGER,
  jsonDepth: 128,
  /** Gap: what callers call their users and sessions, and each value of `metadata`. */
  nameCharacters: 512,
  /** Gap: lists, objects and members of a body; what they take in memory and time grows with them, not with its size. */
  jsonParts: 300_000,
  /** Gap: more than vendors' rerankers read at once; the gateway's own scores all of it on the serving thread. */
  rerankBodyBytes: 4 * MIB,
  /** Gap: of all the texts of one call (to embed, to rank, to moderate), so much stands in the log. */
  loggedTextCharacters: 100_000,
  /** Gap: spec.md bounds only an image's prompt; a video's has the same bound. */
  mediaPromptCharacters: 4_000,
  /** Gap: OpenAI's own bound of pictures to edit at once; all of them together are a body that carries media. */
  picturesToEdit: 16,
  speechInputCharacters: 4_096,
  fetchedMediaBytes: 200 * MB,
  /** Gap: the number of versions kept of a saved schema, the newest ones. */
  schemaVersions: 100,
  /** Gap: the number of messages kept of a session, the newest ones; older ones have long been in its summary. */
  sessionMessages: 10_000,
  /** Gap: how long the history of changes is kept, and how many of one kind, the newest ones: who deletes many documents hides no budget. */
  historyDays: 400,
  historyOfKind: 20_000,
} as const;
