/** Images, videos, speech and transcripts, each with a form and its results. */

import type { FunctionComponent } from "preact";
import { Page } from "../../parts/page.tsx";
import { hrefTo, place } from "../../router.ts";
import { Speech, Transcription } from "./audio.tsx";
import { Images } from "./images.tsx";
import { Videos } from "./videos.tsx";

export const Media = () => {
  const chosen = SECTIONS.find(({ id }) => id === place.value.id) ?? SECTIONS[0]!;
  return (
    <Page
      title="Media"
      lead="Generated files are kept in the database and served from signed links: images for an hour, video and speech for a day."
    >
      <nav class="tabs" aria-label="Kinds of media">
        {SECTIONS.map(({ id, label }) => (
          <a key={id} href={hrefTo("media", id)} aria-current={id === chosen.id ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <chosen.Section />
    </Page>
  );
};

const SECTIONS: { id: string; label: string; Section: FunctionComponent }[] = [
  { id: "images", label: "Images", Section: Images },
  { id: "video", label: "Video", Section: Videos },
  { id: "speech", label: "Speech", Section: Speech },
  { id: "transcription", label: "Transcription", Section: Transcription },
];
