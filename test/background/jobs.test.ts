/** Jobs of the background: how many run at once, what a stop leaves of them, and when one is given up. */

import { expect, test } from "bun:test";
import { Abandoned, createBackground, type JobContext, type JobHandler } from "../../src/background/background.ts";
import { claimJob, deleteJob, extendLease, insertJob } from "../../src/background/store.ts";
import { gatewayOfFile } from "../support/gateway-of-file.ts";

const gateway = await gatewayOfFile();
const projectId = (await gateway.key()).project.id;

type Running = Pick<JobHandler, "run"> & Partial<JobHandler>;
const oneAttempt = (handler: Running): JobHandler => ({ maxAttempts: 1, exhausted: async () => {}, ...handler });

/** With a job of each owner. */
const started = async (kind: string, owners: readonly string[], handler: Running) => {
  const { db, log } = gateway.platform;
  const background = createBackground(db, gateway.clock, log);
  background.handle(kind, oneAttempt(handler));
  await db.write((sql) => {
    for (const projectId of owners) background.enqueue(sql, { kind, projectId, payload: { projectId } });
  });
  await background.start();
  return background;
};
const attemptsOf = (kind: string): number[] =>
  gateway.platform.db
    .all<{ attempts: number }>("SELECT attempts FROM jobs WHERE kind = ? ORDER BY id", kind)
    .map(({ attempts }) => attempts);

test("as many jobs of a kind run at once as its handler says, and all in the end", async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  let done = 0;
  const background = await started("crowded", Array(5).fill(projectId), {
    concurrency: 2,
    run: async () => {
      most = Math.max(most, ++running);
      if (running === 2) reached.resolve();
      await held.promise;
      running--;
      done++;
    },
  });
  await reached.promise;
  // Each job is claimed by a write: whoever would claim more has had the time to.
  for (let turn = 0; turn < 20; turn++) await gateway.platform.db.write(() => {});
  held.resolve();
  await background.idle();
  expect([most, done, attemptsOf("crowded")]).toEqual([2, 5, []]);
  await background.stop();
});

test.each([
  [1, ["a", "b", "c", "a", "b", "a", "a"]],
  [2, ["a", "b", "c", "a", "b", "a", "a"]],
])(
  "projects take turns with their jobs, %i at once: one that has many does not keep the others waiting",
  async (concurrency, order) => {
    const begun: string[] = [];
    const background = await started("turns", [..."aaaabbc"], {
      concurrency,
      run: async ({ projectId }) => void begun.push(projectId!),
    });
    await background.idle();
    expect(begun).toEqual(order);
    await background.stop();
  },
);

test("a project whose jobs take long does not hold every place while another has one waiting", async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const background = await started("long", [..."aaab"], {
    concurrency: 2,
    run: ({ projectId }) => {
      if (projectId === "b") reached.resolve();
      return held.promise;
    },
  });
  await reached.promise;
  held.resolve();
  await background.idle();
  await background.stop();
});

test("a job that a stop cut off waits for the next start, and has lost no attempt", async () => {
  const reached = Promise.withResolvers<void>();
  const background = await started("cut off", [projectId], {
    run: (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")));
        reached.resolve();
      }),
  });
  await reached.promise;
  await background.stop();
  expect(attemptsOf("cut off")).toEqual([0]);
});

test("a job that goes on from piece to piece ends at the piece where the stop finds it", async () => {
  const reached = Promise.withResolvers<void>();
  const background = await started("in pieces", [projectId], {
    run: async (_, { heartbeat }) => {
      for (;;) {
        await heartbeat();
        reached.resolve();
        await new Promise(setImmediate);
      }
    },
  });
  await reached.promise;
  await background.stop();
  expect(attemptsOf("in pieces")).toEqual([0]);
});

test("a job that fails as often as it may is given up, and is gone", async () => {
  const givenUp: number[] = [];
  const background = await started("hopeless", [projectId], {
    maxAttempts: 2,
    exhausted: async ({ attempts }) => void givenUp.push(attempts),
    run: async () => {
      throw new Error("failure");
    },
  });
  await background.idle();
  expect([givenUp, attemptsOf("hopeless")]).toEqual([[], [1]]);
  gateway.clock.advance(3_600_000);
  background.wake();
  await background.idle();
  expect([givenUp, attemptsOf("hopeless")]).toEqual([[2], []]);
  await background.stop();
});

