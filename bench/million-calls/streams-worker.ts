/** Callers who watch their answers come, on a thread of their own: how much later than usual does each chunk arrive? */

declare const self: Worker;

export type StreamsOrder = { url: string; key: string; count: number };
/** Milliseconds by which chunks came later than their stream's usual gap. */
export type StreamsReport = { late: number[]; chunks: number; failures: number };

/** The sandbox waits 2 s before the first chunk and spreads the rest over 2 s more. */
const PROMPT = "Write a poem about signal boxes in the rain. [[sandbox:slow=2000]]";

const report: StreamsReport = { late: [], chunks: 0, failures: 0 };
let isOver = false;

self.onmessage = ({ data }: MessageEvent<StreamsOrder | "stop">) => {
  if (data !== "stop") {
    for (let n = 0; n < data.count; n++) void watch(data, n);
    return;
  }
  isOver = true;
  self.postMessage(report);
};

const watch = async ({ url, key }: StreamsOrder, n: number): Promise<void> => {
  await Bun.sleep(n * 20);
  while (!isOver) {
    const response = await fetch(`${url}/v1/chat/stream`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: PROMPT }] }),
    });
    if (response.status !== 200) {
      report.failures++;
      await Bun.sleep(100);
      continue;
    }
    await readOne(response);
  }
};

const readOne = async (response: Response): Promise<void> => {
  const gaps: number[] = [];
  let last: number | undefined;
  for await (const _ of response.body!) {
    const now = performance.now();
    if (last !== undefined) gaps.push(now - last);
    last = now;
  }
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  report.chunks += gaps.length + 1;
  if (!isOver) for (const gap of gaps) report.late.push(Math.max(0, gap - usual));
};
