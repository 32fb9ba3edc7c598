/** The playground's conversation: what is being asked, of which models, and the answers so far. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Message } from "../../message-text.ts";
import { partOf } from "../../parts/attachments.tsx";
import { pointAtUnread } from "../../point-at-unread.ts";
import { here, queryOf, setQuery } from "../../router.ts";
import { apiPath } from "../../state.ts";
import { type Answer, streamAnswer } from "../../stream-answer.ts";
import { useFields } from "../../use-fields.ts";
import { beginSheet, type Draft, keepSheet, type Sheet } from "./sheet.ts";
import { readTools } from "./tools.ts";

export type Conversation = ReturnType<typeof useConversation>;

/** The model, the one compared with and the schema are in the URL, so that a view can be shared; the rest lasts as long as the tab. */
export const useConversation = () => {
  const first = useMemo(beginSheet, []);
  const { values: draft, change, field } = useFields(first.draft);
  const model = queryOf("model") ?? "auto";
  const other = queryOf("compare");
  const schema = queryOf("schema") ?? "";
  const { answers, asked, busy, stop, forget, askAll } = useAnswers(first);
  useKept({ draft, answers, asked }, `${model} ${other} ${schema}`);

  const { turns, text, attached } = draft;
  const content = attached.length === 0 ? text : [{ type: "text", text }, ...attached.map(partOf)];
  const offered = readTools(draft.tools);
  // Tool results are answered without another message.
  const awaitsAnswer = text.trim() === "" && turns.at(-1)?.role === "tool";
  const next: Message[] = awaitsAnswer ? turns : [...turns, { role: "user", content }];
  const bodyOf = (chosen: string, messages: Message[]) => requestBody(draft, { chosen, messages, schema, tools: offered.tools });
  const askWith = (messages: Message[], question: unknown) =>
    void askAll(
      question,
      (other === null ? [model] : [model, other]).map((chosen) => bodyOf(chosen, messages)),
    );
  /** The conversation up to and including an answer. */
  const upTo = (answer: Answer): Message[] => [
    ...turns,
    ...(asked === null ? [] : [{ role: "user", content: asked }]),
    {
      role: "assistant",
      content: answer.text,
      ...(answer.toolCalls.length > 0 && { tool_calls: answer.toolCalls, reasoning_content: answer.thinking || null }),
    },
  ];
  /** Attachments belong to the turn that was just sent. */
  const goOnFrom = (messages: Message[]) => {
    change({ turns: messages, text: "", attached: [] });
    forget();
  };
  const canAsk = (text.trim() !== "" || awaitsAnswer) && offered.problem === null;
  return {
    ...{ draft, change, field, toolsProblem: offered.problem, model, other, schema, answers, asked, busy, stop, canAsk },
    bodyFor: (chosen: string) => bodyOf(chosen, next),
    ask: () => {
      if (canAsk && !busy && !pointAtUnread()) askWith(next, awaitsAnswer ? null : content);
    },
    goOn: (answer: Answer) => goOnFrom(upTo(answer)),
    /** One result for each tool call of the answer, in order. */
    returnResults: (answer: Answer, results: string[]) => {
      const returned = answer.toolCalls.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: results[at] ?? "" }));
      const messages = [...upTo(answer), ...returned];
      goOnFrom(messages);
      askWith(messages, null);
    },
    startOver: () => {
      stop();
      goOnFrom([]);
      setQuery({ replay: null, prompt: null });
    },
  };
};

type Request = { chosen: string; messages: Message[]; schema: string; tools: unknown[] };

const requestBody = (draft: Draft, { chosen, messages, schema, tools }: Request): Record<string, unknown> => ({
  ...(chosen !== "auto" && { model: chosen }),
  messages: [...(draft.system.trim() ? [{ role: "system", content: draft.system }] : []), ...messages],
  ...(draft.ceiling !== null && { max_cost_per_call: draft.ceiling }),
  ...(draft.temperature !== null && { temperature: draft.temperature }),
  ...(draft.maxTokens !== null && { max_tokens: draft.maxTokens }),
  ...(draft.documents.length > 0 && { document_ids: draft.documents }),
  ...(schema !== "" && { schema_id: schema }),
  ...(draft.sessionId.trim() !== "" && { session_id: draft.sessionId.trim() }),
  ...(tools.length > 0 && { tools }),
});

/** Saves the sheet whenever the page is left, by a link or a reload. */
const useKept = (sheet: Sheet, view: string): void => {
  const latest = useRef(sheet);
  latest.current = sheet;
  useEffect(() => {
    const { href } = here.value;
    const keep = () => keepSheet(href, latest.current);
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, [view]);
};

/** The answers to one question, as they arrive side by side. `asked` is the question. */
const useAnswers = (first: Pick<Sheet, "answers" | "asked">) => {
  const [answers, setAnswers] = useState(first.answers);
  const [asked, setAsked] = useState(first.asked);
  const controller = useRef<AbortController | null>(null);
  const stop = () => controller.current?.abort();
  useEffect(() => stop, []);
  return {
    answers,
    asked,
    // An answer that has just been asked for is null until it begins.
    busy: answers.some((answer) => answer === null || answer.state === "running"),
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
          streamAnswer(apiPath("/v1/chat/stream"), body, signal, (answer) => {
            latest[at] = answer;
            setAnswers([...latest]);
          }),
        ),
      );
    },
  };
};
