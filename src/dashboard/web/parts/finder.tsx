/** A long list that is loaded whole: a field that finds entries in it, and one page of those found. Both are in the URL. */

import type { ComponentChildren } from "preact";
import { queryOf, setQuery } from "../router.ts";
import { TextField } from "./controls.tsx";
import { Empty } from "./notice.tsx";
import { listOffset, PAGE_SIZE, Pager } from "./pager.tsx";

/** From here on there is a field. */
const MANY = 10;

type Props<T> = {
  entries: readonly T[];
  /** What an entry can be found by. */
  textOf: (entry: T) => string;
  placeholder: string;
  /** Said if nothing is found. */
  none: string;
  children: (page: T[]) => ComponentChildren;
};

export const Finder = <T,>({ entries, textOf, placeholder, none, children }: Props<T>) => {
  const find = queryOf("find") ?? "";
  const found = entries.filter((entry) => textOf(entry).toLowerCase().includes(find.toLowerCase()));
  const page = found.slice(listOffset(), listOffset() + PAGE_SIZE);
  return (
    <>
      {(entries.length > MANY || find !== "") && (
        <div class="filters">
          <TextField
            label="Find"
            type="search"
            value={find}
            onChange={(text) => setQuery({ find: text, offset: null })}
            placeholder={placeholder}
          />
        </div>
      )}
      {found.length === 0 && <Empty title={none}>{null}</Empty>}
      {page.length > 0 && children(page)}
      {(entries.length > PAGE_SIZE || listOffset() > 0) && <Pager shown={page.length} total={found.length} />}
    </>
  );
};
