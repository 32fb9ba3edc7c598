/** Images, videos, speech and transcripts, each with a form and its results. */

import { Page } from "../../parts/page.tsx";
import { chosenOf, type Section, Sections } from "../../parts/sections.tsx";
import { Speech, Transcription } from "./audio.tsx";
import { Images } from "./images.tsx";
import { Videos } from "./videos.tsx";

const SECTIONS: Section[] = [
  { id: "images", label: "Images", Content: Images },
  { id: "video", label: "Video", Content: Videos },
  { id: "speech", label: "Speech", Content: Speech },
  { id: "transcription", label: "Transcription", Content: Transcription },
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
