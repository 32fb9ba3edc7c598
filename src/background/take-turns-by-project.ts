/** Projects take turns with their jobs, so that one that has thousands, or some that take a minute each, does not keep the others waiting. */

import type { FirstDue } from "./store.ts";

type ProjectTurns = {
  /** The job of the project that has the fewest running, and of several that of the one whose last turn is longest ago. */
  choose(firsts: readonly FirstDue[]): FirstDue | undefined;
  began(job: FirstDue): void;
  ended(job: FirstDue): void;
};

type Turn = { running: number; lastAt: number };
const NEW: Turn = { running: 0, lastAt: 0 };

export const takeTurnsByProject = (): ProjectTurns => {
  /** Of projects that have jobs running, or had one when they last had others waiting. */
  const turns = new Map<string | null, Turn>();
  let taken = 0;
  const turnOf = ({ projectId }: FirstDue): Turn => turns.get(projectId) ?? NEW;

  const forgetOthers = (firsts: readonly FirstDue[]): void => {
    const waiting = new Set(firsts.map(({ projectId }) => projectId));
    for (const [projectId, { running }] of turns) if (running === 0 && !waiting.has(projectId)) turns.delete(projectId);
  };
  const isBefore = (one: Turn, other: Turn): boolean =>
    one.running !== other.running ? one.running < other.running : one.lastAt < other.lastAt;

  return {
    choose: (firsts) => {
      forgetOthers(firsts);
      let chosen = firsts[0];
      for (const job of firsts) if (isBefore(turnOf(job), turnOf(chosen!))) chosen = job;
      return chosen;
    },
    began: (job) => void turns.set(job.projectId, { running: turnOf(job).running + 1, lastAt: ++taken }),
    ended: (job) => {
      const { running, lastAt } = turnOf(job);
      turns.set(job.projectId, { running: running - 1, lastAt });
    },
  };
};
