/** Column access for conditions and aggregates, which columns' expressions need in turn. */
import type { BindingContext } from "../binding/context.ts";
import type { ModelColumn } from "../manifest/model.ts";
import type { Hop, Path } from "../manifest/paths.ts";
import type { Expression, Span } from "../syntax/tree.ts";
import type { ModelRows } from "./model-rows.ts";

export interface Columns {
  readonly context: BindingContext;
  /**
   * The expression of a column at `rows`. Throws MANIFEST_CYCLE, MANIFEST_EXPRESSION, MANIFEST_RELATIONSHIP, FANOUT,
   * PRIMARY_KEY_REQUIRED.
   */
  at(column: ModelColumn, rows: ModelRows): Expression;
  /** The column at the end of a path that is to lead to one row at most; `span` is where the path is named. */
  path(path: Path, rows: ModelRows, span: Span): Expression;
  /** The rows one hop further, joined by the relationship's condition. */
  over(hop: Hop, rows: ModelRows): ModelRows;
}
