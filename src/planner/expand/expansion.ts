/**
 * Model occurrences as table expressions: a direct reference to the physical table where every needed column is a
 * physical one (decisions P12), otherwise one derived table that computes exactly the needed columns (planner.md §6.2).
 */
import type { BindingContext } from "../binding/context.ts";
import { uniqueName } from "../binding/output.ts";
import { UniqueNames } from "../binding/printable-name.ts";
import type { ModelRelation, RelationColumn } from "../binding/relation.ts";
import { PlannerError } from "../diagnostics.ts";
import { calculatedColumnOf } from "../manifest/calculated.ts";
import type { Model, ModelColumn } from "../manifest/manifest.ts";
import type { NativeFlavour } from "../syntax/native.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression, Query, SelectExpression, Span, TableExpression } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import { ModelColumns } from "./calculated.ts";
import { nativeExpression, physicalName, sourceTable } from "./physical.ts";
import { AggregateTable, type JoinedTable, ModelRows, type RowsColumn } from "./rows.ts";
import { derived, name, selectFrom } from "./select.ts";

/** What a plan reads of a model. */
export interface ModelRead {
  readonly model: Model;
  readonly columns: readonly string[];
}

export class Expansion {
  readonly #columns: ModelColumns;
  readonly #flavour: NativeFlavour;
  readonly reads: ModelRead[] = [];

  constructor(context: BindingContext, flavour: NativeFlavour) {
    this.#columns = new ModelColumns(context);
    this.#flavour = flavour;
  }

