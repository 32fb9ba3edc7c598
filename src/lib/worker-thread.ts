/**
 * A worker that answers each question with one message. It is started at the first question, and again after it broke. Bytes can be
 * transferred instead of copied, because copying 20 MB would block the serving thread for 30 ms.
 */

/** What a worker answers: a function for each question. */
type Answerers = Readonly<Record<string, (input: any) => unknown>>;
type Asked = { id: number; question: string; input: unknown };
type Answered = { id: number; answer: unknown } | { id: number; error: string };

export type WorkerThread<Answers extends Answerers> = {
  /** Rejects if the worker throws for this question, or breaks. Transferred bytes are empty here from then on. */
  ask<Question extends string & keyof Answers>(
    question: Question,
    input: Parameters<Answers[Question]>[0],
    handedOver?: readonly Uint8Array[],
  ): Promise<Awaited<ReturnType<Answers[Question]>>>;
  /** Rejects what is under way. Resolves when the thread has ended, and with it the connections that the worker opened. */
  stop(): Promise<void>;
};

type Waiter = { resolve: (answer: any) => void; reject: (error: Error) => void };

/** With Bun's methods, which say whether it keeps the program running. */
type RefWorker = Worker & { ref(): void; unref(): void };

const buffersOf = (bytes: readonly Uint8Array[]): ArrayBuffer[] => [...new Set(bytes.map(({ buffer }) => buffer as ArrayBuffer))];

export const createWorkerThread = <Answers extends Answerers>(url: string): WorkerThread<Answers> => {
  let worker: RefWorker | undefined;
  let ended: Promise<void> = Promise.resolve();
  let nextId = 1;
  const waiting = new Map<number, Waiter>();

  const breakOff = (reason: string) => {
    worker?.ref();
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  const start = (): RefWorker => {
    const started = new Worker(url) as RefWorker;
    started.onmessage = ({ data }: MessageEvent<Answered>) => {
      const waiter = waiting.get(data.id);
      waiting.delete(data.id);
      // An idle worker does not keep the process running.
      if (waiting.size === 0) started.unref();
      if ("error" in data) waiter?.reject(new Error(data.error));
      else waiter?.resolve(data.answer);
    };
    const broke = (reason: string) => {
      if (worker === started) breakOff(reason);
    };
    started.onerror = (event) => broke(`A worker failed: ${event.message}`);
    ended = new Promise((resolve) => {
      started.addEventListener("close", () => {
        broke("A worker ended.");
        resolve();
      });
    });
    return started;
  };
  return {
    ask: (question, input, handedOver = []) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, question, input } satisfies Asked, buffersOf(handedOver));
      }),
    stop: async () => {
      breakOff("The worker was stopped.");
      await ended;
    },
  };
};

/** The worker's side: answers questions one after the other. `handedOver`: bytes of an answer that need not be copied. */
export const answerQuestions = <Answers extends Answerers>(
  answerers: Answers,
  handedOver: (answer: Awaited<ReturnType<Answers[keyof Answers]>>) => readonly Uint8Array[] = () => [],
): void => {
  const scope = globalThis as unknown as Worker;
  let last: Promise<unknown> = Promise.resolve();
  scope.onmessage = ({ data: { id, question, input } }: MessageEvent<Asked>) => {
    last = last.then(async () => {
      try {
        const answer = (await answerers[question]!(input)) as Awaited<ReturnType<Answers[keyof Answers]>>;
        scope.postMessage({ id, answer } satisfies Answered, buffersOf(handedOver(answer)));
      } catch (error) {
        scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies Answered);
      }
    });
  };
};
