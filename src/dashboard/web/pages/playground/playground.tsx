/** The playground: shows the routing decision before and beside the answer, and can compare two models. */

import { ADDRESS } from "../../base-path.ts";
import { messageText } from "../../message-text.ts";
import { SnippetTabs } from "../../parts/code.tsx";
import { Dialog, Opens } from "../../parts/dialog.tsx";
import { Note } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Turns } from "../../parts/turns.tsx";
import { requestSnippets } from "../../snippets.ts";
import { hasProvider, mode } from "../../state.ts";
import { AnswerPane } from "./answer-pane.tsx";
import { MessageCard } from "./message-card.tsx";
import { Options } from "./options.tsx";
import { Preview } from "./preview.tsx";
import { type Conversation, useConversation } from "./use-conversation.ts";

export const Playground = () => {
  const conversation = useConversation();
  const { answers, busy, model, bodyFor, canAsk, startOver } = conversation;
  const { turns } = conversation.draft;
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
          <Opens icon="copy" label="Copy as code" disabled={!canAsk}>
            {(close) => (
              <Dialog wide title="The same call as code" onClose={close}>
                <p class="muted">
                  Put a key in <code>SIGNALBOX_KEY</code>; keys are made under Settings.
                </p>
                <SnippetTabs snippets={requestSnippets(ADDRESS, bodyFor(model))} />
              </Dialog>
            )}
          </Opens>
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
          {turns.length > 0 && <Turns messages={turns} />}
          <MessageCard conversation={conversation} />
          {answers.length > 0 && <Answers {...conversation} />}
        </div>
        <aside class="stack" aria-label="Decision and options">
          <Preview key={model} body={bodyFor(model)} idle={!busy} />
          <Options {...conversation} />
        </aside>
      </div>
    </Page>
  );
};

const Answers = ({ answers, asked, model, other, goOn, returnResults }: Conversation) => (
  <div class={answers.length > 1 ? "columns answers" : ""}>
    {answers.map((answer, at) => (
      <AnswerPane
        key={at === 0 ? "first" : "second"}
        answer={answer}
        asked={at === 0 ? model : other!}
        question={messageText(asked)}
        onGoOn={goOn}
        onReturn={returnResults}
      />
    ))}
  </div>
);
