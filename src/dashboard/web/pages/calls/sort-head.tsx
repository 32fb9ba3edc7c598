/** The head of a column by which the log can be sorted: the first press puts the highest first, the next turns the order. */

import type { ComponentChildren } from "preact";
import { queryOf, setQuery } from "../../router.ts";

type Props = { by: string; class?: string; title?: string; children: ComponentChildren };

export const SortHead = ({ by, children, ...head }: Props) => {
  const isSorted = (queryOf("sort_by") ?? "timestamp") === by;
  const isAscending = isSorted && queryOf("sort_order") === "asc";
  const sort = () =>
    setQuery({
      sort_by: by === "timestamp" ? null : by,
      sort_order: isSorted && !isAscending ? "asc" : null,
      offset: null,
    });
  return (
    <th {...head} aria-sort={isSorted ? (isAscending ? "ascending" : "descending") : undefined}>
      <button type="button" class="sort" onClick={sort}>
        {children}
      </button>
    </th>
  );
};