test("a job that another worker has taken, or whose work is gone, ends without a word", async () => {
  const warned: string[] = [];
  const { db, log } = gateway.platform;
  const background = createBackground(db, gateway.clock, { ...log, warn: (message) => void warned.push(message) });
  background.handle("abandoned", {
    maxAttempts: 3,
    exhausted: async () => {},
    run: async () => {
      throw new Abandoned();
    },
  });
  await db.write((sql) => background.enqueue(sql, { kind: "abandoned", projectId, payload: {} }));
  await background.start();
  await background.idle();
  expect([attemptsOf("abandoned"), warned]).toEqual([[], []]);
  await background.stop();
});

test("a job whose process died is no failure; it waits longer each time, and what gets it further makes that forgotten", async () => {
  const { db } = gateway.platform;
  const job = () =>
    db.all<{ attempts: number; interruptions: number; waits: number }>(
      "SELECT attempts, interruptions, run_at - ? AS waits FROM jobs WHERE kind = 'interrupted'",
      gateway.clock.now(),
    )[0];
  gateway.clock.stop();
  const first = await started("other", [], { run: async () => {} });
  await db.write((sql) => first.enqueue(sql, { kind: "interrupted", projectId, payload: {} }));
  const seen = [];
  for (let death = 0; death < 9; death++) {
    await db.write((sql) => sql.run("UPDATE jobs SET lease_until = 1, attempts = attempts + 1 WHERE kind = 'interrupted'"));
    await (await started("other", [], { run: async () => {} })).stop();
    seen.push(job());
  }
  expect(seen.map((state) => state?.attempts)).toEqual(Array(9).fill(0));
  expect(seen.map((state) => state?.waits)).toEqual([0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);

  gateway.clock.advance(30_000);
  const reached = Promise.withResolvers<void>();
  const last = await started("interrupted", [], {
    run: (_, { signal, progressed }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")));
        void db.write(progressed).then(reached.resolve);
      }),
  });
  await reached.promise;
  expect(job()).toMatchObject({ attempts: 0, interruptions: 0 });
  await last.stop();
  await first.stop();
});

test("a job that was accepted before the clock was set back does not wait for that time to come again", async () => {
  const { db, log } = gateway.platform;
  const days = 40 * 86_400_000;
  const ahead = { ...gateway.clock, now: () => gateway.clock.now() + days };
  await db.write((sql) => {
    createBackground(db, ahead, log).enqueue(sql, { kind: "ahead", projectId, payload: { projectId } });
  });
  let done = 0;
  const background = await started("ahead", [], { run: async () => void done++ });
  await background.idle();
  expect([done, attemptsOf("ahead")]).toEqual([1, []]);
  await background.stop();
});

test("a job that asked to be called again soon is, although the clock was set back meanwhile", async () => {
  const { db, log } = gateway.platform;
  let now = gateway.clock.now();
  const background = createBackground(db, { now: () => now }, log);
  let runs = 0;
  const run = async () => (++runs < 2 ? { againInMs: 1_000 } : undefined);
  background.handle("again", oneAttempt({ run }));
  await db.write((sql) => background.enqueue(sql, { kind: "again", projectId, payload: { projectId } }));
  await background.start();
  await background.idle();
  now -= 1_800_000;
  const dueSince = () => background.counts().find(({ kind }) => kind === "again")!.dueSince;
  expect([runs, dueSince()]).toEqual([1, null]);
  now += 1_000;
  expect(dueSince()).toBe(now);
  background.wake();
  await background.idle();
  expect([runs, attemptsOf("again")]).toEqual([2, []]);
  await background.stop();
});

