/** PDFs that callers name by URL: fetched for the model that is asked, and held to the pages they were counted as. */

import { afterAll, expect, test } from "bun:test";
import { gatewayOfFile } from "../../support/gateway-of-file.ts";
import { makePdf } from "../../support/make-pdf.ts";
import { upstreamStubOfFile } from "../../support/upstream-stub.ts";
import { completion } from "../../support/vendor-answers.ts";

const short = Buffer.from(makePdf(["Oak, mostly."]));
const long = Buffer.from(makePdf(Array.from({ length: 60 }, () => "Oak.")));
const fetched: string[] = [];
const files = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname } = new URL(request.url);
    fetched.push(pathname);
    return new Response(pathname === "/short.pdf" ? short : pathname === "/long.pdf" ? long : "<html>");
  },
});
afterAll(() => files.stop(true));

const stub = upstreamStubOfFile();
const gateway = await gatewayOfFile({
  environment: { SIGNALBOX_ALLOWED_HOSTS: `127.0.0.1:${files.port}` },
  settings: `
providers:
  reader: { base_url: "${stub.url}/v1", key: upstream, dialect: openai }
models:
  - { id: reads, provider: reader, upstream_model: x, context_window: 200000, input_usd_per_million: 1, output_usd_per_million: 2, abilities: [pdf_input] }
  - { id: shadows, provider: reader, upstream_model: y, context_window: 200000, input_usd_per_million: 1, output_usd_per_million: 2, abilities: [pdf_input] }
`,
});
const url = (name: string): string => `http://127.0.0.1:${files.port}/${name}`;
const toResponses = (name: string) => ({
  model: "reads",
  input: [
    {
      role: "user",
      content: [
        { type: "input_text", text: "Of what are sleepers made?" },
        { type: "input_file", file_url: url(name) },
      ],
    },
  ],
});
const toMessages = (name: string) => ({
  model: "reads",
  max_tokens: 50,
  messages: [
    {
      role: "user",
      content: [
        { type: "document", source: { type: "url", url: url(name) }, title: "Sleepers" },
        { type: "text", text: "Of what are they made?" },
      ],
    },
  ],
});
const good = completion("Oak.");

test("the model gets its bytes, under its title", async () => {
  const key = await gateway.key({ mode: "live" });
  const file_data = `data:application/pdf;base64,${short.toString("base64")}`;
  stub.answer(good);
  stub.seen.length = 0;
  expect((await gateway.send(key, "POST", "/v1/responses", toResponses("short.pdf"))).status).toBe(200);
  expect((await gateway.send(key, "POST", "/v1/messages", toMessages("short.pdf"))).status).toBe(200);
  expect(stub.seen[0]!.body.messages[0].content[1].file).toEqual({ filename: "document.pdf", file_data });
  expect(stub.seen[1]!.body.messages[0].content[0].file).toEqual({ filename: "Sleepers", file_data });
});

test("so does a shadow", async () => {
  const key = await gateway.key({ mode: "live", project: "shadowed", settings: { shadow: { model: "shadows", sampleRate: 1 } } });
  stub.answer(good);
  stub.seen.length = 0;
  expect((await gateway.send(key, "POST", "/v1/responses", toResponses("short.pdf"))).status).toBe(200);
  await gateway.platform.background.idle();
  const files = stub.seen.map(({ body }) => [body.model, body.messages[0].content[1].file.file_data.length > 100]);
  expect(files).toEqual([
    ["x", true],
    ["y", true],
  ]);
});

test("one that is no PDF, has too many pages or is not to be fetched is refused where it was named", async () => {
  const key = await gateway.key({ mode: "live" });
  stub.answer(good);
  stub.seen.length = 0;
  for (const name of ["long.pdf", "page.html"]) {
    const response = await gateway.send(key, "POST", "/v1/responses", toResponses(name));
    expect([response.status, ((await response.json()) as any).error.param]).toEqual([400, "input.0.content.1.file_url"]);
  }
  const inside = toMessages("short.pdf");
  inside.messages[0]!.content[0]!.source!.url = "http://10.0.0.1/a.pdf";
  const response = await gateway.send(key, "POST", "/v1/messages", inside);
  expect([response.status, ((await response.json()) as any).error.param]).toEqual([400, "messages.0.content.0.source.url"]);
  expect(stub.seen).toEqual([]);
});

test("a test key fetches nothing", async () => {
  const key = await gateway.key();
  fetched.length = 0;
  const response = await gateway.send(key, "POST", "/v1/messages", toMessages("short.pdf"));
  expect([response.status, fetched]).toEqual([200, []]);
  expect(((await response.json()) as any).content[0].text).toContain("127.0.0.1");
});
