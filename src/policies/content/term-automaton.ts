/** An Aho-Corasick automaton over folded terms: finds all of them in one pass, linear in the text however the terms repeat. */

import { foldTerm } from "./fold-text.ts";

/** Nodes of the trie are numbered breadth first, the root is 0. Each array has an entry for every node. */
export type TermAutomaton = {
  /** The children of a node are those from its entry up to the next node's, in the order of their units. */
  firstChild: Uint32Array;
  /** The unit that leads to the node from its parent. */
  unit: Uint16Array;
  /** The longest proper suffix of a node's path that is a path too. */
  fail: Uint32Array;
  depth: Uint32Array;
  /** Index of the term that ends at the node, -1 for none. */
  ends: Int32Array;
  /** Nearest node on the way of failures where a term ends; 0 for none. */
  shorter: Uint32Array;
  /** ASCII characters (as written, both cases) that some term starts with. */
  opensAscii: Uint8Array;
};

type Folded = { text: string; index: number };

/** Of terms that fold to the same the first counts; blank ones never match. */
export function compileTerms(terms: readonly string[]): TermAutomaton {
  const folded = terms
    .map((term, index): Folded => ({ text: foldTerm(term), index }))
    .filter(({ text }) => text !== "")
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.index - b.index));
  const opensAscii = new Uint8Array(128);
  for (const { text } of folded)
    for (const first of [text[0]!, text[0]!.toUpperCase()]) if (first < "\x80") opensAscii[first.charCodeAt(0)] = 1;
  const { parent, ...trie } = growTrie(folded);
  const automaton = { ...trie, opensAscii, fail: new Uint32Array(parent.length), shorter: new Uint32Array(parent.length) };
  linkFailures(automaton, parent);
  return automaton;
}

type Trie = Pick<TermAutomaton, "firstChild" | "unit" | "depth" | "ends"> & { parent: Uint32Array };

/** `terms` in ascending order, so that those with the same beginning, which is a node's path, stand together. */
function growTrie(terms: readonly Folded[]): Trie {
  const joined = terms.map(({ text }) => text).join("");
  const starts = [0];
  for (const [at, { text }] of terms.entries()) starts.push(starts[at]! + text.length);
  const array = () => new Uint32Array(joined.length + 2);
  const [firstChild, depth, parent] = [array(), array(), array()];
  const unit = new Uint16Array(joined.length + 1);
  const ends = new Int32Array(joined.length + 1).fill(-1);
  // The terms whose paths lead through a node, from the first up to the last.
  const [first, last] = [array(), array()];
  last[0] = terms.length;
  let count = 1;
  for (let node = 0; node < count; node++) {
    const length = depth[node]!;
    const unitOf = (term: number): number => joined.charCodeAt(starts[term]! + length);
    const isWhole = (term: number): boolean => starts[term]! + length === starts[term + 1]!;
    firstChild[node] = count;
    const end = last[node]!;
    let at = first[node]!;
    if (at < end && isWhole(at)) ends[node] = terms[at]!.index;
    while (at < end && isWhole(at)) at++;
    while (at < end) {
      const child = count++;
      unit[child] = unitOf(at);
      depth[child] = length + 1;
      parent[child] = node;
      first[child] = at;
      while (at < end && unitOf(at) === unit[child]) at++;
      last[child] = at;
    }
  }
  firstChild[count] = count;
  return {
    firstChild: firstChild.slice(0, count + 1),
    unit: unit.slice(0, count),
    depth: depth.slice(0, count),
    ends: ends.slice(0, count),
    parent: parent.slice(0, count),
  };
}

/** In the order of the nodes, so that a shorter path's failure is known before a longer one needs it. */
function linkFailures(automaton: TermAutomaton, parent: Uint32Array): void {
  const { unit, fail, shorter, ends } = automaton;
  for (let node = 1; node < parent.length; node++) {
    if (parent[node] !== 0) fail[node] = stepFrom(automaton, fail[parent[node]!]!, unit[node]!);
    shorter[node] = ends[fail[node]!] !== -1 ? fail[node]! : shorter[fail[node]!]!;
  }
}

/** 0 if there is none. */
function childOf({ firstChild, unit }: TermAutomaton, node: number, wanted: number): number {
  let low = firstChild[node]!;
  let high = firstChild[node + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (unit[middle] === wanted) return middle;
    if (unit[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return 0;
}

/** The node after reading `unit` at `node`. */
export function stepFrom(automaton: TermAutomaton, node: number, unit: number): number {
  let at = node;
  let child = childOf(automaton, at, unit);
  while (child === 0 && at !== 0) {
    at = automaton.fail[at]!;
    child = childOf(automaton, at, unit);
  }
  return child;
}
