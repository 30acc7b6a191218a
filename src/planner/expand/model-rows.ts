/**
 * The rows that a model's columns are computed over: its own, joined with one table per relationship path (
 * docs/spec/planner.md#how-a-model-becomes-a-table). All of them belong to one SELECT, the frame; a path that leads to many rows
 * has an inner frame of its own.
 */
import { ExpressionMap } from "../binding/same.ts";
import { isVolatile } from "../binding/volatility.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import type { Hop } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { BoundColumn, Expression, PrintableColumn } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { SqlType } from "../types.ts";

/** The tables of one SELECT besides its root, in the order in which they were first needed. */
export class Frame {
  readonly tables: JoinedTable[] = [];
  #aliases = 0;

  add<T extends JoinedTable>(table: T): T {
    this.tables.push(table);
    return table;
  }

  /** Short names of our own cannot meet names of the manifest. */
  nextAlias(): string {
    this.#aliases++;
    return `_t${this.#aliases}`;
  }
}

export type JoinedTable = ModelRows | AggregateTable;

/** A column of `ModelRows`; its printed name is set with the table's. */
export interface RowsColumn extends PrintableColumn {
  readonly relation: ModelRows;
  readonly column: ModelColumn;
  printedName: string;
}

/** One row per row of a model, reached over a sequence of handles: paths with a common beginning share it. */
export class ModelRows {
  readonly model: Model;
  readonly printedAlias: string;
  readonly frame: Frame;
  /** The hop that leads to the rows; absent for the frame's root. */
  readonly hop: (Hop & { readonly parent: ModelRows }) | undefined;
  readonly needed = new Map<string, RowsColumn>();
  readonly #further = new Map<string, ModelRows>();
  readonly aggregates = new Map<string, AggregateTable>();
  /** The condition that joins it; set as soon as it is made. */
  on: Expression | undefined;
  /** `inner`: a row without partner has nothing to aggregate. */
  join: "left" | "inner" = "left";

  private constructor(model: Model, printedAlias: string, frame: Frame, hop: ModelRows["hop"]) {
    this.model = model;
    this.printedAlias = printedAlias;
    this.frame = frame;
    this.hop = hop;
  }

  /** The rows of `model` as the root of a new frame. */
  static root(model: Model, alias = "_b"): ModelRows {
    return new ModelRows(model, alias, new Frame(), undefined);
  }

  /** A row they are joined to may have no partner among them. */
  mayBeMissing(): boolean {
    return this.hop !== undefined && (this.join === "left" || this.hop.parent.mayBeMissing());
  }

  /** A column that these rows offer: physical, a source expression, or computed over the whole model. */
  reference(column: ModelColumn, type: SqlType): BoundColumn {
    let needed = this.needed.get(column.name);
    if (needed === undefined) {
      needed = { relation: this, column, printedName: column.name };
      this.needed.set(column.name, needed);
    }
    return { kind: "bound", column: needed, type, span: NOWHERE };
  }

  /** The rows one hop further; `joined` is called for rows that are new. */
  further(hop: Hop, joined: (rows: ModelRows) => void): ModelRows {
    const key = `${hop.handle.name}\n${hop.side}`;
    const known = this.#further.get(key);
    if (known !== undefined) return known;
    const rows = new ModelRows(hop.to, this.frame.nextAlias(), this.frame, { ...hop, parent: this });
    this.#further.set(key, rows);
    this.frame.add(rows);
    try {
      joined(rows);
    } catch (error) {
      // A second attempt, made to locate the error, must not find rows without a condition.
      this.#further.delete(key);
      throw error;
    }
    return rows;
  }
}

/** A column of an `AggregateTable`. */
export interface AggregateColumn extends PrintableColumn {
  readonly relation: AggregateTable;
  readonly printedName: string;
}

/**
 * Aggregates over the rows that a path leads to, one row per group, joined to the rows the path starts from
 * (docs/spec/planner.md#aggregates-over-paths). All aggregates over one path share it.
 */
export class AggregateTable {
  readonly printedAlias: string;
  readonly owner: ModelRows;
  /** Root of the inner frame: the target of the path's first hop, or a copy of its starting rows. */
  readonly root: ModelRows;
  readonly copiesBase: boolean;
  /** Where the root's rules are applied: a rule that filters rows must not be applied twice. */
  readonly rootRules: "here" | "elsewhere";
  readonly #keys = new ComputedColumns(this, "_k");
  readonly #values = new ComputedColumns(this, "_a");
  /** Conditions on the rows inside. */
  readonly where: Expression[] = [];
  on: Expression | undefined;
  readonly join = "left";

  constructor(
    owner: ModelRows,
    root: ModelRows,
    { copiesBase, rootRules }: Pick<AggregateTable, "copiesBase" | "rootRules">,
  ) {
    this.owner = owner;
    this.root = root;
    this.copiesBase = copiesBase;
    this.rootRules = rootRules;
    this.printedAlias = owner.frame.nextAlias();
  }

  get keys(): readonly ComputedColumn[] {
    return this.#keys.columns;
  }

  get values(): readonly ComputedColumn[] {
    return this.#values.columns;
  }

  key(expression: Expression): BoundColumn {
    return this.#keys.reference(expression);
  }

  value(expression: Expression): BoundColumn {
    return this.#values.reference(expression);
  }
}

interface ComputedColumn {
  readonly expression: Expression;
  readonly column: AggregateColumn;
}

/** Columns of an `AggregateTable`, in the order of first use. */
class ComputedColumns {
  readonly columns: ComputedColumn[] = [];
  readonly #relation: AggregateTable;
  readonly #prefix: string;
  readonly #known = new ExpressionMap<AggregateColumn>();

  constructor(relation: AggregateTable, prefix: string) {
    this.#relation = relation;
    this.#prefix = prefix;
  }

  reference(expression: Expression): BoundColumn {
    // One column for equal expressions: DISTINCT requires ORDER BY to repeat the exact text of its argument.
    const known = this.#known.get(expression);
    if (known !== undefined && !someExpression(expression, isVolatile)) return boundTo(known, expression);
    const column: AggregateColumn = {
      relation: this.#relation,
      printedName: `${this.#prefix}${this.columns.length + 1}`,
      origins: [expression],
    };
    this.columns.push({ expression, column });
    this.#known.add(expression, column);
    return boundTo(column, expression);
  }
}

function boundTo(column: AggregateColumn, { type }: Expression): BoundColumn {
  return { kind: "bound", column, ...(type && { type }), span: NOWHERE };
}
