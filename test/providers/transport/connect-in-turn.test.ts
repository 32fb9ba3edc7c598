import { expect, test } from "bun:test";
import { createConnectInTurn } from "../../../src/providers/transport/connect-in-turn.ts";

/** Connections that end when they are told to, and the hosts of those begun. */
const heldConnections = () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const connect = (hostname: string) => () =>
    new Promise<void>((resolve) => {
      begun.push(hostname);
      ends.push(resolve);
    });
  return { begun, ends, connect };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("while one host is looked up, others whose name server is silent wait for their turn", async () => {
  const { begun, ends, connect } = heldConnections();
  const inTurn = createConnectInTurn(async () => false);
  for (const host of ["one.example", "two.example", "three.example"]) void inTurn(host, connect(host));
  for (const turns of [1, 2, 3]) {
    await settled();
    expect(begun).toEqual(["one.example", "two.example", "three.example"].slice(0, turns));
    ends.at(-1)?.();
  }
});

test("a host waits neither for itself, nor if its name server answers or nobody has to be asked", async () => {
  const asked: string[] = [];
  const { begun, connect } = heldConnections();
  const inTurn = createConnectInTurn(async (hostname) => asked.push(hostname) > 0);
  const hosts = ["one.example", "two.example", "127.0.0.1", "::1", "localhost"];
  for (const host of hosts) void inTurn(host, connect(host));
  await settled();
  expect(begun.toSorted()).toEqual(hosts.toSorted());
  expect(asked).toEqual(["two.example"]);
});
