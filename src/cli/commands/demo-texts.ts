/** What the demo project asks, keeps and checks: invented texts of an invented railway's help desk. */

export type DemoPrompt = {
  text: string;
  path?: "/v1/chat" | "/v1/chat/stream";
  schema_id?: string;
  model?: string;
};

const REPORT =
  "The 07:42 from Nordheim left nine minutes late because a door of the third coach did not close. The driver called the control room, which sent a fitter to Altbruck. The door was locked there and the coach ran on with a sign. Forty passengers missed their connection to Seeburg; the next train took them an hour later. The company pays half of the fare to everybody who asks within a month.";

export const DEMO_PROMPTS: readonly DemoPrompt[] = [
  { text: `Summarize for the shift log: ${REPORT}` },
  { text: `Summarize in one sentence: ${REPORT}`, path: "/v1/chat/stream" },
  { text: `Extract the train, the delay in minutes and the cause as JSON: ${REPORT}`, schema_id: "incident" },
  {
    text: "Extract name and booking number as JSON: Ms Okafor writes about booking SB-48213, seat 61, coach 4.",
    schema_id: "passenger",
  },
  { text: "Extract all stations as a JSON list: Nordheim, then Altbruck, a stop at Moor, and Seeburg in the end." },
  { text: "Classify this message as complaint, question or praise: The new timetable app is wonderful, thank you!" },
  { text: "Classify the sentiment: I waited two hours and nobody told us anything." },
  {
    text: "Is this urgent or not urgent? The lift at Altbruck station is out of order and a wheelchair user is waiting on platform 2.",
  },
  { text: "Write a friendly reply to a passenger whose suitcase was found in Seeburg.", path: "/v1/chat/stream" },
  { text: "Write a short notice for the platform: the 18:05 leaves from track 3 instead of track 5 today." },
  { text: "Write a poem of eight lines about a night train." },
  {
    text: "Write a TypeScript function that parses a timetable line such as '07:42 Nordheim 3' into time, station and track.",
    path: "/v1/chat/stream",
  },
  { text: "Why does this SQL take so long? SELECT * FROM stops WHERE date(left_at) = '2026-11-20' ORDER BY left_at" },
  { text: "Refactor this Python loop into a comprehension: for t in trains:\n  if t.late:\n    late.append(t.id)" },
  {
    text: "A train leaves Nordheim at 07:42 with 80 km/h, another leaves Seeburg, 120 km away, at 08:00 with 100 km/h towards it. When do they meet?",
  },
  {
    text: "Compare three ways to share the cost of a joint station between two companies and say which is fairest, step by step.",
  },
  { text: "Plan the rota of five signallers for seven days with two shifts a day so that nobody works more than five shifts." },
  { text: "Explain to a twelve-year-old how an interlocking keeps two trains apart." },
  { text: "Translate into German: Please mind the gap between the train and the platform." },
  { text: "How many minutes of delay give a right to half of the fare?" },
  { text: "Summarize: the meeting agreed on new radios. [[sandbox:refuse]]" },
  { text: "Extract the totals as JSON: 14 late trains, 3 cancelled. [[sandbox:bad-json]]" },
  { text: "List the risks of single-track working. [[sandbox:truncate]]" },
  { text: "What is the speed limit on the branch line? [[sandbox:error-500]]" },
  { text: "Which platform does the sleeper use? [[sandbox:rate-limit]]" },
  { text: "Confirm the contact: [[sandbox:reply=Write to claire.moreau@example.com or call 415-555-0132.]]" },
  { text: "Tell me tonight's closures. [[sandbox:error-500:always]]" },
];

/** Long enough to be searched instead of read whole. */
const HANDBOOK = [
  [
    "Setting a route",
    "The signaller names the start and the end of a route. The interlocking checks that no other route crosses it, sets and locks the points, proves that the track is clear and only then lets the signal clear.",
  ],
  [
    "Releasing a route",
    "A route is released piece by piece behind the train. If a piece stays locked after the train has gone, it is released by hand after two minutes and written into the book.",
  ],
  [
    "Points that do not move",
    "After two tries the points are kept as they lie. A fitter is called, trains are told to expect a caution order, and the points are clipped before any train runs over them by hand signal.",
  ],
  [
    "A signal that fails",
    "A signal that shows nothing counts as stop. The driver calls the box; the signaller may talk the train past it at walking pace once the section is known to be clear.",
  ],
  [
    "Single-track working",
    "It needs a pilot, a written order and the staff of the section. The pilot rides on every train or sends it and rides on the last. Nobody enters the section without the staff.",
  ],
  [
    "Level crossings",
    "A crossing that does not close is guarded by a person with a flag. Trains stop short of it and go on when they are told to, with the horn, at ten kilometres an hour.",
  ],
  [
    "Snow and leaves",
    "Point heaters are switched on below two degrees. In autumn the first train of the day runs without passengers, slowly, and tells the box where the rail is slippery.",
  ],
  [
    "Handing over the box",
    "The one who leaves names every train in the area, every block that is closed and every person on the track; the one who comes repeats it, and both sign the book.",
  ],
] as const;

export const DEMO_DOCUMENTS: readonly { filename: string; content: string; collection: string }[] = [
  {
    filename: "compensation.md",
    collection: "passenger-rights",
    content: `# Compensation for delay

A delay of sixty minutes or more gives a right to a quarter of the fare. From one hundred and twenty minutes on, half of the fare is paid back.
The claim must be made within one month of the journey, in the app, by letter or at any ticket office.

## Missed connections

Whoever misses a connection within one booking travels on with the next train at no cost. If no train runs any more, the company
pays a taxi up to eighty euro or a night in a hotel near the station.

## What does not count

Delay caused by weather is compensated like any other. Delay on the way to the station is not.`,
  },
  {
    filename: "luggage.md",
    collection: "passenger-rights",
    content: `# Luggage

Two suitcases and one bag travel free of charge. Bicycles need a ticket of their own and a reserved place in coach 1.
Skis and instruments count as one suitcase. Lost luggage is kept for eight weeks at Seeburg; a drawing or photograph helps to find it.`,
  },
  {
    filename: "interlocking-handbook.txt",
    collection: "operations",
    content: `Handbook of the interlocking at Altbruck\n\n${HANDBOOK.map(([title, text]) => `${title}\n\n${text}`).join("\n\n")}`,
  },
  {
    filename: "winter-timetable.txt",
    collection: "operations",
    content:
      "Winter timetable. The 07:42 from Nordheim calls at Altbruck at 08:03 and reaches Seeburg at 08:51. The sleeper leaves from platform 5 at 22:10. On Sundays the first train runs at 09:20.",
  },
];

export const DEMO_SCHEMAS: readonly { name: string; slug: string; description: string; schema: object }[] = [
  {
    name: "Incident",
    slug: "incident",
    description: "One line of the delay register.",
    schema: {
      type: "object",
      required: ["train", "delay_minutes", "cause"],
      properties: {
        train: { type: "string", description: "Time of departure and station" },
        delay_minutes: { type: "integer", minimum: 0 },
        cause: { type: "string" },
        passengers_affected: { type: "integer", minimum: 0 },
      },
      additionalProperties: false,
    },
  },
  {
    name: "Passenger",
    slug: "passenger",
    description: "Who wrote, and about which booking.",
    schema: {
      type: "object",
      required: ["name", "booking"],
      properties: {
        name: { type: "string" },
        booking: { type: "string", pattern: "^SB-[0-9]{5}$" },
        seat: { type: "integer" },
        coach: { type: "integer" },
      },
    },
  },
];
