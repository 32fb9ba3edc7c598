/** Form controls, each with its label, hint and problem. */

import type { ComponentChildren, TargetedEvent } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plain } from "../format.ts";
import { Frame } from "./field.tsx";

type TextProps = Frame & {
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "password" | "url" | "date" | "search";
  placeholder?: string;
  required?: boolean;
  autoFocus?: boolean;
  autoComplete?: string;
  minLength?: number;
  list?: string[];
};

export const TextField = ({ value, onChange, list, type = "text", autoFocus, ...rest }: TextProps) => (
  <Frame {...rest}>
    {(tied) => (
      <>
        <input
          {...tied}
          class="input"
          type={type as "text"}
          value={value}
          placeholder={rest.placeholder ?? ""}
          required={rest.required ?? false}
          {...(rest.minLength !== undefined && { minLength: rest.minLength })}
          // biome-ignore lint/a11y/noAutofocus: only the first field of what the person just opened
          autoFocus={autoFocus ?? false}
          // Browsers heed "off" for all but passwords: they would fill in the dashboard's.
          autocomplete={(rest.autoComplete ?? (type === "password" ? "new-password" : "off")) as "off"}
          spellcheck={false}
          list={list && `${tied.id}-list`}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {list && <Suggestions of={tied.id} options={list} />}
      </>
    )}
  </Frame>
);

/** What is suggested in the field of that id, whose `list` names it. */
export const Suggestions = ({ of, options }: { of: string; options: readonly string[] }) => (
  <datalist id={`${of}-list`}>
    {options.map((option) => (
      <option key={option} value={option} />
    ))}
  </datalist>
);

/** The problem to show at a name field: the server's message, or plainer words if the name is empty. */
export const nameProblem = (problem: string | undefined, name: string): string | undefined =>
  problem !== undefined && name.trim() === "" ? "Give it a name." : problem;

type NumberProps = Frame & {
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  step?: number | "any";
  placeholder?: string;
};

/** Null if the field is empty or not yet a number ("-", "1e"). */
const numberIn = (text: string): number | null => (text === "" || Number.isNaN(Number(text)) ? null : Number(text));

/** Keeps the text as typed ("0.0" on the way to 0.05): it is overwritten only if `value` is another number. */
export const NumberField = ({ value, onChange, min, max, step = "any", placeholder, problem, ...rest }: NumberProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [isUnread, setUnread] = useState(false);
  useLayoutEffect(() => {
    const field = input.current!;
    if (numberIn(field.value) !== value) field.value = value === null ? "" : plain(value);
  });
  return (
    <Frame {...rest} problem={isUnread ? "This is not a number." : problem}>
      {(tied) => (
        <input
          {...tied}
          ref={input}
          class="input"
          type="number"
          inputMode="decimal"
          min={min}
          max={max}
          step={step}
          placeholder={placeholder}
          onInput={({ currentTarget: { value, validity } }) => {
            // A number on its way to its end ("-", "1e") is not complained of.
            if (!validity.badInput) setUnread(false);
            onChange(numberIn(value));
          }}
          onBlur={({ currentTarget }) => setUnread(currentTarget.validity.badInput)}
        />
      )}
    </Frame>
  );
};

type AreaProps = Frame & {
  value: string;
  onChange: (value: string) => void;
  rows?: number;
  code?: boolean;
  placeholder?: string;
  onSubmit?: () => void;
};

export const AreaField = ({ value, onChange, rows = 4, code = false, placeholder, onSubmit, ...rest }: AreaProps) => (
  <Frame {...rest}>
    {(tied) => (
      <textarea
        {...tied}
        class={code ? "code" : ""}
        dir={code ? "ltr" : "auto"}
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellcheck={!code}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (onSubmit && event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            onSubmit();
          }
        }}
      />
    )}
  </Frame>
);

export type Option = { value: string; label: string };
/** The selectable options, with their labels. */
export const optionsOf = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Options whose labels are their values. */
export const same = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

type SelectProps = Frame & { value: string; onChange: (value: string) => void; options: Option[] };

/** A value that is not among the options is shown too, because a URL may contain any. */
export const SelectField = ({ value, onChange, options: known, ...rest }: SelectProps) => {
  const options = value === "" || known.some((option) => option.value === value) ? known : [...same([value]), ...known];
  return (
    <Frame {...rest}>
      {(tied) => (
        <select {...tied} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
};

/** Shows the new state while the change runs, and afterwards the actual one, so that a failed change does not look done. */
const useTruth = (checked: boolean, onChange: (on: boolean) => unknown) => {
  const latest = useRef(checked);
  latest.current = checked;
  return async ({ currentTarget: input }: TargetedEvent<HTMLInputElement>) => {
    await onChange(input.checked);
    input.checked = latest.current;
  };
};

type CheckProps = {
  label: ComponentChildren;
  hint?: ComponentChildren;
  checked: boolean;
  /** May return a promise that resolves when the change has succeeded or failed. */
  onChange: (on: boolean) => unknown;
  disabled?: boolean;
};

export const Check = ({ label, hint, checked, onChange, disabled }: CheckProps) => {
  const id = useId();
  return (
    <div class="check">
      <input id={id} type="checkbox" checked={checked} disabled={disabled} onChange={useTruth(checked, onChange)} />
      <label for={id}>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </label>
    </div>
  );
};

type SwitchProps = Pick<CheckProps, "checked" | "onChange" | "disabled"> & { label: string; hideLabel?: boolean };

export const Switch = ({ label, checked, onChange, disabled, hideLabel }: SwitchProps) => (
  <label class="switch">
    <input
      type="checkbox"
      role="switch"
      aria-checked={checked}
      checked={checked}
      disabled={disabled}
      onChange={useTruth(checked, onChange)}
    />
    <span class={hideLabel ? "visually-hidden" : ""}>{label}</span>
  </label>
);

type SegmentedProps = { label: string; value: string; onChange: (value: string) => void; options: Option[]; wide?: boolean };

export const Segmented = ({ label, value, onChange, options, wide }: SegmentedProps) => {
  const name = useId();
  return (
    <div class={`segmented ${wide ? "wide" : ""}`} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  );
};
