import { heapStats } from "bun:jsc";
import { afterAll, expect, setSystemTime, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sizeOf, viewOf } from "../../../src/providers/transport/piece.ts";
import { createSocketTransport } from "../../../src/providers/transport/socket-transport.ts";
import { type Transport, type TransportAnswer, TransportError } from "../../../src/providers/transport/transport.ts";

type Answering = (socket: { write(bytes: string | Uint8Array): number; end(): void; terminate(): void }, asked: string) => void;

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** The address of a server with these handlers. */
const listen = (socket: Bun.SocketHandler<undefined>): string => {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
  stops.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}/v1/x?y=1`;
};

/** A server that says exactly these bytes to each request (one packet each), and counts its connections. */
const serverThat = (answer: Answering) => {
  const seen = { connections: 0, requests: [] as string[] };
  const url = listen({
    open: () => void seen.connections++,
    data(socket, bytes) {
      seen.requests.push(bytes.toString("latin1"));
      answer(socket, bytes.toString("latin1"));
    },
  });
  return { url, seen };
};

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const sayOk: Answering = (socket) => void socket.write(OK);

const ask = (transport: Transport, url: string, more: Partial<Parameters<Transport>[0]> = {}): Promise<TransportAnswer> =>
  transport({ url, method: "POST", headers: {}, body: "{}", signal: new AbortController().signal, connectMs: 20_000, ...more });
const textOf = async (answer: TransportAnswer): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  await answer.flow((piece) => {
    text += decoder.decode(viewOf(piece), { stream: true });
    return undefined;
  });
  return text + decoder.decode();
};
/** The other side has read, and answered by its own end, what was sent to it. */
const newsOf = async (socket: Bun.Socket<undefined>): Promise<void> => {
  while (socket.readyState > 0) await new Promise(setImmediate);
};
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const thrown = await work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );
  return thrown instanceof TransportError ? thrown.code : String(thrown);
};

const WAYS_TO_SEND_A_BODY = {
  "a length": "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhäppy day",
  chunks: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;why=not\r\nhäp\r\n6\r\npy day\r\n0\r\nX-Trailer: t\r\n\r\n",
  "its end": "HTTP/1.0 200 OK\r\n\r\nhäppy day",
} as const;

for (const [way, text] of Object.entries(WAYS_TO_SEND_A_BODY)) {
  const bytes = new TextEncoder().encode(text);

  test(`a body that is bounded by ${way} is the same wherever its bytes are cut`, async () => {
    for (let cut = 1; cut < bytes.length; cut += 3) {
      const server = serverThat((socket) => {
        socket.write(bytes.subarray(0, cut));
        setTimeout(() => {
          socket.write(bytes.subarray(cut));
          if (way === "its end") socket.end();
        }, 1);
      });
      const answer = await ask(createSocketTransport(), server.url);
      expect([cut, answer.status, await textOf(answer)]).toEqual([cut, 200, "häppy day"]);
    }
  });

  if (way !== "its end")
    test(`a body that is bounded by ${way} and breaks off is cut, not complete`, async () => {
      const server = serverThat((socket) => {
        socket.write(bytes.subarray(0, bytes.length - 4));
        socket.end();
      });
      expect(await codeOf(ask(createSocketTransport(), server.url).then(textOf))).toBe("CUT");
    });
}

test("a request is sent as it was asked for, and no header can end its line", async () => {
  const server = serverThat((socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"));
  const transport = createSocketTransport();
  const answer = await ask(transport, server.url, { headers: { "X-Key": "first", "x-key": "last", "content-length": "99" } });
  expect([answer.status, await textOf(answer)]).toEqual([204, ""]);
  const [line, ...headers] = server.seen.requests[0]!.split("\r\n");
  expect(line).toBe("POST /v1/x?y=1 HTTP/1.1");
  expect(headers.filter((header) => /^x-key|^content-length|^host/i.test(header))).toEqual([
    `Host: ${new URL(server.url).host}`,
    "x-key: last",
    "Content-Length: 2",
  ]);
  for (const value of ["a\r\nx-evil: 1", "a\nb", "\0", "☃"])
    expect(await codeOf(ask(transport, server.url, { headers: { "x-key": value } }))).toBe("INVALID_HEADER");
  expect(await codeOf(ask(transport, server.url, { headers: { "x key": "a" } }))).toBe("INVALID_HEADER");
});

test("a name and password in the address sign the call in, where no header does", async () => {
  const server = serverThat((socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"));
  const url = server.url.replace("http://", "http://ann:p%40ss@");
  const transport = createSocketTransport();
  await ask(transport, url);
  await ask(transport, url, { headers: { Authorization: "Bearer sk-x" } });
  await ask(transport, url.replace("%40", "%"));
  const signedIn = server.seen.requests.map((request) => /^authorization: (.*)$/im.exec(request)?.[1]);
  expect(signedIn).toEqual([`Basic ${btoa("ann:p@ss")}`, "Bearer sk-x", `Basic ${btoa("ann:p%ss")}`]);
  expect(server.seen.requests.join()).not.toContain("p%40ss");
});

test("a connection serves one call after the other, and none that asked for its own", async () => {
  const server = serverThat(sayOk);
  const transport = createSocketTransport();
  for (let call = 0; call < 3; call++) expect(await textOf(await ask(transport, server.url))).toBe("ok");
  expect(server.seen.connections).toBe(1);
  for (let call = 0; call < 2; call++) expect(await textOf(await ask(transport, server.url, { once: true }))).toBe("ok");
  expect(server.seen.connections).toBe(3);
  expect(server.seen.requests.at(-1)).toContain("Connection: close");
});

test.each([
  ["the server closes it", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"],
  [
    "more than the answer came",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong",
  ],
])("a connection is not used again where %s", async (_, bytes) => {
  const server = serverThat((socket) => socket.write(bytes));
  const transport = createSocketTransport();
  for (let call = 0; call < 2; call++) expect(await textOf(await ask(transport, server.url))).toBe("ok");
  expect(server.seen.connections).toBe(2);
});

test("a connection that waited while the machine slept is not used again", async () => {
  const server = serverThat(sayOk);
  const transport = createSocketTransport();
  try {
    expect(await textOf(await ask(transport, server.url))).toBe("ok");
    setSystemTime(Date.now() + 20_000);
    expect([await textOf(await ask(transport, server.url)), server.seen.connections]).toEqual(["ok", 1]);
    setSystemTime(Date.now() + 8 * 3_600_000);
    expect([await textOf(await ask(transport, server.url)), server.seen.connections]).toEqual(["ok", 2]);
  } finally {
    setSystemTime();
  }
});

test("a connection serves calls to its own host and port alone", async () => {
  const transport = createSocketTransport();
  const servers = ["one", "two"].map((said) =>
    serverThat((socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n${said}`)),
  );
  for (let round = 0; round < 2; round++)
    for (const [at, said] of ["one", "two"].entries()) expect(await textOf(await ask(transport, servers[at]!.url))).toBe(said);
  expect(servers.map(({ seen }) => seen.connections)).toEqual([1, 1]);
});

