/**
 * typebox compiles the keys of `patternProperties` to native regular expressions, and for `additionalProperties` joins them with the names
 * of the properties. So each key is compiled as a mark, for which its pattern in linear time is put before it is used.
 */
import { BuildResult } from "typebox/schema";
import { LinearPattern, type PatternOf } from "./linear-pattern.ts";

const MARK = /\^\ue000(\d+)\ue000\$/g;

export const createMarks = (patternOf: PatternOf) => {
  const patterns: string[] = [];
  const renamePatterns = (keys: string[]): string[] => keys.map((key) => `^\ue000${patterns.push(key) - 1}\ue000$`);

  const linearOf = ({ source }: RegExp): RegExp => {
    const marked = [...source.matchAll(MARK)].flatMap(([, index]) => patterns[Number(index)] ?? []);
    const names = source.replace(MARK, "");
    if (names === "" && marked.length === 1) return patternOf(marked[0]!);
    return new AnyPattern([...marked.map(patternOf), patternOf(source.replace(MARK, MATCHES_NOTHING))]);
  };

  const withLinearPatterns = (built: BuildResult): BuildResult => {
    const { identifier, variables } = built.External();
    const linear = variables.map((variable) => (isNative(variable) ? linearOf(variable) : variable));
    const external = { identifier, variables: linear };
    return new BuildResult(built.Context(), built.Schema(), external, built.Functions(), built.Entry(), built.UseUnevaluated());
  };
  return { renamePatterns, withLinearPatterns };
};
const MATCHES_NOTHING = "[]";

/** Not a `pattern`, which was prepared before, and not what typebox takes for no pattern at all. */
const isNative = (variable: unknown): variable is RegExp =>
  variable instanceof RegExp && !(variable instanceof LinearPattern) && variable.source !== "(?!)";

/** Matches what any of the patterns matches. */
class AnyPattern extends RegExp {
  readonly #patterns: readonly RegExp[];

  constructor(patterns: readonly RegExp[]) {
    super("");
    this.#patterns = patterns;
  }

  override test(text: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(text));
  }
}
