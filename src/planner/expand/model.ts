/**
 * A model occurrence as a table expression: a direct reference to the physical table where every needed column is a
 * physical one (decisions P12), otherwise one derived table that computes exactly the needed columns (planner.md §6.2).
 */
import type { BindingContext } from "../binding/context.ts";
import { uniqueName } from "../binding/output.ts";
import { UniqueNames } from "../binding/printable-name.ts";
import type { ModelRelation, RelationColumn } from "../binding/relation.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Model, ModelColumn } from "../manifest/manifest.ts";
import { lexNativeExpression, lexNativeQuery, type NativeFlavour } from "../syntax/native.ts";
import type {
  Expression,
  Identifier,
  Query,
  Select,
  SelectExpression,
  Span,
  TableAlias,
  TableExpression,
} from "../syntax/tree.ts";
import { calculatedColumn } from "./calculated.ts";
import { joinCondition } from "./condition.ts";
import { NO_SPAN, type NodeColumn, PathNode } from "./path-tree.ts";

export interface ModelRead {
  readonly model: Model;
  readonly columns: readonly string[];
}

/** The table expression of one occurrence, with the printed names of its columns settled, and the models it reads. */
export function expandModel(
  relation: ModelRelation,
  span: Span,
  context: BindingContext,
  flavour: NativeFlavour,
): { readonly table: TableExpression; readonly reads: readonly ModelRead[] } {
  const { model } = relation;
  refuseUnsupported(model);
  const used = relation.usedColumns();
  const root = new PathNode(model, "_b", undefined);
  const expressions = used.map((column) => ({ column, expression: columnExpression(column, root, context) }));
  const reads = [root, ...root.descendants()].map((node) => ({ model: node.model, columns: [...node.needed.keys()] }));
  for (const { column, expression } of expressions) {
    if (column.modelColumn?.kind === "calculated") column.origins = [expression];
  }
  const allPhysical = expressions.every(({ expression }) => {
    if (expression.kind !== "bound" || expression.column.relation !== root) return false;
    return physicalName((expression.column as NodeColumn).column, flavour) !== undefined;
  });
  if (allPhysical) {
    for (const { column, expression } of expressions) {
      if (expression.kind !== "bound") continue;
      column.printedName = physicalName((expression.column as NodeColumn).column, flavour) ?? column.printedName;
    }
    return { table: sourceTable(model, relation.printedAlias, span, flavour), reads: named(reads, model, used) };
  }
  const taken = new UniqueNames();
  const items = expressions.map(({ column, expression }, index): SelectExpression => {
    column.printedName = uniqueName(column.name, index, taken);
    return { kind: "item", expression, alias: name(column.printedName), span: NO_SPAN };
  });
  const query = selectFrom(items, joinedNodes(root, context, flavour));
  const alias: TableAlias = { name: name(relation.printedAlias), columns: [] };
  return { table: { kind: "derived", query, lateral: false, alias, span }, reads: named(reads, model, used) };
}

/** The model itself is read by the names the query used, calculated ones included; related models by what paths need. */
function named(reads: readonly ModelRead[], model: Model, used: readonly RelationColumn[]): readonly ModelRead[] {
  return reads.map((read, index) => (index === 0 ? { model, columns: used.map((column) => column.name) } : read));
}

function columnExpression(column: RelationColumn, root: PathNode, context: BindingContext): Expression {
  const { modelColumn } = column;
  if (modelColumn === undefined) throw new TypeError(`"${column.name}" is no model column`);
  return modelColumn.kind === "calculated" ? calculatedColumn(modelColumn, root, context) : root.reference(modelColumn);
}

/** What is not built yet is refused: a rule that is ignored would show every row. */
function refuseUnsupported(model: Model): void {
  if (model.data.hasRowRules) {
    throw new PlannerError("NOT_IMPLEMENTED", `model "${model.name}" has row rules, which are not enforced yet`);
  }
  const ruled = model.data.columns.find((column) => column.hasColumnRule);
  if (ruled !== undefined) {
    throw new PlannerError("NOT_IMPLEMENTED", `model "${model.name}" has column rules, which are not enforced yet`);
  }
  if (model.data.baseObject !== undefined) {
    throw new PlannerError(
      "NOT_IMPLEMENTED",
      `model "${model.name}" is built on another object, which is not possible yet`,
    );
  }
}

