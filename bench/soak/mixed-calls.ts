/**
 * The calls of a soak. What they ask of the server is the same at the end as at the beginning: sessions are cleared after some turns and
 * documents are deleted once there are enough, else each call would take more than the last, and memory with it.
 */

import { randomFrom } from "../../test/support/random.ts";

type Reply = { status: number; text: string };
type Deed = () => Promise<Reply>;

const SESSIONS = 50;
const TURNS_OF_A_SESSION = 20;
const DOCUMENTS = 50;

const SCHEMA = {
  type: "object",
  properties: { train: { type: "string" }, minutes: { type: "integer" } },
  required: ["train", "minutes"],
};

/** Returns what makes the next call. */
export const mixedCalls = (url: string, key: string): Deed => {
  const random = randomFrom(9).next;
  const send = async (method: string, route: string, body?: unknown, abortAfterMs?: number): Promise<Reply> => {
    const response = await fetch(`${url}${route}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(abortAfterMs !== undefined && { signal: AbortSignal.timeout(abortAfterMs) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const ask = (words: string) => ({ messages: [{ role: "user", content: words }] });
  const question = () => ({
    ...ask(`Report ${Math.floor(random() * 1e6)}: the 8:15 stood at the home signal for four minutes. Why was it late?`),
    user: `user-${Math.floor(random() * 500)}`,
  });
  const report = { filename: "report.txt", content: "The 8:15 stood at the home signal for four minutes. ".repeat(40) };

  const turns = new Map<string, number>();
  const talk = (): Promise<Reply> => {
    const session = `session-${Math.floor(random() * SESSIONS)}`;
    const turn = turns.get(session) ?? 0;
    turns.set(session, turn < TURNS_OF_A_SESSION ? turn + 1 : 0);
    if (turn === TURNS_OF_A_SESSION) return send("POST", `/v1/memory/${session}/clear`);
    return send("POST", "/v1/chat", { ...question(), session_id: session });
  };
  const documents: string[] = [];
  const keepDocuments = async (): Promise<Reply> => {
    if (documents.length >= DOCUMENTS) return send("DELETE", `/v1/documents/${documents.shift()}`);
    const made = await send("POST", "/v1/documents", report);
    if (made.status === 201) documents.push(JSON.parse(made.text).id);
    return made;
  };

  /** Share of the calls, and what they do. */
  const MIX: [number, Deed][] = [
    [0.4, () => send("POST", "/v1/chat", question())],
    [0.15, () => send("POST", "/v1/chat/stream", question())],
    [0.05, () => send("POST", "/v1/chat/stream", ask("[[sandbox:slow=500]] Which trains were late?"), 30 + random() * 300)],
    [0.08, () => send("POST", "/v1/chat", { ...question(), schema: SCHEMA })],
    [0.05, talk],
    [0.05, () => send("POST", "/v1/chat", ask("[[sandbox:error-500]] Which trains were late?"))],
    [0.06, () => send("POST", "/v1/embeddings", { model: "embed-local", input: "Which trains were late?" })],
    [0.03, keepDocuments],
    [0.01, () => send("GET", "/v1/documents")],
    [0.05, () => send("POST", "/v1/documents/query", { query: "Why was the 8:15 late?" })],
    [0.04, () => send("GET", "/v1/models")],
    [0.02, () => send("POST", "/v1/chat", { messages: "wrong" })],
    [0.01, () => send("GET", "/v1/nowhere")],
  ];
  return () => {
    let rest = random();
    for (const [share, deed] of MIX) {
      if (rest < share) return deed();
      rest -= share;
    }
    return MIX[0]![1]();
  };
};
