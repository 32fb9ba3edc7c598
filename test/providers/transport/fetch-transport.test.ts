import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchTransport } from "../../../src/providers/transport/fetch-transport.ts";
import type { TransportRequest } from "../../../src/providers/transport/transport.ts";

const proxied: string[] = [];
/** A proxy for plain http: it is asked with the whole address in the first line. */
const proxy = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    data(socket, bytes) {
      proxied.push(bytes.toString("latin1").split("\r\n")[0]!);
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    },
  },
});
const folder = mkdtempSync(join(tmpdir(), "signalbox-proxied-"));
afterAll(() => {
  proxy.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const request = (url: string): TransportRequest => ({
  url,
  method: "POST",
  headers: { "x-key": "k" },
  body: "{}",
  signal: new AbortController().signal,
  connectMs: 20_000,
});

test("a program whose environment names a proxy asks upstreams through it", async () => {
  const script = `
    const { createPlatform, closePlatform } = await import("./src/create-platform.ts");
    const { readConfig } = await import("./src/config/config.ts");
    const platform = await createPlatform(readConfig({ ...process.env, LOG_LEVEL: "silent" }, { db: ${JSON.stringify(join(folder, "proxied.db"))} }));
    const answer = await platform.providers.transport({
      url: "http://upstream.example/v1/models", method: "GET", headers: {}, signal: new AbortController().signal, connectMs: 20000,
    });
    let text = "";
    await answer.flow((piece) => void (text += piece.bytes.toString("utf8", piece.from, piece.to)));
    console.log(answer.status, text);
    await closePlatform(platform);
    process.exit(0);`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: `${import.meta.dir}/../../..`,
    env: { ...process.env, HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, http_proxy: `http://127.0.0.1:${proxy.port}` },
    stdout: "pipe",
    stderr: "inherit",
  });
  expect(await new Response(child.stdout).text()).toBe("200 ok\n");
  expect(proxied).toEqual(["GET http://upstream.example/v1/models HTTP/1.1"]);
}, 30_000);

test("failures have the same names as over sockets", async () => {
  expect(await fetchTransport(request("http://127.0.0.1:1/")).catch((error: { code: string }) => error.code)).toBe(
    "NOT_CONNECTED",
  );
  const cut = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok");
      },
    },
  });
  const answer = await fetchTransport(request(`http://127.0.0.1:${cut.port}/`));
  expect(await answer.flow(() => undefined).catch((error: { code: string }) => error.code)).toBe("CUT");
  cut.stop(true);

  const caller = new AbortController();
  caller.abort(new Error("hung up"));
  await expect(fetchTransport({ ...request("http://127.0.0.1:1/"), signal: caller.signal })).rejects.toThrow("hung up");
});