/** The physical column behind a model column; `undefined` when it is computed. */
function physicalName(column: ModelColumn, flavour: NativeFlavour): string | undefined {
  if (column.kind === "plain") return column.name;
  if (column.kind !== "source" || column.expression === undefined) return undefined;
  return nativeExpression(column, flavour).bareName;
}

function nativeExpression(column: ModelColumn, flavour: NativeFlavour): { text: string; bareName: string | undefined } {
  try {
    return lexNativeExpression(column.expression ?? "", flavour);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    throw new PlannerError("MANIFEST_EXPRESSION", `expression of column "${column.name}": ${error.message}`);
  }
}

/** `physical AS alias`, or the modeller's `(SELECT …) AS alias`. */
function sourceTable(model: Model, alias: string, span: Span, flavour: NativeFlavour): TableExpression {
  const tableAlias: TableAlias = { name: name(alias), columns: [] };
  const { tableReference, refSql } = model.data;
  if (tableReference !== undefined) {
    const parts = [tableReference.catalog, tableReference.schema, tableReference.table].filter(
      (part) => part !== undefined,
    );
    return { kind: "table", name: parts.map(name), alias: tableAlias, span };
  }
  try {
    return { kind: "opaque-table", text: lexNativeQuery(refSql ?? "", flavour), alias: tableAlias, span };
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    throw new PlannerError("MANIFEST_EXPRESSION", `refSql of model "${model.name}": ${error.message}`);
  }
}

/** The nodes of a path tree joined, each model's row kept: parents first, LEFT JOIN for every hop. */
function joinedNodes(root: PathNode, context: BindingContext, flavour: NativeFlavour): TableExpression {
  const joins = [...root.descendants()].map((node) => ({ node, on: joinCondition(node, context) }));
  context.joins += joins.length;
  // Conditions first: they add to what the nodes must offer.
  let table = nodeTable(root, flavour);
  for (const { node, on } of joins) {
    refuseUnsupported(node.model);
    table = {
      kind: "join",
      join: "left",
      natural: false,
      left: table,
      right: nodeTable(node, flavour),
      on,
      using: [],
      span: NO_SPAN,
    };
  }
  return table;
}

/**
 * One node's table. Source expressions hold unqualified physical names, which another table of the join could capture:
 * they are computed in a derived table around this node's table alone.
 */
function nodeTable(node: PathNode, flavour: NativeFlavour): TableExpression {
  const columns = [...node.needed.values()];
  const physical = columns.map((column) => physicalName(column.column, flavour));
  if (physical.every((each) => each !== undefined)) {
    for (const [index, column] of columns.entries()) column.printedName = physical[index] ?? column.printedName;
    return sourceTable(node.model, node.printedAlias, NO_SPAN, flavour);
  }
  const taken = new UniqueNames();
  const items = columns.map((column, index): SelectExpression => {
    column.printedName = uniqueName(column.column.name, index, taken);
    const physicalColumn = physical[index];
    const expression: Expression =
      physicalColumn === undefined
        ? {
            kind: "opaque",
            text: nativeExpression(column.column, flavour).text,
            type: column.column.type,
            span: NO_SPAN,
          }
        : { kind: "column", parts: [name("_s"), name(physicalColumn)], type: column.column.type, span: NO_SPAN };
    return { kind: "item", expression, alias: name(column.printedName), span: NO_SPAN };
  });
  const query = selectFrom(items, sourceTable(node.model, "_s", NO_SPAN, flavour));
  return {
    kind: "derived",
    query,
    lateral: false,
    alias: { name: name(node.printedAlias), columns: [] },
    span: NO_SPAN,
  };
}

function selectFrom(items: readonly SelectExpression[], from: TableExpression): Query {
  const body: Select = {
    kind: "select",
    distinct: undefined,
    items,
    from: [from],
    where: undefined,
    groupBy: undefined,
    having: undefined,
    windows: [],
    qualify: undefined,
    span: NO_SPAN,
  };
  return { kind: "query", with: undefined, body, orderBy: [], limit: undefined, offset: undefined, span: NO_SPAN };
}

function name(text: string): Identifier {
  return { name: text, quoted: true, span: NO_SPAN };
}
