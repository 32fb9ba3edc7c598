/** Runs in a worker: keeps the indexes of the projects that were searched last and answers queries over them. */
import { openReadOnly } from "../../database/open-connection.ts";
import { answerQuestions } from "../../lib/worker-thread.ts";
import { type DocumentFilter, matchingDocuments } from "./matching-documents.ts";
import { bytesOf, loadProjectIndex, type ProjectIndex } from "./project-index.ts";
import type { IndexReader } from "./read-store.ts";
import { createProjectSearch, type Hit } from "./search-project.ts";
import { spreadOf } from "./spread-of-pairs.ts";
import { createTokenizer } from "./tokenize.ts";

export type SearchQuestion = {
  path: string;
  projectId: string;
  text: string;
  /** In `space`, of unit length; absent for a search by words alone. */
  vector?: Float32Array;
  space?: { id: number; dimensions: number; kind: "local" | "remote" };
  filter: DocumentFilter;
  topK: number;
  threshold: number;
};

/** Held in memory over all projects; the least recently searched are dropped. */
const MOST_BYTES = 500_000_000;

const searchProject = createProjectSearch(createTokenizer());
const indexes = new Map<string, ProjectIndex>();
let read: IndexReader | undefined;

const readerOf = (path: string): IndexReader => {
  const connection = openReadOnly(path);
  return (sql, ...params) => connection.query(sql).values(...params) as any[][];
};

/** The most recently used lies last in the map. */
const remember = (projectId: string, index: ProjectIndex): void => {
  indexes.delete(projectId);
  indexes.set(projectId, index);
  let bytes = [...indexes.values()].reduce((sum, held) => sum + bytesOf(held), 0);
  for (const [id, held] of indexes) {
    if (bytes <= MOST_BYTES || id === projectId) break;
    bytes -= bytesOf(held);
    indexes.delete(id);
  }
};

const search = ({ path, projectId, space, filter, ...query }: SearchQuestion): Hit[] => {
  read ??= readerOf(path);
  const index = loadProjectIndex(
    read,
    projectId,
    space && { id: space.id, dimensions: space.dimensions },
    indexes.get(projectId),
  );
  if (index === undefined) return [];
  remember(projectId, index);
  const documents = matchingDocuments(read, projectId, filter);
  const dense = space && { kind: space.kind, ...spreadOf(index) };
  return searchProject(read, index, { ...query, ...(documents && { documents }), ...(dense && { dense }) });
};

const answers = { search };
export type SearchAnswers = typeof answers;

answerQuestions(answers);
