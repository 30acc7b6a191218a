/** Sizes of trees, used to limit how often a tree may be inlined for its name. */
import { uncounted } from "../plan-budget.ts";
import { type SyntaxNode, walk } from "./walk.ts";

const KNOWN = new WeakMap<SyntaxNode, number>();

/** Number of nodes of a tree that outlives the query; counted once. */
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
