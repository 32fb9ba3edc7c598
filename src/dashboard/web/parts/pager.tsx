/** Through a long list a page at a time. The place is in the URL, and Back undoes each step. */

import { number } from "../format.ts";
import { queryOf, setQuery } from "../router.ts";
import { Icon } from "./icon.tsx";

export const PAGE_SIZE = 50;

/** Where the list begins, by the URL. */
export const listOffset = (): number => Math.max(0, Math.floor(Number(queryOf("offset")) || 0));

export const Pager = ({ shown, total }: { shown: number; total: number }) => {
  const offset = listOffset();
  const turn = (to: number) => {
    setQuery({ offset: to <= 0 ? null : String(to) }, { replace: false });
    window.scrollTo(0, 0);
  };
  if (total === 0) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span>
        {shown === 0 ? "Nothing this far" : `${number(offset + 1)}–${number(offset + shown)}`} of {number(total)}
      </span>
      {(total > PAGE_SIZE || offset > 0) && (
        <div class="row">
          <button type="button" class="button small" disabled={offset === 0} onClick={() => turn(offset - PAGE_SIZE)}>
            <Icon name="left" /> Previous
          </button>
          <button type="button" class="button small" disabled={offset + shown >= total} onClick={() => turn(offset + PAGE_SIZE)}>
            Next <Icon name="right" />
          </button>
        </div>
      )}
    </nav>
  );
};
