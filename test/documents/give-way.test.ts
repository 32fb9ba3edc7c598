import { expect, test } from "bun:test";
import { createGiveWay } from "../../src/documents/give-way.ts";
import { startGateway } from "../support/gateway.ts";
import { ingested, longText } from "./documents.ts";

const MEGABYTE = 1_000_000;

/** A log whose moves end when the test says so. */
const heldLog = () => {
  const ends: (() => void)[] = [];
  return { ends, checkpoint: () => new Promise<void>((resolve) => ends.push(resolve)) };
};

const isPending = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => setImmediate(() => resolve(true)))]);

test("a little is written without waiting for anything", async () => {
  const log = heldLog();
  await createGiveWay(log)(MEGABYTE);
  expect(log.ends.length).toBe(0);
});

test("all who write much wait for one move of the log, and then begin to count anew", async () => {
  const log = heldLog();
  const giveWay = createGiveWay(log);
  const first = giveWay(20 * MEGABYTE);
  const second = giveWay(20 * MEGABYTE);
  expect(log.ends.length).toBe(1);
  expect(await isPending(first)).toBe(true);
  expect(await isPending(second)).toBe(true);
  log.ends[0]!();
  await Promise.all([first, second]);
  const third = giveWay(MEGABYTE);
  expect(log.ends.length).toBe(2);
  log.ends[1]!();
  await third;
  await giveWay(MEGABYTE);
  expect(log.ends.length).toBe(2);
});

test("a log that cannot be moved holds nobody up", async () => {
  const giveWay = createGiveWay({ checkpoint: () => Promise.reject(new Error("The reader worker failed")) });
  await giveWay(20 * MEGABYTE);
});

test("a long document lets the log be moved several times while it is read in and while it is deleted", async () => {
  const gateway = await startGateway();
  const { db } = gateway.platform;
  const { checkpoint } = db;
  let moves = 0;
  db.checkpoint = () => {
    moves++;
    return checkpoint();
  };
  const key = await gateway.key();
  const { id, chunk_count } = await ingested(gateway, key, "long.md", longText(4_800));
  expect(chunk_count).toBeGreaterThan(1_000);
  const whileRead = moves;
  expect(whileRead).toBeGreaterThan(1);
  await gateway.send(key, "DELETE", `/v1/documents/${id}`);
  await gateway.platform.background.idle();
  expect(moves).toBeGreaterThan(whileRead);
  await gateway.stop();
}, 60_000);
