/**
 * Windows for targets that count frames by rows alone. PostgreSQL's default frame ends at the last row that is equal in the window's
 * order, which is the row itself if the manifest's keys, or the groups of a derived table, tell all rows apart by that order.
 */
import type { BindingContext } from "../binding/context.ts";
import { Grain, isGroupedSelect } from "../checks/unique-rows.ts";
import type { Frame, QueryBody, Select, Window } from "../syntax/tree.ts";

export class OrderedRows {
  readonly #context: BindingContext;
  /** The bound SELECT of one that the steps of a query have changed, where its rows are the same. */
  readonly #bound = new Map<Select, Select>();
  #grain: Grain | undefined;

  constructor(context: BindingContext) {
    this.#context = context;
  }

  add(bound: QueryBody, changed: QueryBody): void {
    if (bound === changed || bound.kind !== "select" || changed.kind !== "select") return;
    const hasSameRows = bound.from === changed.from && bound.where === changed.where;
    if (hasSameRows && bound.groupBy === changed.groupBy) this.#bound.set(changed, bound);
  }

  /** The window with a frame of rows, if its keys tell the rows of the SELECT apart. */
  inRows(window: Window, select: Select): Window {
    const { frame, partitionBy, orderBy, span } = window;
    if (orderBy.length === 0 || window.base !== undefined || !endsAtPeers(frame)) return window;
    const bound = this.#bound.get(select) ?? select;
    const scope = this.#context.selects.get(bound);
    if (scope === undefined || isGroupedSelect(bound, scope)) return window;
    this.#grain ??= new Grain(this.#context);
    const keys = [...partitionBy, ...orderBy.map(({ expression }) => expression)];
    if (!this.#grain.tellsApart(bound, keys)) return window;
    const { start = { kind: "unbounded-preceding" }, end = { kind: "current-row" }, exclude } = frame ?? {};
    return { ...window, frame: { unit: "rows", start, end, exclude, span: frame?.span ?? span } };
  }
}

const endsAtPeers = (frame: Frame | undefined): boolean =>
  frame === undefined ||
  (frame.unit === "range" && ![frame.start, frame.end].some((bound) => bound !== undefined && "offset" in bound));