test("a connection is not used again while a part of the request is unsent", async () => {
  let connections = 0;
  const server = listen({
    open: () => void connections++,
    data(socket) {
      // It answers without reading on.
      socket.pause();
      socket.write(OK);
    },
  });
  const transport = createSocketTransport();
  const body = new Uint8Array(50_000_000);
  for (let call = 0; call < 2; call++) expect(await textOf(await ask(transport, server, { body }))).toBe("ok");
  expect(connections).toBe(2);
});

test("a waiting connection that speaks unasked or is closed serves no call", async () => {
  for (const leave of [
    (socket: Bun.Socket<undefined>) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"),
    (socket: Bun.Socket<undefined>) => socket.end(),
  ]) {
    const sockets: Bun.Socket<undefined>[] = [];
    const closed = Promise.withResolvers<void>();
    const server = listen({
      open: (socket) => void sockets.push(socket),
      data: (socket) => void socket.write(OK),
      close: () => closed.resolve(),
    });
    const transport = createSocketTransport();
    const call = async (more = {}) => textOf(await ask(transport, server, more));
    expect(await call()).toBe("ok");
    leave(sockets[0]!);
    await closed.promise;
    // What is asked and answered over another connection comes after the end of this one.
    await call({ once: true });
    expect([await call(), sockets.length]).toEqual(["ok", 3]);
  }
});

