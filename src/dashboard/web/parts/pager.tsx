/** Through a long list a page at a time. The place is in the URL, and Back undoes each step. */

import type { ComponentChildren } from "preact";
import { number } from "../format.ts";
import { queryOf, setQuery } from "../router.ts";
import { Icon } from "./icon.tsx";

export const PAGE_SIZE = 50;

/** Where the list begins, by the URL. */
export const listOffset = (): number => Math.max(0, Math.floor(Number(queryOf("offset")) || 0));

/** `sum`: what all of the list come to together. */
export const Pager = ({ shown, total, sum }: { shown: number; total: number; sum?: string }) => {
  const offset = listOffset();
  if (total === 0) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span>
        {shown === 0 ? "Nothing this far" : `${number(offset + 1)}–${number(offset + shown)}`} of {number(total)}
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

/** At the end of the list it does nothing, and keeps the focus of who came there by pressing it. */
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
