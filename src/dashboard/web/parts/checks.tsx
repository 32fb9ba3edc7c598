/** Several of a list: a check for each. */

import type { ComponentChildren } from "preact";
import { Check, type Option } from "./controls.tsx";

type Props = {
  legend: string;
  options: readonly Option[];
  chosen: readonly string[];
  /** In the order of the options; what is chosen and not among them stays, before them. */
  onChange: (chosen: string[]) => void;
  class?: string;
  children?: ComponentChildren;
};

export const Checks = ({ legend, options, chosen, onChange, class: name = "checks", children }: Props) => {
  const values = options.map(({ value }) => value);
  const turn = (value: string, on: boolean) =>
    onChange([
      ...chosen.filter((one) => !values.includes(one)),
      ...values.filter((one) => (one === value ? on : chosen.includes(one))),
    ]);
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class={name}>
        {options.map(({ value, label }) => (
          <Check key={value} label={label} checked={chosen.includes(value)} onChange={(on) => turn(value, on)} />
        ))}
      </div>
      {children}
    </fieldset>
  );
};