test("what was called off before it began is not sent, over a waiting connection either", async () => {
  const server = serverThat(sayOk);
  const transport = createSocketTransport();
  for (let round = 0; round < 2; round++) {
    const signal = AbortSignal.abort();
    const refused = await ask(transport, server.url, { signal }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "NOT_CONNECTED", reason: "ABORTED" });
    expect(await textOf(await ask(transport, server.url))).toBe("ok");
    expect(server.seen.requests.length).toBe(round + 1);
  }
});

test("an interim answer is not the answer", async () => {
  const server = serverThat((socket) =>
    socket.write(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok",
    ),
  );
  const answer = await ask(createSocketTransport(), server.url);
  expect([answer.status, answer.headers.get("link"), await textOf(answer)]).toEqual([201, null, "ok"]);
});

test.each([
  ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
  ["a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\nok"],
  ["a length below nothing", "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok"],
  ["a head without end", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(200_000)}`],
])("%s is no answer", async (_, bytes) => {
  const server = serverThat((socket) => socket.write(bytes));
  expect(await codeOf(ask(createSocketTransport(), server.url))).toBe("MALFORMED");
});

test.each(["zz", "-5", ""])("a chunk whose length is `%s` is neither the end of the body nor read for ever", async (length) => {
  const server = serverThat((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n${length}\r\nmore\r\n0\r\n\r\n`);
  });
  expect(await codeOf(ask(createSocketTransport(), server.url).then(textOf))).toBe("MALFORMED");
});

test("what a header says beyond ASCII spoils no answer", async () => {
  const server = serverThat((socket) =>
    socket.write(Buffer.from("HTTP/1.1 200 OK\r\nX-File: čaj ☃ Ċ.txt\r\nContent-Length: 2\r\n\r\nok")),
  );
  const answer = await ask(createSocketTransport(), server.url);
  expect(await textOf(answer)).toBe("ok");
  expect(Buffer.from(answer.headers.get("x-file")!, "latin1").toString()).toBe("čaj ☃ Ċ.txt");
});

test("chunk lines without end are not collected", async () => {
  const server = serverThat((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;${"x".repeat(400_000)}`);
  });
  expect(await codeOf(ask(createSocketTransport(), server.url).then(textOf))).toBe("MALFORMED");
});

test("a kept connection that the server closed is told from an answer that broke off", async () => {
  let calls = 0;
  const server = serverThat((socket) => {
    calls += 1;
    if (calls === 1) socket.write(OK);
    else socket.terminate();
  });
  const transport = createSocketTransport();
  expect(await textOf(await ask(transport, server.url))).toBe("ok");
  expect(await codeOf(ask(transport, server.url))).toBe("CLOSED_UNANSWERED");
});

test("a host that cannot be connected to is said so, with the system's own word", async () => {
  const failure = await ask(createSocketTransport(), "http://127.0.0.1:1/").catch((error: unknown) => error);
  expect([(failure as TransportError).code, (failure as TransportError).reason]).toEqual(["NOT_CONNECTED", "ECONNREFUSED"]);
});

test("a certificate that nobody vouches for gets no request", async () => {
  const { key, cert } = await import("../../fixtures/self-signed.json");
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key, cert },
    fetch: () => {
      asked += 1;
      return new Response("ok");
    },
  });
  stops.push(() => void server.stop(true));
  const failure = await ask(createSocketTransport(), `https://localhost:${server.port}/`).catch((error: unknown) => error);
  expect((failure as TransportError).code).toBe("NOT_CONNECTED");
  expect((failure as TransportError).reason).toContain("SELF_SIGNED");
  expect(asked).toBe(0);
});

test("a host that takes the connection and never shows its certificate is let go", async () => {
  const gone = Promise.withResolvers<void>();
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined, close: () => gone.resolve() } });
  stops.push(() => server.stop(true));
  const failure = await ask(createSocketTransport(), `https://127.0.0.1:${server.port}/`, { connectMs: 50 }).catch(
    (error: unknown) => error,
  );
  expect([(failure as TransportError).code, (failure as TransportError).reason]).toEqual(["NOT_CONNECTED", "ETIMEDOUT"]);
  await gone.promise;
});

