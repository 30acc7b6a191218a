/**
 * Frames that end before they start, which are empty: `count(*)` over one is -1 on DuckDB. Seen on 1.4.4; reported for the
 * development of 1.6 as https://github.com/duckdb/duckdb/issues/23589, mended there by
 * https://github.com/duckdb/duckdb/pull/23637.
 */
import { unsupported } from "../../../diagnostics.ts";
import type { Frame } from "../../../syntax/tree.ts";
import { distanceOf } from "../frames.ts";

export function refuseEmptyFrame({ start, end, span }: Frame): void {
  if (end === undefined || !("offset" in start) || !("offset" in end) || start.kind !== end.kind) return;
  const [from, to] = [distanceOf(start.offset), distanceOf(end.offset)];
  if (from === undefined || to === undefined || from === to || from > to === (start.kind === "preceding")) return;
  throw unsupported(
    "a window frame that ends before it starts",
    span,
    "Write the nearer bound where the frame begins.",
  );
}
