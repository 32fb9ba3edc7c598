/** Code to copy, with tabs for its variants. */

import type { TargetedMouseEvent } from "preact";
import { useId, useState } from "preact/hooks";
import type { Snippet } from "../snippets.ts";
import { Icon } from "./icon.tsx";
import { say } from "./notice.tsx";

/**
 * The clipboard API needs https or localhost; elsewhere the old command still works. It copies a selection, which must be `beside` the button:
 * while a dialog is open, nothing outside of it can be selected.
 */
const copyText = async (text: string, beside: HTMLElement): Promise<void> => {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  beside.after(area);
  area.select();
  const went = document.execCommand("copy");
  area.remove();
  beside.focus();
  if (!went) throw new Error("The browser refused to copy.");
};

export const CopyButton = ({ text, label = "Copy", quiet = false }: { text: string; label?: string; quiet?: boolean }) => {
  const [done, setDone] = useState(false);
  const copy = async ({ currentTarget: button }: TargetedMouseEvent<HTMLButtonElement>) => {
    try {
      await copyText(text, button);
      setDone(true);
      setTimeout(() => setDone(false), 1_600);
    } catch {
      say("The browser did not allow copying; select the text instead.", "red");
    }
  };
  return (
    <button type="button" class={`button small ${quiet ? "quiet" : ""}`} onClick={copy}>
      <Icon name={done ? "check" : "copy"} />
      <span aria-live="polite">{done ? "Copied" : label}</span>
    </button>
  );
};

export const CodeBlock = ({ code, label, wrap = false }: { code: string; label: string; wrap?: boolean }) => (
  <div class={`code-block ${wrap ? "wrap" : ""}`}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section tabIndex={0} aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
    <CopyButton text={code} />
  </div>
);

/** The same call in each client's code. */
export const SnippetTabs = ({ snippets }: { snippets: Snippet[] }) => {
  const [chosen, setChosen] = useState("");
  const id = useId();
  const index = Math.max(
    0,
    snippets.findIndex((snippet) => snippet.id === chosen),
  );
  const shown = snippets[index]!;
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = snippets[(index + step + snippets.length) % snippets.length]!;
    setChosen(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <div class="stack tight">
      <div class="tabs" role="tablist" aria-label="Clients" onKeyDown={move}>
        {snippets.map((snippet) => (
          <button
            key={snippet.id}
            id={`${id}-${snippet.id}`}
            type="button"
            role="tab"
            aria-selected={snippet === shown}
            aria-controls={`${id}-panel`}
            tabIndex={snippet === shown ? 0 : -1}
            onClick={() => setChosen(snippet.id)}
          >
            {snippet.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown.id}`}>
        <CodeBlock code={shown.code} label={shown.label} />
      </div>
    </div>
  );
};
