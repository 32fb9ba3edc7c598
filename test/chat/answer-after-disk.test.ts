/** An answer is made while the disk takes its call's row, and leaves after it (decisions §10): also where the disk fails at last. */

import { expect, test } from "bun:test";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const key = await gateway.key();
const commit = gateway.platform.db.commit;

/** Rows are committed as ever; that they are durable is said by `sync`. */
const holdSync = (sync: () => Promise<void>): void => {
  gateway.platform.db.commit = async (work) => {
    const { value, durable } = await commit(work);
    return { value, durable: durable.then(sync) };
  };
};

const message = { role: "user", content: "[[sandbox:reply=on time]]" };
const ROUTES = {
  "/v1/chat": { messages: [message] },
  "/v1/chat/completions": { messages: [message] },
  "/v1/messages": { model: "auto", max_tokens: 100, messages: [message] },
  "/v1/responses": { input: message.content },
};

for (const [path, body] of Object.entries(ROUTES)) {
  test(`${path} answers once the disk has the call`, async () => {
    const synced = Promise.withResolvers<void>();
    holdSync(() => synced.promise);
    const logged = () => gateway.platform.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM calls")!.n;
    const before = logged();
    const events: string[] = [];
    const answered = gateway.send(key, "POST", path, body).then((response) => {
      events.push("answered");
      return response;
    });
    // The row is committed, and another request has come and gone since: the answer could have left.
    while (logged() === before) await new Promise(setImmediate);
    await gateway.send(null, "GET", "/healthz");
    events.push("synced");
    synced.resolve();
    const response = await answered;
    expect([response.status, events]).toEqual([200, ["synced", "answered"]]);
    expect(await response.text()).toContain("on time");
  });

  test(`${path} answers nothing where the disk fails, and the call has one row`, async () => {
    holdSync(() => Promise.reject(new Error("input/output error")));
    const before = gateway.platform.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM calls")!.n;
    const response = await gateway.send(key, "POST", path, body);
    expect(response.status).toBe(503);
    expect([response.headers.get("x-svc-model"), response.headers.get("x-svc-latency-ms")]).toEqual([null, null]);
    expect(await response.text()).not.toContain("on time");
    expect(gateway.platform.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM calls")!.n).toBe(before + 1);
  });
}

for (const [what, path, content] of [
  ["an answer", "/v1/chat", message.content],
  ["a stream", "/v1/chat/stream", message.content],
  ["a picture in a chat", "/v1/chat", "Draw me a picture of a red bicycle."],
] as const) {
  test(`the latency that ${what} tells is the log's, however long the disk takes`, async () => {
    gateway.platform.db.commit = async (work) => {
      const committed = await commit(work);
      gateway.clock.advance(700);
      return committed;
    };
    const response = await gateway.send(key, "POST", path, { messages: [{ role: "user", content }] });
    const id = response.headers.get("x-svc-request-id");
    const told = Number(/"latency_ms":(\d+)/.exec(await response.text())![1]);
    gateway.platform.db.commit = commit;
    const { execution } = (await (await gateway.send(key, "GET", `/v1/logs/${id}`)).json()) as {
      execution: { latency_ms: number };
    };
    expect(told).toBe(execution.latency_ms);
  });
}

for (const [what, path, content] of [
  ["an answer", "/v1/chat", message.content],
  ["a stream", "/v1/chat/stream", message.content],
  ["a stream that fails", "/v1/chat/stream", "[[sandbox:error-500:always]]"],
] as const) {
  test(`${what} whose row cannot be written does not look complete, gives back what it held, and tells the operator`, async () => {
    const { db, log, limits } = gateway.platform;
    const said: string[] = [];
    const usual = log.error;
    db.commit = () => Promise.reject(new Error("database or disk is full"));
    log.error = (_, fields) => said.push(String(fields?.["detail"]));
    const response = await gateway.send(key, "POST", path, { messages: [{ role: "user", content }] });
    const text = await response.text();
    db.commit = commit;
    log.error = usual;
    expect(text).toContain("could not be written to the log");
    expect(text).not.toContain("[DONE]");
    expect(said).toEqual(["database or disk is full"]);
    expect(limits.occupiedByAll("streams")).toBe(0);
  });
}
