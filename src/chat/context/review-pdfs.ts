/**
 * PDFs in messages, for policies that review prompts. A PDF cannot be redacted in place, so one in which something has to be is sent as its
 * redacted text.
 */

import { invalidRequest, serviceUnavailable } from "../../api-error.ts";
import { type FailureReason, UNREAD_PAGE } from "../../documents/extract/extraction.ts";
import type { Platform } from "../../platform.ts";
import { type ContentRules, isStricter, strictestOf } from "../../policies/content/content-rules.ts";
import { partsOf } from "../../providers/dialect/message-parts.ts";
import type { ChatRequest, ContentPart, DocumentPart } from "../../providers/provider.ts";
import { inlinePdfs } from "../attempts/inline-media.ts";
import type { CallDraft } from "../call-draft.ts";

/** Reviews a text and returns it as it may be sent. */
export type Clean = (text: string, isJson?: boolean) => Promise<string>;

type PdfText = { text: string } | { unread: FailureReason };

/** Reading each starts a process. */
const MOST_PDFS = 20;
/** Of all PDFs of a request: more than any model's context holds. */
const MOST_CHARACTERS = 5_000_000;

/** For all PDFs of a request, including the wait for those of other requests, which are read one at a time. */
const LONGEST_READING_MS = 60_000;

/** What is looked for in texts, beside the criteria of a judge. */
const treatmentsOf = ({ personalData, terms }: ContentRules) => [
  ...personalData.values(),
  ...terms.flatMap(({ treatments }) => treatments),
];

const pdfsIn = ({ messages }: ChatRequest): DocumentPart[] =>
  messages.flatMap(({ content }) => partsOf(content).filter((part) => part.type === "document"));

/**
 * The request with its PDFs fetched, and the parts to send instead of them. Pages without text are pictures, which are not reviewed. If more
 * than a warning depends on it, throws 400 for a PDF that cannot be read, and 503 if reading takes too long.
 */
export const reviewPdfs = async (
  platform: Platform,
  { caller, signal: callerSignal }: CallDraft,
  rules: ContentRules,
  request: ChatRequest,
  clean: Clean,
): Promise<{ request: ChatRequest; instead: ReadonlyMap<ContentPart, ContentPart> }> => {
  const instead = new Map<ContentPart, ContentPart>();
  const treatments = treatmentsOf(rules);
  if (treatments.length === 0 || pdfsIn(request).length === 0) return { request, instead };
  const signal = AbortSignal.any([callerSignal, platform.cutOff.signal]);
  const fetched = await inlinePdfs(platform, caller.mode, request, signal);
  const pdfs = pdfsIn(fetched).filter(({ data }) => data !== "");
  const mustRead = isStricter(strictestOf(treatments), "warn");
  if (mustRead && pdfs.length > MOST_PDFS) throw unreadable(`has more than ${MOST_PDFS} PDFs`);
  const deadline = AbortSignal.timeout(LONGEST_READING_MS);
  const readUntil = AbortSignal.any([signal, deadline]);
  let characters = 0;
  for (const pdf of pdfs.slice(0, MOST_PDFS)) {
    const read = await readPdf(platform, caller.project.id, pdf, readUntil).catch((error): PdfText => {
      if (!deadline.aborted) throw error;
      if (mustRead) throw serviceUnavailable("Reading the PDFs in `messages` for the project's content policies took too long.");
      return { unread: "time" };
    });
    if ("text" in read) characters += read.text.length;
    if ("text" in read && characters <= MOST_CHARACTERS) instead.set(pdf, await cleanPdf(pdf, read.text, clean));
    else if (mustRead) throw unreadable(`has a PDF that cannot be read (${"unread" in read ? read.unread : "characters"})`);
  }
  return { request: fetched, instead };
};

const unreadable = (problem: string) =>
  invalidRequest(`The project's content policies review prompts, but \`messages\` ${problem}.`, "messages");

const readPdf = async (
  { documents }: Platform,
  projectId: string,
  { data }: DocumentPart,
  signal: AbortSignal,
): Promise<PdfText> => {
  const extraction = await documents.readAttached(projectId, data, signal);
  if ("reason" in extraction) return isPicture(extraction.reason) ? { text: "" } : { unread: extraction.reason };
  const pages = extraction.pages.map(({ text }) => text);
  return pages.includes(UNREAD_PAGE) ? { unread: "corrupt" } : { text: pages.join("\n\n") };
};

const isPicture = (reason: FailureReason): boolean => reason === "scanned" || reason === "empty";

const cleanPdf = async ({ name, ...pdf }: DocumentPart, text: string, clean: Clean): Promise<ContentPart> => {
  const title = name === undefined ? undefined : await clean(name);
  const cleaned = await clean(text);
  const named = { ...pdf, ...(title !== undefined && { name: title }) };
  return cleaned === text
    ? named
    : { type: "text", text: [title, cleaned].filter(Boolean).join("\n\n"), insteadOf: { ...named, data: "" } };
};