test("a worker whose lease ran out may no longer write: another has the job by then", async () => {
  const { db } = gateway.platform;
  const kind = "outlived";
  await db.write((sql) => insertJob(sql, { kind, projectId, payload: {} }, 0));
  const first = (await claimJob(db, kind, 0, 1_000))!;
  expect(await claimJob(db, kind, 999, 1_000)).toBeUndefined();
  expect(await extendLease(db, first, 2_000)).toBe(true);
  const second = (await claimJob(db, kind, 2_000, 1_000))!;
  expect(await extendLease(db, first, 9_000)).toBe(false);
  await deleteJob(db, first);
  expect(await extendLease(db, second, 9_000)).toBe(true);
  await deleteJob(db, second);
  expect(attemptsOf(kind)).toEqual([]);
});

test("a chore that takes longer than its interval is not begun beside itself", async () => {
  const { db, log } = gateway.platform;
  const background = createBackground(db, gateway.clock, log);
  const held = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  const seen = { long: 0, short: 0 };
  const long = async () => {
    seen.long++;
    if (seen.long === 2) again.resolve();
    await held.promise;
  };
  background.every(1, "long", long);
  await new Promise<void>((resolve) => {
    background.every(1, "short", async () => void (++seen.short === 5 && resolve()));
  });
  expect(seen.long).toBe(1);
  held.resolve();
  await again.promise;
  await background.stop();
});

test("a job that another worker took ends at its next heartbeat, and stays for that worker", async () => {
  const { db } = gateway.platform;
  const beats: string[] = [];
  const beat = async (heartbeat: JobContext["heartbeat"]) => {
    gateway.clock.advance(30_000);
    await heartbeat();
    beats.push("ours");
  };
  const background = await started("taken", [projectId], {
    run: async ({ kind }, { heartbeat }) => {
      await beat(heartbeat);
      await beat(heartbeat);
      expect(await claimJob(db, kind, gateway.clock.now() + 59_000, 1_000)).toBeUndefined();
      await db.write((sql) => sql.run("UPDATE jobs SET fence = fence + 1 WHERE kind = ?", kind));
      await beat(heartbeat);
    },
  });
  await background.idle();
  expect([beats, attemptsOf("taken")]).toEqual([["ours", "ours"], [1]]);
  await background.stop();
});

test("a job that does nothing but beat ends at a stop, and waits for the next start", async () => {
  const begun = Promise.withResolvers<void>();
  const background = await started("beating", [projectId], {
    run: async (_, { heartbeat }) => {
      begun.resolve();
      for (;;) {
        await heartbeat();
        await gateway.platform.db.write(() => {});
      }
    },
  });
  await begun.promise;
  await background.stop();
  expect(attemptsOf("beating")).toEqual([0]);
});

test("a job that is claimed while the program stops is handed back, not begun", async () => {
  const { db, log } = gateway.platform;
  const kind = "claimed late";
  let held: Promise<void> = Promise.resolve();
  const write: typeof db.write = async (...asked) => {
    const outcome = await db.write(...asked);
    await held;
    return outcome;
  };
  const background = createBackground({ ...db, write }, gateway.clock, log);
  let began = 0;
  background.handle(kind, oneAttempt({ run: async () => void began++ }));
  await background.start();
  await background.idle();
  await db.write((sql) => insertJob(sql, { kind, projectId, payload: {} }, 0));
  const letGo = Promise.withResolvers<void>();
  held = letGo.promise;
  background.wake();
  while (attemptsOf(kind)[0] === 0) await Bun.sleep(1);
  const stopped = background.stop();
  letGo.resolve();
  await stopped;
  expect([began, attemptsOf(kind)]).toEqual([0, [0]]);
});

test("a job that could not write is begun anew however few attempts it has: a full disk is not its fault", async () => {
  let runs = 0;
  const givenUp: string[] = [];
  const background = await started("disk", [projectId], {
    maxAttempts: 1,
    exhausted: async ({ id }) => void givenUp.push(id),
    run: async () => {
      runs++;
      if (runs === 1) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    },
  });
  await background.idle();
  expect([runs, givenUp, attemptsOf("disk")]).toEqual([1, [], [0]]);
  gateway.clock.advance(15_000);
  background.wake();
  await background.idle();
  expect([runs, givenUp, attemptsOf("disk")]).toEqual([2, [], []]);
  await background.stop();
});
