/** A field for a list of words: Enter or a comma adds one, Backspace removes the last, pasted lines become several. */

import { useRef, useState } from "preact/hooks";
import { Suggestions } from "./controls.tsx";
import { Frame } from "./field.tsx";
import { Icon } from "./icon.tsx";

type TokensProps = Frame & {
  values: string[];
  onChange: (values: string[]) => void;
  suggestions?: string[];
  placeholder?: string;
};

/** Whether a suggestion was taken: the same letters typed may be the beginning of a longer name. */
const isChosen = ({ inputType }: InputEvent): boolean => inputType === undefined || inputType === "insertReplacementText";

export const TokensField = ({ values, onChange, suggestions = [], placeholder, ...rest }: TokensProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState("");
  const add = (text: string) => {
    const found = text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== "" && !values.includes(word));
    if (found.length > 0) onChange([...values, ...new Set(found)]);
    setDraft("");
  };
  return (
    <Frame {...rest}>
      {(tied) => (
        <div class="tokens">
          {values.map((value) => (
            <span class="token" key={value}>
              <span>{value}</span>
              <button
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => {
                  onChange(values.filter((other) => other !== value));
                  input.current?.focus();
                }}
              >
                <Icon name="close" />
              </button>
            </span>
          ))}
          <input
            {...tied}
            ref={input}
            value={draft}
            placeholder={values.length === 0 ? placeholder : ""}
            list={`${tied.id}-list`}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              const text = event.currentTarget.value;
              if (text.includes(",") || (isChosen(event) && suggestions.includes(text))) add(text);
              else setDraft(text);
            }}
            onPaste={(event) => {
              const text = event.clipboardData?.getData("text") ?? "";
              if (!/[,\n]/.test(text)) return;
              event.preventDefault();
              add(text);
            }}
            onBlur={() => draft.trim() !== "" && add(draft)}
            onKeyDown={(event) => {
              if (endsWord(event)) return;
              if (event.key === "Enter") {
                event.preventDefault();
                add(draft);
              } else if (event.key === "Backspace" && draft === "" && values.length > 0) onChange(values.slice(0, -1));
            }}
          />
          <Suggestions of={tied.id} options={suggestions.filter((option) => !values.includes(option))} />
        </div>
      )}
    </Frame>
  );
};

/** Whether the key only ends a word that is composed, as in Japanese. Safari says so by a code of old. */
const endsWord = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;