  /** The table expression of one occurrence, with the printed names of its columns settled. */
  occurrence(relation: ModelRelation, span: Span): TableExpression {
    const { model, printedAlias } = relation;
    refuseUnsupported(model);
    const used = relation.usedColumns();
    this.reads.push({ model, columns: used.flatMap(({ modelColumn }) => modelColumn?.name ?? []) });
    const rows = ModelRows.root(model);
    const outputs = used.map((column) => ({ column, expression: this.#outputOf(column, rows) }));
    for (const { column, expression } of outputs) {
      if (column.path !== undefined || column.modelColumn?.kind === "calculated") column.origins = [expression];
    }
    const direct = outputs.map(({ expression }) => this.#physicalNameOf(expression, rows));
    if (
      rows.frame.tables.length === 0 &&
      direct.every((each) => each !== undefined) &&
      model.data.baseObject === undefined
    ) {
      for (const [index, { column }] of outputs.entries()) column.printedName = direct[index] ?? column.printedName;
      return sourceTable(model, printedAlias, span, this.#flavour);
    }
    const taken = new UniqueNames();
    const items = outputs.map(({ column, expression }, index): SelectExpression => {
      column.printedName = uniqueName(column.name, index, taken);
      return { kind: "item", expression, alias: name(column.printedName), span: NOWHERE };
    });
    return derived(selectFrom(items, this.#joined(rows)), printedAlias, span);
  }

  #outputOf(column: RelationColumn, rows: ModelRows): Expression {
    if (column.path !== undefined) return this.#columns.path(column.path, rows);
    if (column.modelColumn === undefined) throw new TypeError(`"${column.name}" is no model column`);
    return this.#columns.at(column.modelColumn, rows);
  }

  /** The physical column that an expression at the root stands for; `undefined` when it is computed. */
  #physicalNameOf(expression: Expression, root: ModelRows): string | undefined {
    if (expression.kind !== "bound" || expression.column.relation !== root) return undefined;
    return physicalName((expression.column as RowsColumn).column, this.#flavour);
  }

  /** `columns` of all rows of `model` as a query; `printedNames` are those of its columns. */
  #rowsOf(model: Model, columns: readonly ModelColumn[], printedNames: readonly string[]): Query {
    const rows = ModelRows.root(model);
    const items = columns.map((column, index): SelectExpression => {
      const windowed = column.kind === "calculated" && calculatedColumnOf(model, column).window;
      const expression = windowed ? this.#columns.expressionOf(column, rows) : this.#columns.at(column, rows);
      return { kind: "item", expression, alias: name(printedNames[index] ?? column.name), span: NOWHERE };
    });
    return selectFrom(items, this.#joined(rows));
  }

  /** A frame's tables joined: what a condition names comes before it. */
  #joined(root: ModelRows): TableExpression {
    const { tables } = root.frame;
    const placed = new Set<unknown>([root]);
    const order: JoinedTable[] = [];
    const place = (table: JoinedTable): void => {
      if (placed.has(table)) return;
      placed.add(table);
      const needed = relationsIn(table.on);
      for (const other of tables) if (needed.has(other)) place(other);
      order.push(table);
    };
    for (const table of tables) place(table);
    let joined = this.#rowsTable(root);
    for (const table of order) {
      joined = {
        kind: "join",
        join: table.join,
        natural: false,
        left: joined,
        right: table instanceof AggregateTable ? this.#aggregateTable(table) : this.#rowsTable(table),
        on: table.on,
        using: [],
        span: NOWHERE,
      };
    }
    return joined;
  }

  #aggregateTable(table: AggregateTable): TableExpression {
    const items = [...table.keys, ...table.values].map(
      ({ expression, column }): SelectExpression => ({
        kind: "item",
        expression,
        alias: name(column.printedName),
        span: NOWHERE,
      }),
    );
    const query = selectFrom(items, this.#joined(table.root), {
      where: table.where,
      groupBy: table.keys.map(({ expression }) => expression),
    });
    return derived(query, table.printedAlias, NOWHERE);
  }

  /**
   * The table of one model's rows. Source expressions hold unqualified physical names, which another table of the join
   * could capture, and columns over all rows must not see the rows around them: both are computed in a derived table.
   */
  #rowsTable(rows: ModelRows): TableExpression {
    const { model, printedAlias } = rows;
    refuseUnsupported(model);
    const columns = [...rows.needed.values()];
    if (rows.hop !== undefined) this.reads.push({ model, columns: [...rows.needed.keys()] });
    const physical = columns.map(({ column }) => physicalName(column, this.#flavour));
    const base = model.data.baseObject === undefined;
    if (base && physical.every((each) => each !== undefined)) {
      for (const [index, column] of columns.entries()) column.printedName = physical[index] ?? column.printedName;
      return sourceTable(model, printedAlias, NOWHERE, this.#flavour);
    }
    const taken = new UniqueNames();
    for (const [index, column] of columns.entries()) {
      column.printedName = uniqueName(column.column.name, index, taken);
    }
    const query = columns.some(({ column }) => column.kind === "calculated")
      ? this.#rowsOf(
          model,
          columns.map(({ column }) => column),
          columns.map(({ printedName }) => printedName),
        )
      : this.#computed(model, columns, physical);
    return derived(query, printedAlias, NOWHERE);
  }

  #computed(model: Model, columns: readonly RowsColumn[], physical: readonly (string | undefined)[]): Query {
    const items = columns.map(({ column, printedName }, index): SelectExpression => {
      const physicalColumn = physical[index];
      const expression: Expression =
        physicalColumn === undefined
          ? { kind: "opaque", text: nativeExpression(column, this.#flavour).text, type: column.type, span: NOWHERE }
          : { kind: "column", parts: [name("_s"), name(physicalColumn)], type: column.type, span: NOWHERE };
      return { kind: "item", expression, alias: name(printedName), span: NOWHERE };
    });
    return selectFrom(items, sourceTable(model, "_s", NOWHERE, this.#flavour));
  }
}

/** What is not built yet is refused: a rule that is ignored would show every row. */
function refuseUnsupported(model: Model): void {
  if (model.data.rowRules.length > 0) {
    throw new PlannerError("NOT_IMPLEMENTED", `model "${model.name}" has row rules, which are not enforced yet`);
  }
  if (model.data.columns.some((column) => column.rule !== undefined)) {
    throw new PlannerError("NOT_IMPLEMENTED", `model "${model.name}" has column rules, which are not enforced yet`);
  }
  if (model.data.baseObject !== undefined) {
    throw new PlannerError(
      "NOT_IMPLEMENTED",
      `model "${model.name}" is built on another object, which is not possible yet`,
    );
  }
}

function relationsIn(expression: Expression | undefined): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  if (expression === undefined) return found;
  someExpression(expression, (each) => {
    if (each.kind === "bound") found.add(each.column.relation);
    return false;
  });
  return found;
}
