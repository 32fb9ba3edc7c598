/** Removes invisible characters, which could hide personal data, and maps offsets back to the original. */
import { type OffsetMap, offsetMap } from "./offset-map.ts";

/** The visible text, mapped to the whole one; its end is mapped to the whole's end. */
type VisibleText = OffsetMap & { text: string };

/** Further ones of a run count as visible: a bound for streams, which hold back what a finding may still need. */
const LONGEST_RUN = 16;

const SHOWS_NOTHING = /\p{Default_Ignorable_Code_Point}/u;
const EACH = /\p{Default_Ignorable_Code_Point}/gu;

/** The other half of a surrogate may still come; until then its visibility is unknown. */
export const endsInHalfCharacter = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;

export const visibleText = (text: string): VisibleText => {
  const whole = endsInHalfCharacter(text) ? text.slice(0, -1) : text;
  if (whole === text && !SHOWS_NOTHING.test(text)) return { text, inward: (index) => index, outward: (index) => index };
  const inner = [0];
  const outer = [0];
  let visible = "";
  let from = 0;
  let run = 0;
  let end = -1;
  for (const { index, 0: character } of whole.matchAll(EACH)) {
    run = index === end ? run + 1 : 1;
    end = index + character.length;
    if (run > LONGEST_RUN) continue;
    visible += whole.slice(from, index);
    from = end;
    inner.push(visible.length);
    outer.push(from);
  }
  visible += whole.slice(from);
  const { inward, outward } = offsetMap(inner, outer, visible.length);
  return { text: visible, inward, outward: (index) => (index === visible.length ? text.length : outward(index)) };
};

/** Where a text may be cut so that at least `count` visible characters are left before `end`. */
export const contextBefore = (text: string, end: number, count: number): number => {
  if (end <= count || !SHOWS_NOTHING.test(text)) return Math.max(0, end - count);
  // The first run may be cut in two, and its rest then begins to count anew.
  const wanted = count + LONGEST_RUN;
  const visible = visibleText(text.slice(0, end));
  return visible.text.length <= wanted ? 0 : visible.outward(visible.text.length - wanted);
};