test("while nobody reads, the upstream is not read; later nothing is missing", async () => {
  const SIZE = 30_000_000;
  const piece = Buffer.alloc(100_000, "x");
  let written = 0;
  const pump = (socket: { write(bytes: Uint8Array): number }): void => {
    while (written < SIZE) {
      const taken = Math.max(0, socket.write(piece.subarray(0, Math.min(piece.length, SIZE - written))));
      written += taken;
      if (taken < piece.length) return;
    }
  };
  const server = listen({
    data(socket) {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n`);
      pump(socket);
    },
    drain: pump,
  });
  const answer = await ask(createSocketTransport(), server);
  let before = -1;
  while (before !== written) {
    before = written;
    await Bun.sleep(50);
  }
  // What the system's own buffers hold differs; all of it is far more than they do.
  expect(written).toBeLessThan(SIZE / 2);
  let size = 0;
  await answer.flow((piece) => {
    size += sizeOf(piece);
    return undefined;
  });
  expect(size).toBe(SIZE);
});

test("a reader has one piece after the other, none while it is busy, and all that came before the connection broke", async () => {
  const sockets: Bun.Socket<undefined>[] = [];
  const server = listen({
    data(socket) {
      sockets.push(socket);
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none");
    },
  });
  const answer = await ask(createSocketTransport(), server);
  const taken: string[] = [];
  const busy = Promise.withResolvers<void>();
  const over = answer.flow((piece) => {
    taken.push(new TextDecoder().decode(viewOf(piece)));
    return busy.promise;
  });
  sockets[0]!.write("two");
  sockets[0]!.end();
  await newsOf(sockets[0]!);
  expect(taken).toEqual(["one"]);
  busy.resolve();
  expect(await codeOf(over)).toBe("CUT");
  expect(taken).toEqual(["one", "two"]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("enough");
    },
  ],
  ["rejects", () => Promise.reject(new Error("enough"))],
])("a reader that %s hears of its own error, and is handed no more", async (_, refuse) => {
  const server = serverThat((socket) => socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n"));
  const answer = await ask(createSocketTransport(), server.url);
  let asked = 0;
  const over = answer.flow(() => {
    asked += 1;
    return refuse();
  });
  expect(await over.catch((error: Error) => error.message)).toBe("enough");
  answer.close();
  expect(asked).toBe(1);
});

test("a signal ends the exchange at any time, and the server sees it", async () => {
  const reason = new Error("hung up");
  for (const said of ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"]) {
    const gone = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const server = listen({
      data(socket) {
        socket.write(said);
        asked.resolve();
      },
      close: () => gone.resolve(),
    });
    const caller = new AbortController();
    const text = ask(createSocketTransport(), server, { signal: caller.signal }).then(textOf);
    await asked.promise;
    caller.abort(reason);
    expect(await text.catch((error: unknown) => error)).toBe(reason);
    await gone.promise;
  }
});

test.each(["gzip", "deflate", "br", "zstd"])("a body that comes as %s unasked is unpacked", async (encoding) => {
  const { gzipSync, deflateSync, brotliCompressSync, zstdCompressSync } = await import("node:zlib");
  const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }[encoding]!;
  const packed = pack(Buffer.from("häppy day ".repeat(5_000)));
  const server = serverThat((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${packed.length}\r\n\r\n`);
    socket.write(packed);
  });
  const answer = await ask(createSocketTransport(), server.url);
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await textOf(answer)).toBe("häppy day ".repeat(5_000));
});

