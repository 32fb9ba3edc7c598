/**
 * Bounds the memory that a project's large bodies take at once: those of requests, each until its answer begins, and those of replayed
 * answers, each until it is read. Rate limits do not bound it: some routes can count a request only when they have read it, and some tiers
 * have no limits. A request's body without room waits at the client, because the runtime accepts no bytes that nobody reads.
 */

import type { Caller } from "../accounts/authenticate.ts";
import { serviceUnavailable } from "../api-error.ts";

/** Of a project, for live and test calls apart. */
const MOST_HELD_BYTES = 256 * 1024 * 1024;
/** The last quarter is for bodies of at most this size, so that slow uploads hold up no ordinary calls. */
const ORDINARY_BYTES = 1024 * 1024;
const MOST_WAIT_MS = 60_000;
/** The runtime buffers more than a megabyte for each. */
const MOST_WAITING = 200;
/** Not counted: the operating system buffers as much for a connection. */
export const SMALL_BYTES = 64 * 1024;

/** Counts what `makeRoom` is told of the request until the returned function is called. */
export type BodyRoom = (request: Request, caller: Pick<Caller, "project" | "mode">) => () => void;

/** Sets how much a request holds. For more than before it waits until that fits; throws 503 after a minute, or if too many wait. */
type Hold = (bytes: number) => Promise<void>;
type Room = { heldBytes: number; waiting: { bytes: number; enter(): void }[] };

/** Beside the requests, because routes read bodies without the platform. */
const holds = new WeakMap<Request, Hold>();

/** Waits until a body of `bytes` has room: in all, not beside what the request holds. Only requests admitted with a key are counted. */
export const makeRoom = async (request: Request, bytes: number): Promise<void> => holds.get(request)?.(bytes);

/** A compressed body announces less than it holds. */
export const mayBeLarge = ({ headers, method }: Request): boolean => {
  const announced = headers.get("content-length");
  return announced === null || headers.has("content-encoding") ? method !== "GET" : Number(announced) > SMALL_BYTES;
};

/** `onFreed` is told how much was given back, and how much is still held by all. */
export const createBodyRoom = (
  onFreed: (freedBytes: number, heldBytes: number) => void,
  { mostBytes = MOST_HELD_BYTES, mostWaitMs = MOST_WAIT_MS, mostWaiting = MOST_WAITING } = {},
): BodyRoom => {
  const rooms = new Map<string, Room>();
  let heldByAll = 0;
  const letIn = (owner: string, room: Room): void => {
    room.waiting = room.waiting.filter(({ bytes, enter }) => {
      const most = bytes <= ORDINARY_BYTES ? mostBytes : (mostBytes * 3) / 4;
      if (room.heldBytes > 0 && room.heldBytes + bytes > most) return true;
      room.heldBytes += bytes;
      heldByAll += bytes;
      enter();
      return false;
    });
    if (room.heldBytes === 0) rooms.delete(owner);
  };
  const wait = async (owner: string, room: Room, bytes: number, { signal }: Request): Promise<void> => {
    if (room.waiting.length >= mostWaiting) throw noRoom();
    const { promise, resolve: enter, reject } = Promise.withResolvers<void>();
    const place = { bytes, enter };
    room.waiting.push(place);
    letIn(owner, room);
    if (!room.waiting.includes(place)) return;
    const giveUp = () => {
      room.waiting = room.waiting.filter((other) => other !== place);
      reject(noRoom());
    };
    const timer = setTimeout(giveUp, mostWaitMs);
    // A caller who has left takes no place of those who wait.
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    await promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    });
  };
  const giveBack = (owner: string, bytes: number): void => {
    const room = rooms.get(owner);
    if (bytes === 0 || room === undefined) return;
    room.heldBytes -= bytes;
    heldByAll -= bytes;
    onFreed(bytes, heldByAll);
    letIn(owner, room);
  };
  return (request, { project, mode }) => {
    const owner = `${project.id} ${mode}`;
    let held = 0;
    let isOver = false;
    const hold: Hold = async (bytes) => {
      const wanted = bytes <= SMALL_BYTES ? 0 : bytes;
      const more = wanted - held;
      if (more > 0) {
        const room = rooms.get(owner) ?? { heldBytes: 0, waiting: [] };
        rooms.set(owner, room);
        await wait(owner, room, more, request);
        // Meanwhile the request may have been given up.
        if (isOver) return giveBack(owner, more);
      } else giveBack(owner, -more);
      held = wanted;
    };
    holds.set(request, hold);
    return () => {
      isOver = true;
      giveBack(owner, held);
      held = 0;
    };
  };
};

const noRoom = () =>
  serviceUnavailable("Other requests of this project with large bodies leave no room for this one. Send fewer at once.", 1);
