/** Texts scored against a query without being stored: as if they were all the documents that there are. For `/v1/rerank`. */
import { mapYielding } from "../../lib/map-yielding.ts";
import { openCorpusStore } from "./corpus-store.ts";
import { buildCorpus, type CorpusEncoder } from "./search-corpus.ts";

/** 0-1 for each text, by its best passage and calibrated as in a search of documents; 0 if it has nothing to do with the query. */
export const scoreTexts = async (
  encoder: CorpusEncoder,
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[]> => {
  const store = openCorpusStore();
  try {
    const { add, index } = buildCorpus(store, encoder);
    await mapYielding([...texts.entries()], ([at, text]) => add({ id: String(at), text }), signal);
    const corpus = index();
    const scores = new Map(corpus.rank(query, corpus.chunkCount).map(({ id, score }) => [Number(id), score]));
    return texts.map((_, at) => scores.get(at) ?? 0);
  } finally {
    store.close();
  }
};
