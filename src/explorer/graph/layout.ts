/** Places of the models and lines of the graph, by dagre. */
import { Graph, layout } from "@dagrejs/dagre";
import type { GraphEdge } from "./model-graph.ts";

export interface PlacedNode {
  readonly name: string;
  /** Left upper corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: GraphEdge;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const HEIGHT = 34;
const MARGIN = 16;
/** Longer names are cut in the drawing; the list has them whole. */
export const LONGEST_NAME = 24;

const widthOf = (name: string): number => Math.min(name.length, LONGEST_NAME + 1) * 8 + 28;

export function layoutOf(names: readonly string[], edges: readonly GraphEdge[]): Layout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 22, ranksep: 90, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  // Names of a model may be those of JavaScript's own members: dagre gets numbers.
  const keys = new Map(names.map((name, place) => [name, `m${place}`]));
  const keyOf = (name: string): string => keys.get(name) ?? "";
  for (const name of names) graph.setNode(keyOf(name), { width: widthOf(name), height: HEIGHT });
  const drawn = edges.filter(({ from, to }) => from !== to);
  drawn.forEach(({ from, to }, place) => {
    graph.setEdge(keyOf(from), keyOf(to), {}, `${place}`);
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  return {
    width: Math.max(width, 1),
    height: Math.max(height, 1),
    nodes: names.map((name) => {
      const { x, y, width, height } = boxOf(graph.node(keyOf(name)));
      return { name, x: x - width / 2, y: y - height / 2, width, height };
    }),
    edges: drawn.map((edge, place) => ({
      edge,
      points: pointsOf(graph.edge({ v: keyOf(edge.from), w: keyOf(edge.to), name: `${place}` })),
    })),
  };
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = (node: unknown): Box => node as Box;
const pointsOf = (label: unknown): readonly (readonly [x: number, y: number])[] =>
  ((label as { readonly points?: readonly { readonly x: number; readonly y: number }[] }).points ?? []).map(
    ({ x, y }) => [x, y] as const,
  );
