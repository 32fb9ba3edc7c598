/** A call's prompt and answer, as far as they are stored. Texts are never rendered as HTML. */

import { useState } from "preact/hooks";
import { wholeText } from "../../message-text.ts";
import { ownAddress } from "../../own-address.ts";
import { CodeBlock } from "../../parts/code.tsx";
import { hrefTo } from "../../router.ts";
import type { LogDetail } from "../../wire.ts";

export const Conversation = ({ entry }: { entry: LogDetail }) => {
  const { messages, text } = entry.prompt;
  if (messages === null && text === null)
    return <p class="muted">The prompt is not in the log: the project's settings or a policy keep it out, or it was deleted.</p>;
  if (text === "" && (messages === null || messages.length <= 1))
    return <p class="muted">There was no text. Recordings and pictures are not kept in the log.</p>;
  if (messages === null || messages.length <= 1) return <TextBlock label="Text of the prompt" text={text} />;
  return (
    <div class="stack tight">
      {messages.map((message, at) => (
        <div key={at}>
          <div class="small muted">{message.role}</div>
          <TextBlock label={`Message ${at + 1}`} text={wholeText(message)} />
        </div>
      ))}
    </div>
  );
};

export const Answer = ({ entry }: { entry: LogDetail }) => {
  const { text, parsed_json, images } = entry.output;
  if (parsed_json !== null && parsed_json !== undefined)
    return <CodeBlock wrap label="Answer as JSON" code={JSON.stringify(parsed_json, null, 2)} />;
  if (text === null) return <p class="muted">Not stored.</p>;
  if (text === "") return <p class="muted">{images ? "Only pictures, which the log does not keep." : "There was no answer."}</p>;
  if (entry.metadata.kind === "image" && entry.execution.success) return <Pictures links={text.split("\n")} />;
  if (entry.metadata.kind === "video" && entry.execution.success)
    return (
      <p>
        The job <span class="mono wrap-anywhere">{text}</span>. <a href={hrefTo("media", "video")}>Follow it under Media</a>.
      </p>
    );
  return <TextBlock label="Text of the answer" text={text} />;
};

const TextBlock = ({ label, text }: { label: string; text: string | null }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section class="text-block" dir="auto" tabIndex={0} aria-label={label}>
    {text}
  </section>
);

/** The images until their links expire; after that, only that there were some. */
const Pictures = ({ links }: { links: string[] }) => {
  const [gone, setGone] = useState(false);
  if (gone) return <p class="muted">The pictures are deleted: they are kept for one hour.</p>;
  return (
    <div class="gallery">
      {links.map((link) => (
        <a key={link} href={ownAddress(link)} target="_blank" rel="noreferrer">
          <img class="generated" src={ownAddress(link)} alt="What was drawn" onError={() => setGone(true)} />
        </a>
      ))}
    </div>
  );
};
