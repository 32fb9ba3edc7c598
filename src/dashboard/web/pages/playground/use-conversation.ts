/** What is being asked in the playground, of which models, and what came back so far. */

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { messageText } from "../../message-text.ts";
import { type Attached, partOf } from "../../parts/attachments.tsx";
import { here, queryOf, setQuery, wasLeft } from "../../router.ts";
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

type Sheet = {
  system: string;
  turns: Turn[];
  text: string;
  attached: Attached[];
  documents: string[];
  ceiling: number | null;
  sessionId: string;
  answers: (Answer | null)[];
  asked: unknown;
};

const blank = (): Sheet => {
  const first = replayed();
  return {
    system: messageText(first.find(({ role }) => role === "system")?.content),
    turns: first.filter(({ role }) => role !== "system").slice(0, -1),
    text: messageText(first.at(-1)?.content) || (queryOf("prompt") ?? ""),
    attached: [],
    documents: [queryOf("document")].filter((id) => id !== null),
    ceiling: null,
    sessionId: queryOf("session") ?? "",
    answers: [],
    asked: null,
  };
};

/** The sheet as it was left for another page, until the tab is closed. */
const left = signal<{ at: URL; sheet: Sheet } | null>(null);

/** Who comes back, by Back or by the menu, goes on; a link that asks for something begins anew, though it be the same as before. */
const leftHere = (): Sheet | null => {
  const { pathname, search } = here.value;
  if (left.value === null || left.value.at.pathname !== pathname) return null;
  const isBack = wasLeft() && search === left.value.at.search;
  return search === "" || isBack ? left.value.sheet : null;
};

const asStopped = (answer: Answer): Answer =>
  answer.state === "running" ? { ...answer, state: "stopped", endedMs: performance.now() } : answer;

/** The model, what it is compared with and the schema stand in the URL, so that a view can be shared; the rest lasts as long as the tab. */
export const useConversation = () => {
  const first = useMemo(() => leftHere() ?? blank(), []);
  const [system, setSystem] = useState(first.system);
  const [turns, setTurns] = useState(first.turns);
  const [text, setText] = useState(first.text);
  const [attached, setAttached] = useState(first.attached);
  const [documents, setDocuments] = useState(first.documents);
  const [ceiling, setCeiling] = useState(first.ceiling);
  const [sessionId, setSessionId] = useState(first.sessionId);
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
  const { answers, asked, busy, stop, forget, askAll } = useAnswers(first);
  const latest = useRef<Sheet>(first);
  latest.current = { system, turns, text, attached, documents, ceiling, sessionId, answers, asked };
  useEffect(() => {
    const at = here.value;
    return () => {
      const sheet = { ...latest.current, answers: latest.current.answers.filter((answer) => answer !== null).map(asStopped) };
      left.value = { at, sheet };
    };
  }, [model, other, schema]);

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
const useAnswers = (first: Pick<Sheet, "answers" | "asked">) => {
  const [answers, setAnswers] = useState(first.answers);
  const [asked, setAsked] = useState(first.asked);
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
