/** The next message: its text and attachments, and the buttons to send it and to stop the answers. */

import { Attachments } from "../../parts/attachments.tsx";
import { AreaField } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Card } from "../../parts/page.tsx";
import type { Conversation } from "./use-conversation.ts";

const EXAMPLES = [
  "Summarize in one sentence: a signal box is where the routes of a railway are set.",
  "Write a TypeScript function that checks an IBAN.",
  "A train leaves at 07:42 with 80 km/h, another 120 km away at 08:00 with 100 km/h. When do they meet?",
];

export const MessageCard = ({ conversation }: { conversation: Conversation }) => {
  const { draft, change, field, ask } = conversation;
  const { turns, text, attached } = draft;
  return (
    <Card>
      <div class="stack">
        <AreaField label="Your message" {...field("text")} rows={6} onSubmit={ask} placeholder="Ask something" />
        {text === "" && turns.length === 0 && (
          <div class="row examples">
            {EXAMPLES.map((example) => (
              <button key={example} type="button" class="button small" onClick={() => change({ text: example })}>
                {example}
              </button>
            ))}
          </div>
        )}
        <Attachments attached={attached} onChange={(files) => change({ attached: files })} />
        <div class="row between">
          <span class="muted small">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends it
          </span>
          <SendOrStop {...conversation} />
        </div>
      </div>
    </Card>
  );
};

const SendOrStop = ({ busy, stop, ask, canAsk, other }: Conversation) =>
  busy ? (
    // The second half of a double click on "Ask" falls on it, and is not meant for it.
    <button type="button" class="button" onClick={({ detail }) => detail < 2 && stop()}>
      <Icon name="stop" /> Stop
    </button>
  ) : (
    <button type="button" class="button primary" onClick={ask} disabled={!canAsk}>
      <Icon name="playground" /> {other === null ? "Ask" : "Ask both"}
    </button>
  );
