import { expect, test } from "bun:test";
import { startGateway } from "../support/gateway.ts";

const HEADER = "X-OpenWebUI-User-Id";
const environment = { SIGNALBOX_USER_HEADER: HEADER };
const text = { messages: [{ role: "user", content: "Name a colour." }] };
const picture = { prompt: "A signal box at dusk", response_format: "url" };
const chats = {
  "/v1/chat": text,
  "/v1/chat/completions": text,
  "/v1/responses": { input: "Name a colour." },
  "/v1/messages": { ...text, model: "auto", max_tokens: 100 },
  "/v1/embeddings": { input: "a colour" },
  "/v1/images/generations": picture,
  "/v1/video/generations": { prompt: "A train crosses a viaduct" },
  "/v1/audio/speech": { model: "tts-1", input: "Mind the gap.", voice: "alloy" },
  "/v1/tools/search": { query: "railway signals" },
  "/v1/moderations": { input: "railway signals" },
  "/v1/rerank": { query: "railway signals", documents: ["A signal box."] },
};

test.each(Object.entries(chats))(
  "%s: the header names the user where the body does not, by `user` or `metadata.user_id`",
  async (path, body) => {
    await using gateway = await startGateway({ environment });
    const key = await gateway.key({ mode: "test" });
    const userOf = async (more: object) => {
      const answer = await gateway.send(key, "POST", path, { ...body, ...more }, { [HEADER]: "mara" });
      expect(answer.status).toBeLessThan(300);
      await answer.bytes();
      const row = await gateway.send(key, "GET", `/v1/logs/${answer.headers.get("x-svc-request-id")}`);
      return ((await row.json()) as any).metadata.user_id;
    };
    const metadata = { user_id: "tom" };
    expect([await userOf({}), await userOf({ metadata })]).toEqual(["mara", "tom"]);
    // Anthropic's API has no `user`.
    expect(await userOf({ user: "ann", metadata })).toBe(path === "/v1/messages" ? "tom" : "ann");
  },
);

test("a user who is forgotten is forgotten in what the header named as well: calls, sessions and files", async () => {
  await using gateway = await startGateway({ environment });
  const key = await gateway.key({ mode: "test" });
  const post = async (path: string, body: object) =>
    (await gateway.send(key, "POST", path, body, { [HEADER]: "mara" })).json() as Promise<any>;
  await post("/v1/chat", { ...text, session_id: "colours", memory_enabled: true });
  const [{ url }] = (await post("/v1/images/generations", picture)).data;
  const status = async () => [
    (await gateway.send(key, "GET", "/v1/memory/colours")).status,
    (await gateway.send(null, "GET", new URL(url).pathname + new URL(url).search)).status,
  ];
  expect(await status()).toEqual([200, 200]);
  const forgotten = await gateway.send(key, "DELETE", "/v1/logs/user/mara");
  expect(await forgotten.json()).toMatchObject({ user_id: "mara", deleted: 2 });
  expect(await status()).toEqual([404, 404]);
});

test("without the setting the header says nothing, and with it a user may have 512 characters", async () => {
  await using plain = await startGateway();
  await using gateway = await startGateway({ environment });
  const send = async (to: typeof plain, user: string) =>
    to.send(await to.key({ mode: "test" }), "POST", "/v1/chat", text, { [HEADER]: user });
  expect((await send(plain, "m".repeat(513))).status).toBe(200);
  expect((await send(gateway, "m".repeat(512))).status).toBe(200);
  const refused = await send(gateway, "m".repeat(513));
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: HEADER, message: `The header ${HEADER} has 513 characters; a user may have 512.` } },
  ]);
});
