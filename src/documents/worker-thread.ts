/** A worker that answers questions: one message in, one out, started at the first question and again after it broke. */

export type Asked<Question> = { id: number; question: Question };
export type Answered<Answer> = { id: number; answer: Answer } | { id: number; error: string };

export type WorkerThread<Question, Answer> = {
  /** Rejects when the worker throws for this question, or breaks. */
  ask(question: Question): Promise<Answer>;
  stop(): void;
};

type Waiter = { resolve: (answer: any) => void; reject: (error: Error) => void };

export const createWorkerThread = <Question, Answer>(url: string): WorkerThread<Question, Answer> => {
  let worker: Worker | undefined;
  let nextId = 1;
  const waiting = new Map<number, Waiter>();

  const breakOff = (reason: string) => {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(url);
    started.onmessage = ({ data }: MessageEvent<Answered<Answer>>) => {
      const waiter = waiting.get(data.id);
      waiting.delete(data.id);
      // An idle worker does not keep the process up.
      if (waiting.size === 0) (started as unknown as { unref(): void }).unref();
      if ("error" in data) waiter?.reject(new Error(data.error));
      else waiter?.resolve(data.answer);
    };
    started.onerror = (event) => breakOff(`A worker failed: ${event.message}`);
    return started;
  };
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        (worker as unknown as { ref(): void }).ref();
        worker.postMessage({ id, question } satisfies Asked<Question>);
      }),
    stop: () => breakOff("The worker was stopped."),
  };
};

/** The worker's side: questions are answered one after the other. */
export const answerQuestions = <Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void => {
  const scope = globalThis as unknown as Worker;
  let last: Promise<unknown> = Promise.resolve();
  scope.onmessage = ({ data }: MessageEvent<Asked<Question>>) => {
    last = last.then(async () => {
      let reply: Answered<Answer>;
      try {
        reply = { id: data.id, answer: await answer(data.question) };
      } catch (error) {
        reply = { id: data.id, error: error instanceof Error ? error.message : String(error) };
      }
      scope.postMessage(reply);
    });
  };
};
