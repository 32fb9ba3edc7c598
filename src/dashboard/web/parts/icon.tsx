/** Line icons drawn for this dashboard, 16 units wide, in the colour of the text. */

const PATHS = {
  overview: "M2 13.5h12M3.5 11V7.5M7 11V3M10.5 11V6M14 11V4.5",
  calls: "M2.5 4h11M2.5 8h11M2.5 12h7",
  playground: "M3 3.5v9l10-4.5z",
  documents: "M4 1.8h5l3.2 3.2v9.2H4zM9 2v3.2h3.2",
  sessions: "M2.5 3h11v7.5H8L5 13.4v-2.9H2.5z",
  schemas:
    "M6 2.5c-2 0-2 1.2-2 2.6S4 7.6 2.4 8C4 8.4 4 9.6 4 11s0 2.5 2 2.5M10 2.5c2 0 2 1.2 2 2.6s0 2.5 1.6 2.9C12 8.4 12 9.6 12 11s0 2.5-2 2.5",
  media: "M2 3h12v10H2zM2 11l3.5-3.5 3 3L11 8l3 3M10.5 5.8h.01",
  policies: "M8 1.8l5 1.9v4c0 3.2-2.1 5.4-5 6.5-2.9-1.1-5-3.3-5-6.5v-4zM5.8 8l1.6 1.6 2.9-3",
  providers: "M3 2.5h10v4H3zM3 9.5h10v4H3zM5.5 4.5h.01M5.5 11.5h.01",
  settings: "M2.5 4.5h6M12 4.5h1.5M10.2 2.8v3.4M2.5 11.5h1.6M7.5 11.5h6M5.8 9.8v3.4",
  start: "M8 2v7M8 9l-3 3M8 9l3 3M4 14h8",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  check: "M3 8.5l3.5 3.5L13 4.5",
  plus: "M8 3v10M3 8h10",
  trash: "M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.6 9h5.8l.6-9",
  sun: "M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1",
  moon: "M12.8 9.6A5.5 5.5 0 016.4 3.2a5.5 5.5 0 106.4 6.4z",
  auto: "M8 2.2a5.8 5.8 0 100 11.6zM8 2.2a5.8 5.8 0 010 11.6",
  out: "M6 2.5H3v11h3M7 8h6.5M11 5.5L13.5 8 11 10.5",
  up: "M8 12.5v-9M4.5 7L8 3.5 11.5 7",
  down: "M8 3.5v9M4.5 9L8 12.5 11.5 9",
  left: "M10 3.5L5.5 8l4.5 4.5",
  right: "M6 3.5L10.5 8 6 12.5",
  grip: "M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01",
  download: "M8 2.5v8M5 7.5l3 3 3-3M3 13.5h10",
  upload: "M8 11V3M5 6l3-3 3 3M3 13.5h10",
  clip: "M11.5 6.5l-4.8 4.8a2 2 0 01-2.9-2.9l5.5-5.5a1.3 1.3 0 011.9 1.9L6 10",
  stop: "M4 4h8v8H4z",
  book: "M3 2.5h8.5a1.5 1.5 0 011.5 1.5v9.5H4.5A1.5 1.5 0 013 12zM3 12a1.5 1.5 0 011.5-1.5H13",
} as const;
export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
);

export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#1f2a30" />
    <rect x="8" y="5" width="3" height="22" rx="1.5" fill="#e9e6dc" />
    <g transform="rotate(-32 9.5 10)">
      <rect x="9.5" y="7" width="17" height="6" rx="1" fill="#39b27c" />
      <rect x="21" y="7" width="2.4" height="6" fill="#e9e6dc" />
    </g>
    <circle cx="9.5" cy="10" r="2.6" fill="#e9e6dc" />
  </svg>
);
