/** How large trees are, for limits on how often they may be put in place of their names. */
import { uncounted } from "../plan-budget.ts";
import { type SyntaxNode, walk } from "./walk.ts";

const KNOWN = new WeakMap<SyntaxNode, number>();

/** Nodes of a tree that outlives the query; counted once. */
export function sizeOf(tree: SyntaxNode): number {
  let size = KNOWN.get(tree);
  if (size === undefined) {
    let nodes = 0;
    uncounted(() =>
      walk(tree, () => {
        nodes++;
        return true;
      }),
    );
    size = nodes;
    KNOWN.set(tree, size);
  }
  return size;
}
