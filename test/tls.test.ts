/** The server speaks TLS itself, and takes a renewed certificate without a restart. */

import { expect, spyOn, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { readConfig, SettingError } from "../src/config/config.ts";
import { watchFiles } from "../src/lib/watch-files.ts";
import { certificateEndsAtMs, readTls } from "../src/tls-files.ts";
import { commandsIn } from "./cli/commands-in.ts";
import first from "./fixtures/self-signed.json";
import later from "./fixtures/self-signed-later.json";
import { foldersOfFile } from "./support/folder-of-file.ts";
import { startGateway } from "./support/gateway.ts";

type Pair = { cert: string; key: string };
const newFolder = foldersOfFile();

const put = async (folder: string, { cert, key }: Pair) => {
  await Bun.write(join(folder, "server.crt"), cert);
  await Bun.write(join(folder, "server.key"), key);
};
const variablesIn = (folder: string) => ({
  SIGNALBOX_TLS_CERTIFICATE: join(folder, "server.crt"),
  SIGNALBOX_TLS_KEY: join(folder, "server.key"),
});
const withTls = async (environment: Record<string, string> = {}) => {
  const folder = newFolder();
  await put(folder, first);
  return { folder, gateway: await startGateway({ folder, environment: { ...variablesIn(folder), ...environment } }) };
};
/** Does not ask whom the certificate is for. */
const ask = (url: string, key: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
    tls: { rejectUnauthorized: false },
  });
const hello = { messages: [{ role: "user", content: "Hello." }] };

/** Whose it is; undefined for a connection that arrives just as the listener changes. */
const certificateAt = (url: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", () => resolve(undefined));
  });

test("calls, streams and the dashboard work over https, and plain http does not", async () => {
  const { gateway } = await withTls();
  await using _stopped = gateway;
  expect(gateway.url).toStartWith("https://127.0.0.1:");
  const key = await gateway.key();
  const answer = await ask(`${gateway.url}/v1/chat`, key.text, hello);
  expect([answer.status, answer.headers.get("x-svc-model")]).toEqual([200, expect.any(String)]);
  const stream = await ask(`${gateway.url}/v1/chat/stream`, key.text, hello);
  expect(await stream.text()).toEndWith("data: [DONE]\n\n");
  const picture = await ask(`${gateway.url}/v1/images/generations`, key.text, { prompt: "a signal box" });
  const { url } = ((await picture.json()) as any).data[0];
  expect(url).toStartWith(`${gateway.url}/v1/files/`);
  expect((await fetch(url, { tls: { rejectUnauthorized: false } })).headers.get("content-type")).toBe("image/png");
  const signedIn = await ask(`${gateway.url}/dashboard/api/login`, key.text, { password: "correct horse battery" });
  expect(signedIn.headers.get("set-cookie")).toMatch(/^__Host-signalbox_session=.*; Secure$/);
  expect(fetch(`${gateway.url.replace("https", "http")}/healthz`)).rejects.toThrow();
});

test("a caller who leaves a stream is in the log", async () => {
  const { gateway } = await withTls();
  await using _stopped = gateway;
  const key = await gateway.key();
  const content = `[[sandbox:slow=50:always]] ${"Tell me a long story. ".repeat(50)}`;
  const stream = await ask(`${gateway.url}/v1/chat/stream`, key.text, { messages: [{ role: "user", content }] });
  const reader = stream.body!.getReader();
  await reader.read();
  await reader.cancel();
  const logs = async () => {
    const asked = { headers: { authorization: `Bearer ${key.text}` }, tls: { rejectUnauthorized: false } };
    return (await (await fetch(`${gateway.url}/v1/logs`, asked)).json()) as any;
  };
  while ((await logs()).total === 0) await Bun.sleep(5);
  expect((await logs()).logs[0].execution).toMatchObject({ status: 499, error_type: "client_closed_request" });
});

test("a renewed certificate is taken while a stream goes on, and one that does not fit its key is not", async () => {
  const { folder, gateway } = await withTls();
  await using _stopped = gateway;
  const key = await gateway.key();
  const slow = { messages: [{ role: "user", content: "[[sandbox:slow=2500]] Summarize: the box is old." }] };
  const answered = ask(`${gateway.url}/v1/chat`, key.text, slow, { connection: "close" });
  await Bun.write(join(folder, "server.crt"), "half of a certifi");
  await put(folder, later);
  while ((await certificateAt(gateway.url)) !== "second.test") await Bun.sleep(20);
  expect((await answered).status).toBe(200);
  expect((await ask(`${gateway.url}/v1/chat`, key.text, hello)).status).toBe(200);
});

test("a stop waits for the calls that began before the certificate was renewed", async () => {
  const { folder, gateway } = await withTls({ SIGNALBOX_DRAIN_S: "20" });
  const key = await gateway.key();
  const slow = { messages: [{ role: "user", content: "[[sandbox:slow=2500]] Hello." }] };
  const answered = ask(`${gateway.url}/v1/chat`, key.text, slow);
  await put(folder, later);
  while ((await certificateAt(gateway.url)) !== "second.test") await Bun.sleep(20);
  await gateway.stop();
  expect((await answered).status).toBe(200);
});

