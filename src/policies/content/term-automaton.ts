/** An Aho-Corasick automaton over folded terms: finds all of them in one pass, linear in the text however the terms repeat. */

import { foldTerm } from "./fold-text.ts";

export type TermAutomaton = {
  /** Transitions of the trie: key `node * 65536 + unit`. */
  next: ReadonlyMap<number, number>;
  /** ASCII characters (as written, both cases) that some term starts with. */
  opensAscii: Uint8Array;
  /** The longest proper suffix of a node's path that is a path too. */
  fail: Uint32Array;
  depth: Uint32Array;
  /** Index of the term that ends at the node, -1 for none. */
  ends: Int32Array;
  /** Nearest node on the way of failures where a term ends; 0 for none. */
  shorter: Uint32Array;
};

type Branch = { parent: number; unit: number; node: number };

const edge = (node: number, unit: number): number => node * 65536 + unit;

/** Of terms that fold to the same the first counts; blank ones never match. */
export function compileTerms(terms: readonly string[]): TermAutomaton {
  const next = new Map<number, number>();
  const depth = [0];
  const ends = [-1];
  const branches: Branch[] = [];
  const opensAscii = new Uint8Array(128);
  terms.map(foldTerm).forEach((term, index) => {
    let node = 0;
    for (let i = 0; i < term.length; i++) {
      const unit = term.charCodeAt(i);
      const child = next.get(edge(node, unit)) ?? depth.length;
      if (child === depth.length) {
        next.set(edge(node, unit), child);
        branches.push({ parent: node, unit, node: child });
        depth.push(i + 1);
        ends.push(-1);
      }
      node = child;
    }
    if (node !== 0 && ends[node] === -1) ends[node] = index;
    for (const first of [term.charAt(0), term.charAt(0).toUpperCase()])
      if (first < "\x80" && first) opensAscii[first.charCodeAt(0)] = 1;
  });
  return {
    next,
    opensAscii,
    depth: Uint32Array.from(depth),
    ends: Int32Array.from(ends),
    ...failures(next, depth, ends, branches),
  };
}

/** Breadth first, so that a shorter path's failure is known before a longer one needs it. */
function failures(
  next: ReadonlyMap<number, number>,
  depth: number[],
  ends: number[],
  branches: Branch[],
): Pick<TermAutomaton, "fail" | "shorter"> {
  const fail = new Uint32Array(depth.length);
  const shorter = new Uint32Array(depth.length);
  for (const { parent, unit, node } of branches.toSorted((a, b) => depth[a.node]! - depth[b.node]!)) {
    let suffix = fail[parent]!;
    while (suffix !== 0 && !next.has(edge(suffix, unit))) suffix = fail[suffix]!;
    fail[node] = parent === 0 ? 0 : (next.get(edge(suffix, unit)) ?? 0);
    shorter[node] = ends[fail[node]!] !== -1 ? fail[node]! : shorter[fail[node]!]!;
  }
  return { fail, shorter };
}

/** The node after reading `unit` at `node`. */
export function stepFrom(automaton: TermAutomaton, node: number, unit: number): number {
  let at = node;
  let child = automaton.next.get(edge(at, unit));
  while (child === undefined && at !== 0) {
    at = automaton.fail[at]!;
    child = automaton.next.get(edge(at, unit));
  }
  return child ?? 0;
}
