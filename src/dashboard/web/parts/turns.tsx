/** The turns of a conversation, the user's on the other side. */

import { ago, exactly } from "../format.ts";
import { type Message, wholeText } from "../message-text.ts";

export const Turns = ({ messages }: { messages: readonly (Message & { created_at?: string })[] }) => (
  <div class="turns">
    {messages.map((message, at) => (
      <div key={at} class={`turn ${message.role}`}>
        <span class="small muted" title={message.created_at && exactly(message.created_at)}>
          {message.role}
          {message.created_at && ` · ${ago(message.created_at)}`}
        </span>
        <div class="pre-wrap wrap-anywhere" dir="auto">
          {wholeText(message)}
        </div>
      </div>
    ))}
  </div>
);
