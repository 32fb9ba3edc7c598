/**
 * The document context of a chat call (spec.md Chat rule 4): small documents whole, large ones by their best passages, several within one
 * budget.
 */
import type { Caller } from "../../accounts/authenticate.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import { requireFeature } from "../../limits/require-tier.ts";
import type { Platform } from "../../platform.ts";
import { listPages } from "../content-store.ts";
import { CHARACTERS_PER_PAGE, chunkIdOf, type Document } from "../document.ts";
import { hasPages } from "../document-type.ts";
import type { Embedded } from "../embedding/embed-texts.ts";
import { functionWords } from "../index/function-words.ts";
import { choosePassages, spreadOver } from "./choose-passages.ts";
import { createPageFinder } from "./find-page.ts";
import { type Passage, type QueryOrder, queryDocuments } from "./query-documents.ts";
import { renderPassages, renderWhole } from "./render-documents.ts";
import { type NamedDocument, requireDocuments } from "./require-documents.ts";

type GatherOrder = {
  documents: NamedDocument[];
  /** The text that passages are searched by. */
  question: string;
  /** Tokens that the chosen model has left for context. */
  availableTokens: number;
};

/** `index`: the number under which the model sees the passage, or the whole document. */
export type Citation = { index: number; document_id: string; chunk_id: string; filename: string; page: number; score: number };
type GatheredDocuments = {
  /** For a user message before the conversation, never for the system role. */
  context: string;
  citations: Citation[];
  embedded?: Embedded;
};

/** With so many pages in all documents of the call, passages are given instead of whole documents. */
const FULL_BELOW_PAGES = 40;
const PASSAGE_BUDGET_TOKENS = 6_000;
/** Passages considered; more than the budget can hold. */
const PASSAGES = 60;
const CITED_OF_WHOLE = 5;
const WORTH_CITING = 0.3;

const cite = (
  { db, documents }: Platform,
  question: string,
  passages: readonly Passage[],
  indexOf: (chunk: Passage["chunk"]) => number,
): Citation[] => {
  const findPage = createPageFinder(db, documents.tokenize, question);
  return passages.map(({ chunk, score }) => ({
    index: indexOf(chunk),
    document_id: chunk.documentId,
    chunk_id: chunkIdOf(chunk.documentId, chunk.chunkIndex),
    filename: chunk.filename,
    page: findPage(chunk),
    score,
  }));
};

const readWhole = ({ db }: Platform, document: Document): string => {
  const pages = listPages(db, document.number);
  if (!hasPages(document.contentType)) return pages.map(({ text }) => text).join("");
  return pages.map(({ page, text }) => `[page ${page}]\n${text}`).join("\n\n");
};

const passagesOf = async (
  platform: Platform,
  caller: Caller,
  documents: Document[],
  order: GatherOrder,
): Promise<GatheredDocuments> => {
  const { passages, embedded } = await search(platform, caller, documents, {
    text: order.question,
    topK: PASSAGES,
    threshold: 0,
  });
  const budget = Math.min(PASSAGE_BUDGET_TOKENS, order.availableTokens);
  const isAboutWhole = (passages[0]?.score ?? 0) < WORTH_CITING || namesNoSubject(platform, order.question);
  const taken = choosePassages(platform.db, { documents, passages, budget, isAboutWhole });
  const places = new Map(documents.map(({ number }, at) => [number, at]));
  const cited = taken.toSorted((left, right) => right.score - left.score);
  const { context, numbers } = renderPassages(taken, places);
  return {
    context,
    citations: cite(platform, order.question, cited, ({ id }) => numbers.get(id)!),
    ...(embedded && { embedded }),
  };
};

/** «What is this about?» */
const namesNoSubject = ({ documents: { tokenize } }: Platform, question: string): boolean => {
  const lesser = functionWords(tokenize);
  return tokenize(question).terms.every((term) => lesser.has(term));
};

const search = (
  platform: Platform,
  caller: Caller,
  documents: Document[],
  order: Pick<QueryOrder, "text" | "topK" | "threshold">,
) =>
  queryDocuments(
    platform,
    { projectId: caller.project.id, mode: caller.mode },
    { ...order, filter: { documentNumbers: documents.map(({ number }) => number) } },
  );

/** Cites each whole document by the passages that the question is about, or by its beginning if none stands out. */
const citationsOfWhole = async (
  platform: Platform,
  caller: Caller,
  documents: Document[],
  question: string,
): Promise<Pick<GatheredDocuments, "citations" | "embedded">> => {
  const { passages, embedded } = await search(platform, caller, documents, {
    text: question,
    topK: CITED_OF_WHOLE,
    threshold: WORTH_CITING,
  });
  const found = new Set(passages.map(({ chunk }) => chunk.documentNumber));
  const others = documents.filter(({ number }) => !found.has(number));
  const cited = [...passages, ...spreadOver(platform.db, others, 1)];
  const indexOf = ({ documentNumber }: Passage["chunk"]) => documents.findIndex(({ number }) => number === documentNumber) + 1;
  const citations = cite(platform, question, cited, indexOf);
  return { citations, ...(embedded && { embedded }) };
};

/** Throws 403 if the tier has no documents, 400 for an unknown or failed document, 409 while one is processing. */
export const gatherDocuments = async (platform: Platform, caller: Caller, order: GatherOrder): Promise<GatheredDocuments> => {
  requireFeature(caller.project, "Documents");
  const documents = requireDocuments(platform, caller.project.id, order.documents);
  const pages = documents.reduce((sum, { pageCount }) => sum + (pageCount ?? 0), 0);
  // A PDF's page may be very long, while the pages of a text file are counted by characters.
  const characters = documents.reduce((sum, { characterCount }) => sum + (characterCount ?? 0), 0);
  if (pages >= FULL_BELOW_PAGES || characters > FULL_BELOW_PAGES * CHARACTERS_PER_PAGE * 4)
    return passagesOf(platform, caller, documents, order);
  const whole = documents.map((document) => ({ filename: document.filename, text: readWhole(platform, document) }));
  const context = renderWhole(whole);
  if (estimateTokens(context) > order.availableTokens) return passagesOf(platform, caller, documents, order);
  return { context, ...(await citationsOfWhole(platform, caller, documents, order.question)) };
};
