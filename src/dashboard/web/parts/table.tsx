/**
 * A table, told by its columns. Where there is little room, each row of a `stacked` one becomes a card: its cells under their heads; and of
 * a `compared` one two lines: the cell marked as `name`, and the others in columns, at most four.
 */

import type { ComponentChildren } from "preact";
import { go, queryOf, setQuery } from "../router.ts";

export type Column<Row> = {
  head: string;
  /** Only read out, as over buttons. */
  hidden?: boolean;
  /** What the head means. */
  note?: string;
  /** The list can be sorted by it, under this name in the URL. */
  sort?: string;
  class?: string;
  cell: (row: Row) => ComponentChildren;
  title?: (row: Row) => string | undefined;
};

type Props<Row> = {
  label: string;
  class?: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Where a click on the row leads. One of its cells has the link, for all who do not click. */
  hrefOf?: (row: Row) => string;
  classOf?: (row: Row) => string;
};

export const Table = <Row,>({ label, class: name, columns, rows, keyOf, hrefOf, classOf }: Props<Row>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on its own, also by keyboard
  <section class="table-scroll" tabIndex={0} aria-label={label}>
    <table class={name}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.head} {...column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            class={hrefOf ? "link" : classOf?.(row)}
            onClick={hrefOf && ((event) => follow(event, hrefOf(row)))}
          >
            {columns.map(({ head, hidden, cell, title, ...column }, at) => (
              <td key={head} class={column.class} title={title?.(row)} data-label={at === 0 || hidden ? undefined : head}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** The link itself is followed by the router, and selecting text is no click. */
const follow = ({ target }: Event, href: string): void => {
  if (!(target as Element).closest("a") && document.getSelection()?.isCollapsed !== false) go(href);
};

const Head = ({ head, hidden, note, sort, class: name }: Omit<Column<never>, "cell" | "title">) => {
  const order = sort === undefined ? undefined : orderBy(sort);
  return (
    <th class={name} title={note} aria-sort={order}>
      {sort ? (
        <button type="button" class="sort" onClick={() => turn(sort, order)}>
          {head}
        </button>
      ) : hidden ? (
        <span class="visually-hidden">{head}</span>
      ) : (
        head
      )}
    </th>
  );
};

/** How the URL sorts the list by this column, if it does. Unless it says otherwise, the list is sorted by time. */
const orderBy = (sort: string): "ascending" | "descending" | undefined => {
  if ((queryOf("sort_by") ?? "timestamp") !== sort) return undefined;
  return queryOf("sort_order") === "asc" ? "ascending" : "descending";
};

/** The first press puts the highest first, the next turns the order. */
const turn = (sort: string, order: string | undefined): void =>
  setQuery({
    sort_by: sort === "timestamp" ? null : sort,
    sort_order: order === "descending" ? "asc" : null,
    offset: null,
  });
