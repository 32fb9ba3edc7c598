/** Ask, and see the decision before and beside the answer; two models side by side where that is the question. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { textOf } from "../../message-text.ts";
import { type Attached, Attachments, partOf } from "../../parts/attachments.tsx";
import { SnippetTabs } from "../../parts/code.tsx";
import { AreaField } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { requestSnippets } from "../../snippets.ts";
import { door, hasProvider, mode } from "../../state.ts";
import { type Answer, streamAnswer } from "../../stream-answer.ts";
import { AnswerPane } from "./answer-pane.tsx";
import { Options } from "./options.tsx";
import { Preview } from "./preview.tsx";

type Turn = { role: string; content: unknown };

const EXAMPLES = [
  "Summarize in one sentence: a signal box is where the routes of a railway are set.",
  "Write a TypeScript function that checks an IBAN.",
  "A train leaves at 07:42 with 80 km/h, another 120 km away at 08:00 with 100 km/h. When do they meet?",
];

const replayed = (): Turn[] => {
  if (queryOf("replay") === null) return [];
  try {
    return JSON.parse(sessionStorage.getItem("signalbox-replay") ?? "[]") as Turn[];
  } catch {
    return [];
  }
};

export const Playground = () => {
  const first = useMemo(replayed, []);
  const [system, setSystem] = useState(textOf(first.find(({ role }) => role === "system")?.content));
  const [turns, setTurns] = useState<Turn[]>(first.filter(({ role }) => role !== "system").slice(0, -1));
  const [text, setText] = useState(textOf(first.at(-1)?.content) || (queryOf("prompt") ?? ""));
  const [attached, setAttached] = useState<Attached[]>([]);
  const [documents, setDocuments] = useState<string[]>(() => [queryOf("document")].filter((id) => id !== null));
  const [ceiling, setCeiling] = useState<number | null>(null);
  const [sessionId, setSessionId] = useState(queryOf("session") ?? "");
  const [answers, setAnswers] = useState<(Answer | null)[]>([]);
  const [asked, setAsked] = useState<unknown>(null);
  const [showCode, setShowCode] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const model = queryOf("model") ?? "auto";
  const other = queryOf("compare");
  const schema = queryOf("schema") ?? "";
  const busy = answers.some((answer) => answer?.state === "running");
  useEffect(() => () => stop.current?.abort(), []);

  const content = attached.length === 0 ? text : [{ type: "text", text }, ...attached.map(partOf)];
  const bodyFor = (chosen: string): Record<string, unknown> => ({
    ...(chosen !== "auto" && { model: chosen }),
    messages: [...(system.trim() ? [{ role: "system", content: system }] : []), ...turns, { role: "user", content }],
    ...(ceiling !== null && { max_cost_per_call: ceiling }),
    ...(documents.length > 0 && { document_ids: documents }),
    ...(schema !== "" && { schema_id: schema }),
    ...(sessionId.trim() !== "" && { session_id: sessionId.trim() }),
  });

  const ask = async () => {
    if (text.trim() === "" || busy) return;
    const controller = new AbortController();
    stop.current = controller;
    setAsked(content);
    const chosen = other === null ? [model] : [model, other];
    const latest: (Answer | null)[] = chosen.map(() => null);
    setAnswers([...latest]);
    await Promise.all(
      chosen.map((each, at) =>
        streamAnswer(door("/v1/chat/stream"), bodyFor(each), controller.signal, (answer) => {
          latest[at] = answer;
          setAnswers([...latest]);
        }),
      ),
    );
  };

  const goOn = (answer: Answer) => {
    setTurns([...turns, { role: "user", content: asked }, { role: "assistant", content: answer.text }]);
    setAnswers([]);
    setAsked(null);
    setText("");
    // What was attached is part of that turn now.
    setAttached([]);
  };
  const startOver = () => {
    stop.current?.abort();
    setTurns([]);
    setAnswers([]);
    setAsked(null);
    setText("");
    setAttached([]);
    setQuery({ replay: null, prompt: null });
  };

  return (
    <Page
      title="Playground"
      lead={
        mode.value === "test"
          ? "Test mode: the sandbox answers in the name of the model that was chosen. Decisions, limits and policies are the real ones."
          : "Live mode: the providers answer, and calls cost what they cost."
      }
      actions={
        <>
          <button type="button" class="button" onClick={() => setShowCode(true)} disabled={text.trim() === ""}>
            <Icon name="copy" /> Copy as code
          </button>
          {(turns.length > 0 || answers.length > 0) && (
            <button type="button" class="button" onClick={startOver}>
              Start over
            </button>
          )}
        </>
      }
    >
      {mode.value === "live" && !hasProvider.value && (
        <Note tone="amber">
          No provider is set up, so a live call answers 503. Switch to Test on the left, or add one under Providers &amp; models.
        </Note>
      )}
      <div class="playground">
        <div class="stack">
          {turns.length > 0 && <Turns turns={turns} />}
          <Card>
            <div class="stack">
              <AreaField
                label="Your message"
                value={text}
                onChange={setText}
                rows={6}
                onSubmit={ask}
                placeholder="Ask something. Ctrl + Enter sends it."
              />
              {text === "" && turns.length === 0 && (
                <div class="row examples">
                  {EXAMPLES.map((example) => (
                    <button key={example} type="button" class="button small" onClick={() => setText(example)}>
                      {example}
                    </button>
                  ))}
                </div>
              )}
              <Attachments attached={attached} onChange={setAttached} />
              <div class="row between">
                <span class="muted small">
                  <kbd>Ctrl</kbd> <kbd>Enter</kbd>
                </span>
                {busy ? (
                  <button type="button" class="button" onClick={() => stop.current?.abort()}>
                    <Icon name="stop" /> Stop
                  </button>
                ) : (
                  <button type="button" class="button primary" onClick={ask} disabled={text.trim() === ""}>
                    <Icon name="playground" /> {other === null ? "Ask" : "Ask both"}
                  </button>
                )}
              </div>
            </div>
          </Card>
          {answers.length > 0 && (
            <div class={answers.length > 1 ? "columns" : ""}>
              {answers.map((answer, at) => (
                <AnswerPane
                  key={at === 0 ? "first" : "second"}
                  answer={answer}
                  asked={at === 0 ? model : other!}
                  question={textOf(asked)}
                  onGoOn={goOn}
                />
              ))}
            </div>
          )}
        </div>
        <aside class="stack" aria-label="Decision and options">
          <Preview key={model} body={bodyFor(model)} idle={!busy} />
          <Options
            {...{
              system,
              setSystem,
              ceiling,
              setCeiling,
              sessionId,
              setSessionId,
              documents,
              setDocuments,
              model,
              other,
              schema,
            }}
          />
        </aside>
      </div>
      {showCode && (
        <Dialog wide title="The same call as code" onClose={() => setShowCode(false)}>
          <p class="muted">
            Put a key in <code>SIGNALBOX_KEY</code>; keys are made under Settings.
          </p>
          <SnippetTabs snippets={requestSnippets(location.origin, bodyFor(model))} />
        </Dialog>
      )}
    </Page>
  );
};

const Turns = ({ turns }: { turns: Turn[] }) => (
  <div class="turns">
    {turns.map((turn, at) => (
      <div key={at} class={`turn ${turn.role}`}>
        <span class="small muted">{turn.role}</span>
        <div class="wrap-anywhere pre-wrap" dir="auto">
          {textOf(turn.content)}
        </div>
      </div>
    ))}
  </div>
);
