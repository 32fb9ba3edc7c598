/** The serving thread's side of search. Projects are searched in a worker, so that no stream waits for it. */
import { workerUrl } from "../../lib/self.ts";
import { createWorkerThread } from "../../lib/worker-thread.ts";
import type { DocumentFilter } from "./matching-documents.ts";
import type { Hit } from "./search-project.ts";

type SearchSpace = { id: number; dimensions: number; kind: "local" | "remote" };

export type SearchQuestion = {
  path: string;
  projectId: string;
  text: string;
  /** In `space`, of unit length; absent for a search by words alone. */
  vector?: Float32Array;
  space?: SearchSpace;
  filter: DocumentFilter;
  topK: number;
  threshold: number;
};

export type SearchThread = { search(question: Omit<SearchQuestion, "path">): Promise<Hit[]>; stop(): Promise<void> };

export const createSearchThread = (path: string): SearchThread => {
  const thread = createWorkerThread<SearchQuestion, Hit[]>(workerUrl("documents/index/search-worker.ts"));
  return { search: (question) => thread.ask({ ...question, path }), stop: thread.stop };
};
