/** What is being asked in the playground, of which models, and what came back so far. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { messageText } from "../../message-text.ts";
import { type Attached, partOf } from "../../parts/attachments.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { door } from "../../state.ts";
import { type Answer, streamAnswer } from "../../stream-answer.ts";

export type Turn = { role: string; content: unknown };

export type Conversation = ReturnType<typeof useConversation>;

/** The messages of a call that is asked once more (call's page, "Replay in the playground"). */
const replayed = (): Turn[] => {
  if (queryOf("replay") === null) return [];
  try {
    return JSON.parse(sessionStorage.getItem("signalbox-replay") ?? "[]") as Turn[];
  } catch {
    return [];
  }
};

/** The model, what it is compared with and the schema stand in the URL, so that a view can be shared; the rest lasts as long as the page. */
export const useConversation = () => {
  const first = useMemo(replayed, []);
  const [system, setSystem] = useState(messageText(first.find(({ role }) => role === "system")?.content));
  const [turns, setTurns] = useState<Turn[]>(first.filter(({ role }) => role !== "system").slice(0, -1));
  const [text, setText] = useState(messageText(first.at(-1)?.content) || (queryOf("prompt") ?? ""));
  const [attached, setAttached] = useState<Attached[]>([]);
  const [documents, setDocuments] = useState<string[]>(() => [queryOf("document")].filter((id) => id !== null));
  const [ceiling, setCeiling] = useState<number | null>(null);
  const [sessionId, setSessionId] = useState(queryOf("session") ?? "");
  const model = queryOf("model") ?? "auto";
  const other = queryOf("compare");
  const schema = queryOf("schema") ?? "";
  const content = attached.length === 0 ? text : [{ type: "text", text }, ...attached.map(partOf)];

  const bodyFor = (chosen: string): Record<string, unknown> => ({
    ...(chosen !== "auto" && { model: chosen }),
    messages: [...(system.trim() ? [{ role: "system", content: system }] : []), ...turns, { role: "user", content }],
    ...(ceiling !== null && { max_cost_per_call: ceiling }),
    ...(documents.length > 0 && { document_ids: documents }),
    ...(schema !== "" && { schema_id: schema }),
    ...(sessionId.trim() !== "" && { session_id: sessionId.trim() }),
  });
  const { answers, asked, busy, stop, forget, askAll } = useAnswers();

  /** What was attached is part of the turn that has been. */
  const clear = (nextTurns: Turn[]) => {
    setTurns(nextTurns);
    forget();
    setText("");
    setAttached([]);
  };
  return {
    ...{ turns, text, setText, attached, setAttached, answers, asked, busy, stop, model, other, bodyFor },
    options: { system, setSystem, ceiling, setCeiling, sessionId, setSessionId, documents, setDocuments, model, other, schema },
    ask: () => {
      if (text.trim() === "" || busy) return;
      void askAll(content, (other === null ? [model] : [model, other]).map(bodyFor));
    },
    goOn: (answer: Answer) => clear([...turns, { role: "user", content: asked }, { role: "assistant", content: answer.text }]),
    startOver: () => {
      stop();
      clear([]);
      setQuery({ replay: null, prompt: null });
    },
  };
};

/** The answers to one question, as they arrive side by side. `asked` is what they answer. */
const useAnswers = () => {
  const [answers, setAnswers] = useState<(Answer | null)[]>([]);
  const [asked, setAsked] = useState<unknown>(null);
  const controller = useRef<AbortController | null>(null);
  const stop = () => controller.current?.abort();
  useEffect(() => stop, []);
  return {
    answers,
    asked,
    busy: answers.some((answer) => answer?.state === "running"),
    stop,
    forget: () => {
      setAnswers([]);
      setAsked(null);
    },
    askAll: async (content: unknown, bodies: object[]) => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      setAsked(content);
      const latest: (Answer | null)[] = bodies.map(() => null);
      setAnswers([...latest]);
      await Promise.all(
        bodies.map((body, at) =>
          streamAnswer(door("/v1/chat/stream"), body, signal, (answer) => {
            latest[at] = answer;
            setAnswers([...latest]);
          }),
        ),
      );
    },
  };
};
