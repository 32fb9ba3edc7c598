/** The asking side, on a thread of its own: sends requests one after another and reports how long each took. */

declare const self: Worker;

export type ClientOrder = { url: string; key: string; paths: string[]; repeat: number };
export type ClientReport = { milliseconds: number[]; bytes: number; failures: string[] };

self.onmessage = async ({ data }: MessageEvent<ClientOrder>) => {
  const report: ClientReport = { milliseconds: [], bytes: 0, failures: [] };
  for (let n = 0; n < data.repeat; n++) {
    for (const path of data.paths) {
      const began = performance.now();
      const response = await fetch(`${data.url}${path}`, { headers: { authorization: `Bearer ${data.key}` } });
      if (response.body !== null) for await (const chunk of response.body) report.bytes += chunk.byteLength;
      report.milliseconds.push(performance.now() - began);
      if (response.status !== 200) report.failures.push(`${path}: ${response.status}`);
    }
  }
  self.postMessage(report);
};
