/** Trees without spans: text of the manifest has no position in the caller's SQL. */
import type { Span } from "./tree.ts";

/** The single span of all nodes that the caller did not write; compared by identity. */
export const NOWHERE: Span = { start: 0, end: 0 };

const KNOWN = new WeakMap<object, object>();

/** The parsed tree with every span empty; made once per tree. */
export function withoutSpans<T extends object>(tree: T): T {
  let bare = KNOWN.get(tree);
  if (bare === undefined) {
    bare = stripped(tree) as object;
    KNOWN.set(tree, bare);
  }
  return bare as T;
}

function stripped(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stripped);
  if (typeof node !== "object" || node === null) return node;
  // Bound columns are compared by identity and types are shared: neither may be copied.
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "span" ? NOWHERE : key === "column" || key === "type" ? value : stripped(value),
    ]),
  );
}
