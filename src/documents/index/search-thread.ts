/** The serving thread's side of search. Projects are searched in a worker, so that no stream waits for it. */
import type { Db } from "../../database/database.ts";
import { workerUrl } from "../../lib/self.ts";
import { createWorkerThread } from "../../lib/worker-thread.ts";
import type { SearchAnswers, SearchQuestion } from "./search-worker.ts";

export type SearchThread = ReturnType<typeof createSearchThread>;

export const createSearchThread = (pathToOpen: Db["pathToOpen"]) => {
  const thread = createWorkerThread<SearchAnswers>(workerUrl("documents/index/search-worker.ts"));
  return {
    search: async (question: Omit<SearchQuestion, "path">) => thread.ask("search", { ...question, path: pathToOpen() }),
    stop: thread.stop,
  };
};
