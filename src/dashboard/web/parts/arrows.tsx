/** Buttons that move a list entry up or down. The focus stays with the entry as it moves. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

type Props = {
  name: string;
  /** The entry's index, and the length of the list. */
  at: number;
  of: number;
  disabled?: boolean;
  onMove: (to: number) => unknown;
};

export const Arrows = ({ name, at, of, disabled = false, onMove }: Props) => {
  const buttons = { up: useRef<HTMLButtonElement>(null), down: useRef<HTMLButtonElement>(null) };
  const pressed = useRef<Direction | null>(null);
  useLayoutEffect(() => {
    const direction = pressed.current;
    pressed.current = null;
    if (direction === null) return;
    const isAtEnd = direction === "up" ? at === 0 : at === of - 1;
    buttons[isAtEnd ? OPPOSITE[direction] : direction].current?.focus();
  }, [at]);
  const arrow = (direction: Direction, to: number) => (
    <button
      type="button"
      ref={buttons[direction]}
      class="button quiet icon"
      disabled={disabled || to < 0 || to >= of}
      aria-label={`Move ${name} ${direction}`}
      aria-description={`${at + 1} of ${of}`}
      onClick={() => {
        pressed.current = direction;
        onMove(to);
      }}
    >
      <Icon name={direction} />
    </button>
  );
  return (
    <span class="arrows">
      {arrow("up", at - 1)}
      {arrow("down", at + 1)}
    </span>
  );
};

type Direction = "up" | "down";
const OPPOSITE = { up: "down", down: "up" } as const;
