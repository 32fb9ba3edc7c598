/**
 * Short questions as people ask them (paraphrase, slips of the keyboard, codes, numbers in other formats, another language) of a few
 * contracts, manuals and minutes of our own, all in one project: short/, with questions.tsv beside them.
 */
import { join } from "node:path";
import { type CorpusDocument, indexCorpus } from "../../src/documents/corpus/search-corpus.ts";
import type { Encoder } from "../../src/encoder/encoder.ts";

const FOLDER = join(import.meta.dir, "short");
const DEPTH = 10;
const THRESHOLD = 0.3;

type ShortScores = { collection: string; questions: number; hitAt: Record<1 | 3 | 5, number>; kept: number };

const readTexts = async (collection: string): Promise<CorpusDocument[]> => {
  const names = [...new Bun.Glob("*").scanSync(join(FOLDER, collection))].sort();
  return Promise.all(
    names.map(async (name) => ({ id: name, title: name, text: await Bun.file(join(FOLDER, collection, name)).text() })),
  );
};

const readQuestions = async (): Promise<{ collection: string; question: string; file?: string; answer?: string }[]> =>
  (await Bun.file(join(FOLDER, "questions.tsv")).text())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [collection, question, file, answer] = line.split("\t");
      return { collection: collection!, question: question!, ...(file && answer && { file, answer }) };
    });

/** Shares of the questions whose answering passage is among the first so many, and passes the default threshold. */
export const measureShort = async (encoder: Encoder): Promise<{ byCollection: ShortScores[]; offTopicAnswered: number }> => {
  const collections = ["contracts", "manuals", "notes"];
  const documents = (await Promise.all(collections.map(readTexts))).flat();
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const corpus = indexCorpus(documents, encoder);
  const questions = await readQuestions();
  const asked = questions.flatMap(({ collection, question, file, answer }) => {
    if (file === undefined || answer === undefined) return [];
    const hits = corpus.passages(question, DEPTH);
    const place = hits.findIndex(({ id, start, end }) => id === file && texts.get(id)!.slice(start, end).includes(answer));
    return [{ collection, place: place < 0 ? DEPTH : place, kept: (hits[place]?.score ?? 0) >= THRESHOLD }];
  });
  const byCollection = collections.map((collection) => {
    const own = asked.filter((each) => each.collection === collection);
    const within = (places: number) => own.filter(({ place }) => place < places).length / own.length;
    const kept = own.filter((each) => each.kept).length / own.length;
    return { collection, questions: own.length, hitAt: { 1: within(1), 3: within(3), 5: within(5) }, kept };
  });
  const others = questions.filter(({ file }) => file === undefined);
  const answered = others.filter(({ question }) => (corpus.rank(question, 1)[0]?.score ?? 0) >= THRESHOLD).length;
  return { byCollection, offTopicAnswered: answered / others.length };
};