test("a listener that cannot begin with the new certificate tries again", async () => {
  const { folder, gateway } = await withTls();
  await using _stopped = gateway;
  const taken = spyOn(Bun, "serve").mockImplementationOnce(() => {
    throw Object.assign(new Error("taken"), { code: "EADDRINUSE" });
  });
  try {
    await put(folder, later);
    while ((await certificateAt(gateway.url)) !== "second.test") await Bun.sleep(20);
    expect(taken).toHaveBeenCalledTimes(2);
  } finally {
    taken.mockRestore();
  }
});

test("half a chain changes nothing, and the whole one is taken after it", async () => {
  const { folder, gateway } = await withTls();
  await using _stopped = gateway;
  const told = spyOn(gateway.platform.log, "error");
  const half = later.cert.slice(0, later.cert.length / 2);
  await put(folder, { ...later, cert: later.cert + half });
  while (told.mock.calls.length === 0) await Bun.sleep(20);
  expect(told.mock.calls[0]![0]).toContain("the one before stays");
  expect(await certificateAt(gateway.url)).toBe("localhost");
  // The certificate may come before its key.
  await put(folder, { ...first, cert: later.cert });
  while (told.mock.calls.length === 1) await Bun.sleep(20);
  await Bun.write(join(folder, "server.key"), later.key);
  while ((await certificateAt(gateway.url)) !== "second.test") await Bun.sleep(20);
});

test("a key that is handed over after it was written is seen, once", async () => {
  const folder = newFolder();
  const [path, other] = [join(folder, "server.key"), join(folder, "other.key")];
  await Bun.write(path, first.key);
  await Bun.write(other, first.key);
  chmodSync(path, 0o000);
  const seen = (file: string, tell = () => {}) =>
    new Promise<() => void>((resolve) => {
      const unwatch = watchFiles([file], () => {
        tell();
        resolve(unwatch);
      });
    });
  let times = 0;
  const handedOver = seen(path, () => times++);
  chmodSync(path, 0o640);
  const unwatch = await handedOver;
  // Two more looks.
  const afterwards = seen(other);
  chmodSync(other, 0o640);
  (await afterwards)();
  unwatch();
  expect(times).toBe(1);
});

test("what cannot be used prevents the start, and says which file", async () => {
  const folder = newFolder();
  await put(folder, { cert: first.cert, key: later.key });
  await Bun.write(join(folder, "empty.key"), "");
  await Bun.write(join(folder, "first.key"), first.key);
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const refusal = (files: { certificate: string; key: string }) => {
    try {
      return void readTls(files);
    } catch (error) {
      expect(error).toBeInstanceOf(SettingError);
      return (error as Error).message;
    }
  };
  expect(refusal({ certificate, key })).toBe(`tls.key is "${key}", which is not the key of the certificate in "${certificate}".`);
  expect(refusal({ certificate, key: join(folder, "none.key") })).toContain('none.key", which cannot be read (ENOENT)');
  expect(refusal({ certificate, key: join(folder, "empty.key") })).toContain("it may be a file in PEM format");
  await Bun.write(join(folder, "half.crt"), first.cert + later.cert.slice(0, 200));
  expect(refusal({ certificate: join(folder, "half.crt"), key: join(folder, "first.key") })).toContain(
    "it may be a file in PEM format",
  );
  expect(refusal({ certificate: key, key })).toStartWith(`tls.certificate is "${key}"; it may be`);
  expect(() => readConfig({ SIGNALBOX_TLS_KEY: key })).toThrow("tls.key is set, and tls.certificate is not");
  const checked = await commandsIn(newFolder()).run("config check", variablesIn(folder));
  expect([checked.code, checked.stderr]).toEqual([1, expect.stringContaining("is not the key of the certificate")]);
  expect(startGateway({ folder, environment: variablesIn(folder) })).rejects.toThrow("is not the key of the certificate");
});

test("doctor and the container's health check know about it", async () => {
  const { folder, gateway } = await withTls();
  await using _stopped = gateway;
  const { run } = commandsIn(newFolder());
  const env = { ...variablesIn(folder), PORT: new URL(gateway.url).port };
  const health = await run("healthcheck", env);
  expect([health.code, health.stdout]).toEqual([0, `${gateway.url}/readyz: ready\n`]);
  const find = async (check: string, more: Record<string, string> = {}) => {
    const { stdout } = await run("doctor --json", { ...env, ...more });
    return JSON.parse(stdout).find((finding: any) => finding.check === check);
  };
  expect(await find("port")).toMatchObject({ ok: true, detail: expect.stringContaining("running Signalbox") });
  const endsAt = certificateEndsAtMs({ certificate: env.SIGNALBOX_TLS_CERTIFICATE, key: env.SIGNALBOX_TLS_KEY });
  expect(await find("certificate")).toEqual({
    check: "certificate",
    ok: true,
    detail: `${env.SIGNALBOX_TLS_CERTIFICATE} ends ${new Date(endsAt).toISOString()}`,
  });
  const after = (ms: number) => ({ SIGNALBOX_CLOCK_OFFSET_S: String(Math.round((endsAt - Date.now() + ms) / 1000)) });
  expect(await find("certificate", after(-86_400_000))).toMatchObject({ ok: true, note: true });
  const unusable = await find("certificate", { SIGNALBOX_TLS_KEY: env.SIGNALBOX_TLS_CERTIFICATE });
  expect(unusable).toMatchObject({ ok: false, detail: expect.stringContaining("tls.key") });
  expect(await find("certificate", after(60_000))).toMatchObject({ ok: false, detail: expect.stringContaining("too old") });
});
