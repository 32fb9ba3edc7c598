/** Everything but chats that can be tried: images, videos, speech, transcripts, rankings and moderations, each with a form and its results. */

import { Page } from "../../parts/page.tsx";
import { chosenOf, type Section, Sections } from "../../parts/sections.tsx";
import { Speech, Transcription } from "./audio.tsx";
import { Edits } from "./edits.tsx";
import { Images } from "./images.tsx";
import { Moderation } from "./moderation.tsx";
import { Ranking } from "./ranking.tsx";
import { Videos } from "./videos.tsx";

const SECTIONS: Section[] = [
  { id: "images", label: "Images", Content: Images },
  { id: "edits", label: "Edits", Content: Edits },
  { id: "video", label: "Video", Content: Videos },
  { id: "speech", label: "Speech", Content: Speech },
  { id: "transcription", label: "Transcription", Content: Transcription },
  { id: "ranking", label: "Ranking", Content: Ranking },
  { id: "moderation", label: "Moderation", Content: Moderation },
];

export const Media = () => (
  <Page
    title="Media"
    section={chosenOf(SECTIONS).label}
    lead="Generated files are kept in the database and served from signed links: images for an hour, video and speech for a day."
  >
    <Sections page="media" label="Kinds of media" sections={SECTIONS} />
  </Page>
);
