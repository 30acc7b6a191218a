/** The models of a project as a graph: paths are edges, with the numbers of rows at their ends. */
import type { Model } from "../answers.ts";

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Names of the paths: one for each direction that the model names. */
  readonly names: readonly string[];
  /** `1` or `n` at each end. */
  readonly ends: readonly [from: string, to: string];
}

const ENDS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  ONE_TO_ONE: ["1", "1"],
  ONE_TO_MANY: ["1", "n"],
  MANY_TO_ONE: ["n", "1"],
  MANY_TO_MANY: ["n", "n"],
};

/** Paths of a model to itself and to models that the caller may not see are left out of the drawing by `from` and `to`. */
export function edgesOf(models: readonly Model[]): readonly GraphEdge[] {
  const known = new Set(models.map(({ name }) => name));
  const edges: GraphEdge[] = [];
  for (const { name: from, paths } of models) {
    for (const { name, model: to, joinType } of paths) {
      if (!known.has(to)) continue;
      const ends = ENDS[joinType] ?? ["", ""];
      // The other direction of the same relationship is the same line.
      const back = edges.findIndex(
        (edge) =>
          edge.from === to &&
          edge.to === from &&
          from !== to &&
          edge.names.length === 1 &&
          edge.ends[0] === ends[1] &&
          edge.ends[1] === ends[0],
      );
      const other = edges[back];
      if (other === undefined) edges.push({ from, to, names: [name], ends });
      else edges[back] = { ...other, names: [...other.names, name] };
    }
  }
  return edges;
}

const WORDS: Readonly<Record<string, string>> = { "1": "one", n: "many" };

/** `orders to customers by customer: many to one` */
export function sentenceOf({ from, to, names, ends: [first, second] }: GraphEdge): string {
  const numbers = first === "" ? "" : `: ${WORDS[first] ?? first} to ${WORDS[second] ?? second}`;
  return `${from} to ${to} by ${names.join(" and ")}${numbers}`;
}

/** Edges between models that a column is computed from. */
export const edgesBetween = (edges: readonly GraphEdge[], models: ReadonlySet<string>): ReadonlySet<GraphEdge> =>
  new Set(edges.filter(({ from, to }) => from !== to && models.has(from) && models.has(to)));