test("a form is sent with its parts and their boundary", async () => {
  const { promise, resolve } = Promise.withResolvers<FormData>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      resolve((await request.formData()) as FormData);
      return new Response("ok");
    },
  });
  stops.push(() => void server.stop(true));
  const form = new FormData();
  form.set("model", "whisper");
  form.set("file", new File(["a☃"], "a.wav"));
  await ask(createSocketTransport(), `http://127.0.0.1:${server.port}/`, { body: form });
  const received = await promise;
  expect([received.get("model"), await (received.get("file") as unknown as File).text()]).toEqual(["whisper", "a☃"]);
});

test("a kept connection that was closed while this side was busy is not used", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-closed-"));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const closed = join(folder, "closed");
  const server = Bun.spawn(
    [
      process.execPath,
      "-e",
      `const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data(socket) {
        socket.write("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok");
        setTimeout(() => { socket.end(); require("node:fs").writeFileSync(process.argv[1], ""); }, 100);
      } } });
      console.log(server.port);`,
      closed,
    ],
    { stdout: "pipe" },
  );
  stops.push(() => server.kill());
  const port = new TextDecoder().decode((await server.stdout.getReader().read()).value).trim();
  const transport = createSocketTransport();
  expect(await textOf(await ask(transport, `http://127.0.0.1:${port}/`))).toBe("ok");
  // Nothing is heard of the close while the thread is held.
  for (const begin = performance.now(); performance.now() - begin < 1_200 || !existsSync(closed); ) Bun.sleepSync(10);
  expect(await textOf(await ask(transport, `http://127.0.0.1:${port}/`))).toBe("ok");
}, 30_000);

test("a request's head tells its method, address and headers, and how long its body is in bytes", async () => {
  const server = serverThat(sayOk);
  const transport = createSocketTransport();
  const told = (own: string, method = "POST") =>
    `${method} /v1/x?y=1 HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nuser-agent: Signalbox\r\naccept: */*\r\n` +
    `accept-encoding: identity\r\nauthorization: Bearer é\r\n${own}`;
  const bytes = (text: string) => Buffer.from(text).toString("latin1");
  const asked: [Partial<Parameters<Transport>[0]>, string][] = [
    [{ body: '{"a":"ü€"}' }, told(`Content-Length: 13\r\n\r\n${bytes('{"a":"ü€"}')}`)],
    [{ body: Buffer.from("€") }, told(`Content-Length: 3\r\n\r\n${bytes("€")}`)],
    [{ body: "{}", once: true }, told("Connection: close\r\nContent-Length: 2\r\n\r\n{}")],
    [{ method: "GET", body: undefined! }, told("\r\n", "GET")],
    [{ body: undefined! }, told("Content-Length: 0\r\n\r\n")],
  ];
  for (const [more] of asked) await textOf(await ask(transport, server.url, { ...more, headers: { authorization: "Bearer é" } }));
  expect(server.seen.requests).toEqual(asked.map(([, request]) => request));
});

test("a request that has left is not held while its answer is waited for", async () => {
  const CALLS = 16;
  const body = "x".repeat(1_000_000);
  const left = Promise.withResolvers<void>();
  let received = 0;
  const url = listen({
    data(_, { length }) {
      received += length;
      if (received > CALLS * body.length) left.resolve();
    },
  });
  const transport = createSocketTransport();
  const heldBytes = (): number => {
    Bun.gc(true);
    return heapStats().extraMemorySize;
  };
  const before = heldBytes();
  const gone = new AbortController();
  const calls = Array.from({ length: CALLS }, () => codeOf(ask(transport, url, { body, signal: gone.signal })));
  await left.promise;
  expect(heldBytes() - before).toBeLessThan((CALLS / 2) * body.length);
  gone.abort();
  await Promise.all(calls);
});
