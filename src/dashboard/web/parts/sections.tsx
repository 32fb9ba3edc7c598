/** The sections of a page: tabs whose choice is in the URL, and the content of the chosen one, by default the first. */

import type { FunctionComponent } from "preact";
import { hrefTo, place } from "../router.ts";

export type Section = { id: string; label: string; Content: FunctionComponent };

export const chosenOf = (sections: Section[]): Section => sections.find(({ id }) => id === place.value.id) ?? sections[0]!;

export const Sections = ({ page, label, sections }: { page: string; label: string; sections: Section[] }) => {
  const chosen = chosenOf(sections);
  return (
    <>
      <nav class="tabs" aria-label={label}>
        {sections.map(({ id, label: name }) => (
          <a key={id} href={hrefTo(page, id)} aria-current={id === chosen.id ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <chosen.Content />
    </>
  );
};
