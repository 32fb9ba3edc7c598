/** Whether an instruction asks for a picture, a clip or spoken audio to be made (spec §2 rule 6). A wrong trigger costs money. */
import type { MediaIntent } from "../catalog/task-type.ts";
import type { Encoder } from "../encoder/encoder.ts";

export type MediaVerdict = { media: MediaIntent; confidence: number };

const MAKE =
  "(?:generate|create|make|draw|paint|render|illustrate|design|produce|sketch|give me|show me|record|narrate|i need|i want|i'd like)";
const OBJECTS: [MediaIntent, RegExp][] = [
  [
    "speech",
    new RegExp(
      `\\b(?:read (?:this|it|the following)[^.]{0,40} (?:aloud|out loud)|text.to.speech|${MAKE}[^.]{0,60}\\b(?:voice.?over|audio|spoken|speech (?:file|clip)))\\b`,
    ),
  ],
  ["video", new RegExp(`\\b(?:${MAKE}|animate)\\b[^.]{0,50}\\b(?:video|clip|animation|film|footage)\\b`)],
  [
    "image",
    new RegExp(
      `\\b(?:draw|paint|sketch)\\b|\\b${MAKE}\\b[^.]{0,50}\\b(?:image|picture|photo|illustration|logo|painting|drawing|poster|icon|portrait|artwork)\\b`,
    ),
  ],
];
/** Words that turn such a request into one about text, code or an existing file. */
const VETO =
  /\b(code|script|function|html|svg|css|python|prompt|caption|alt text|describe|description|transcri|search|edit|crop|conclusion|attached|story about|title|ideas?)\b/;

export function detectMedia(_encoder: Encoder, instruction: string): MediaVerdict {
  const head = instruction.slice(0, 400).toLowerCase();
  if (VETO.test(head)) return { media: "none", confidence: 0.9 };
  for (const [media, pattern] of OBJECTS) if (pattern.test(head)) return { media, confidence: 0.85 };
  return { media: "none", confidence: 0.97 };
}
