/** Pages through a long list. The position is in the URL, and Back undoes each step. */

import type { ComponentChildren } from "preact";
import { number } from "../format.ts";
import { queryOf, setQuery } from "../router.ts";
import { Icon } from "./icon.tsx";

export const PAGE_SIZE = 50;

/** The offset of the page, from the URL. */
export const listOffset = (): number => Math.max(0, Math.floor(Number(queryOf("offset")) || 0));

/** `sum`: a total over the whole list, all pages included. */
export const Pager = ({ shown, total, sum }: { shown: number; total: number; sum?: string }) => {
  const offset = listOffset();
  if (total === 0) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span aria-live="polite">
        {shown === 0 ? "None" : `${number(offset + 1)}–${number(offset + shown)}`} of {number(total)}
        {sum !== undefined && `, ${sum}`}
      </span>
      {(total > PAGE_SIZE || offset > 0) && (
        <div class="row">
          <Turn to={offset - PAGE_SIZE} ends={offset === 0}>
            <Icon name="left" /> Previous
          </Turn>
          <Turn to={offset + PAGE_SIZE} ends={offset + shown >= total}>
            Next <Icon name="right" />
          </Turn>
        </div>
      )}
    </nav>
  );
};

/** At the end of the list it does nothing but stays focusable, so that a keyboard user does not lose the focus. */
const Turn = ({ to, ends, children }: { to: number; ends: boolean; children: ComponentChildren }) => {
  const turn = () => {
    if (ends) return;
    setQuery({ offset: to <= 0 ? null : String(to) }, { replace: false });
    window.scrollTo(0, 0);
  };
  return (
    <button type="button" class="button small" aria-disabled={ends} onClick={turn}>
      {children}
    </button>
  );
};
