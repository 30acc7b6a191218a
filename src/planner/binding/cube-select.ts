/**
 * SELECTs over cubes (docs/decisions/0045-cubes-in-sql.md#decision). A SELECT over a cube alone becomes a grouped SELECT over the
 * cube's base: predicates on dimensions come before grouping, those on measures after it. Joined with other tables, a cube is a
 * closed derived table, grouped by the dimensions that the query names.
 */
import { PlannerError } from "../diagnostics.ts";
import { derived, selectFrom } from "../expand/select.ts";
import { functionName, isAggregateCall } from "../functions/calls.ts";
import { findFunction } from "../functions/catalogue.ts";
import { all, exactName, queryOf } from "../syntax/build.ts";
import { mapTable, transformQuery } from "../syntax/rewrite.ts";
import type {
  Call,
  Expression,
  GroupingElement,
  Select,
  SelectExpression,
  SortItem,
  Span,
  TableExpression,
} from "../syntax/tree.ts";
import { conjuncts, type SyntaxNode, walk } from "../syntax/walk.ts";
import type { ExpressionBinding } from "./binding.ts";
import { type CubeColumn, CubeRelation } from "./cube-relation.ts";
import { Grouping } from "./grouping.ts";
import { uniqueName } from "./output.ts";
import { noteConditions } from "./own-conditions.ts";
import { UniqueNames } from "./printable-name.ts";
import { ExpressionSet } from "./same.ts";
import type { Namespace } from "./scope.ts";

export interface BoundClauses {
  readonly select: Select;
  readonly orderBy: readonly SortItem[];
}

/** The cube that is all that FROM names. */
export function onlyCube({ relations }: Namespace): CubeRelation | undefined {
  const [first, ...others] = relations;
  return first instanceof CubeRelation && others.length === 0 ? first : undefined;
}

// ------------------------------------------------------------------------------------------------------ a cube alone

/**
 * `keys` are those of GROUP BY, flat. Without GROUP BY the keys are the dimensions that the select list names by
 * themselves. Throws INVALID_QUERY and UNGROUPED_COLUMN for what has no one meaning over groups.
 */
export function groupCube(cube: CubeRelation, bound: BoundClauses, keys: readonly Expression[]): BoundClauses {
  const { select, orderBy } = bound;
  const dimensions = select.groupBy === undefined ? plainDimensions(select, cube) : keys;
  for (const key of dimensions) refuseMeasureIn(key, cube);
  const { before, after } = splitWhere(select, cube);
  const grouped = [
    ...select.items.flatMap((item) => (item.kind === "item" ? [item.expression] : [])),
    ...after,
    ...[select.having, select.qualify].flatMap((condition) => condition ?? []),
    ...(select.distinct ?? []),
    ...select.windows.flatMap(({ window }) => [
      ...window.partitionBy,
      ...window.orderBy.map((item) => item.expression),
    ]),
    ...orderBy.map((item) => item.expression),
  ];
  checkNestedQueries(select, orderBy, cube);
  for (const expression of grouped) checkAggregates(expression, cube);
  const measures = grouped
    .flatMap((expression) => columnsIn(expression, cube))
    .filter(({ column }) => isMeasure(column));
  const known = new ExpressionSet([...dimensions, ...measures.map(({ node }) => node)]);
  for (const expression of grouped) checkGrouped(expression, known, cube, select.groupBy !== undefined);
  if (
    dimensions.length === 0 &&
    select.groupBy === undefined &&
    measures.length === 0 &&
    !grouped.some(holdsAggregate)
  ) {
    throw new PlannerError(
      "INVALID_QUERY",
      `a query over cube "${cube.cube.name}" names a dimension or a measure of it`,
      {
        span: select.span,
        hint: namesHint(cube),
      },
    );
  }
  const groupBy: readonly GroupingElement[] | undefined =
    select.groupBy ??
    (dimensions.length === 0 ? undefined : dimensions.map((expression) => ({ kind: "expression", expression })));
  const regrouped: Select = {
    ...select,
    where: all(before, select),
    groupBy,
    having: all([...after, ...(select.having === undefined ? [] : [select.having])], select),
  };
  const computed = withMembers({ select: regrouped, orderBy }, cube);
  noteConditions(computed.select.where, [cube.base.relation]);
  return computed;
}

function plainDimensions(select: Select, cube: CubeRelation): readonly Expression[] {
  const found = new Map<CubeColumn, Expression>();
  for (const item of select.items) {
    const column = item.kind === "item" ? columnOf(item.expression, cube) : undefined;
    if (item.kind === "item" && column !== undefined && !isMeasure(column)) found.set(column, item.expression);
  }
  return [...found.values()];
}

/** Conditions on measures hold for groups, all others for the rows of the base. */
function splitWhere(
  select: Select,
  cube: CubeRelation,
): { before: readonly Expression[]; after: readonly Expression[] } {
  const parts = select.where === undefined ? [] : conjuncts(select.where);
  const onGroups = (part: Expression): boolean => columnsIn(part, cube).some(({ column }) => isMeasure(column));
  return { before: parts.filter((part) => !onGroups(part)), after: parts.filter(onGroups) };
}

/** The SELECT with every name of a member replaced by its expression. */
function withMembers({ select, orderBy }: BoundClauses, cube: CubeRelation): BoundClauses {
  const replaced = transformQuery(queryOf(select, { orderBy }), {
    expression: (node) => {
      const column = columnOf(node, cube);
      return column === undefined ? node : { ...column.expression, span: node.span };
    },
  });
  return { select: replaced.body.kind === "select" ? replaced.body : select, orderBy: replaced.orderBy };
}

// ------------------------------------------------------------------------------------------------------------- rules

/** Aggregates that count base rows have no meaning over groups; aggregates that only use the values do. */
const VALUE_AGGREGATES: ReadonlySet<string> = new Set(["min", "max", "bool_and", "bool_or", "every", "any_value"]);

function checkAggregates(expression: Expression, cube: CubeRelation): void {
  walk(expression, (node) => {
    if (node.kind === "query") return false;
    if (!isAggregate(node)) return true;
    checkAggregate(node, cube);
    return false;
  });
}

function checkAggregate(call: Call, cube: CubeRelation): void {
  const name = functionName(call);
  refuseMeasureIn(call, cube);
  if (call.distinct || VALUE_AGGREGATES.has(name)) return;
  throw new PlannerError("INVALID_QUERY", `${name} over a cube would count the rows behind it`, {
    span: call.span,
    hint: call.star
      ? `Name a measure that counts, or count the groups: SELECT count(*) FROM (SELECT … FROM ${cube.cube.name}) AS groups.`
      : "Name a measure, or aggregate the rows of a subquery over the cube.",
  });
}

function refuseMeasureIn(expression: Expression, cube: CubeRelation): void {
  const measure = columnsIn(expression, cube).find(({ column }) => isMeasure(column));
  if (measure === undefined) return;
  const { name } = measure.column;
  throw new PlannerError(
    "INVALID_QUERY",
    isAggregate(expression) ? `measure "${name}" is an aggregate already` : `GROUP BY cannot name measure "${name}"`,
    {
      span: measure.node.span,
      hint: isAggregate(expression)
        ? `Write ${name} or MEASURE(${name}), or aggregate the rows of a subquery over the cube.`
        : "Group by dimensions.",
    },
  );
}

/** Where a subquery is evaluated, groups do not exist: it may name dimensions, but its common tables may not. */
function checkNestedQueries(select: Select, orderBy: readonly SortItem[], cube: CubeRelation): void {
  const refuse = (span: Span, what: string): never => {
    throw new PlannerError("INVALID_QUERY", `a subquery cannot name ${what} of cube "${cube.cube.name}" around it`, {
      span,
      hint: `Select from the cube in a subquery of its own: FROM (SELECT … FROM ${cube.cube.name}) AS t.`,
    });
  };
  const visit = (node: SyntaxNode): boolean => {
    if (node.kind !== "query") return true;
    for (const { node: use, column } of columnsIn(node, cube)) if (isMeasure(column)) refuse(use.span, "measures");
    walk(node, (inner) => {
      if (inner.kind !== "query") return true;
      for (const table of inner.with?.tables ?? []) {
        for (const { node: use } of columnsIn(table.query, cube)) refuse(use.span, "dimensions in WITH");
      }
      return true;
    });
    return false;
  };
  walk(select, visit);
  for (const item of orderBy) walk(item.expression, visit);
}

function checkGrouped(expression: Expression, keys: ExpressionSet, cube: CubeRelation, explicit: boolean): void {
  try {
    new Grouping([], keys, [cube]).checked(expression);
  } catch (error) {
    if (!(error instanceof PlannerError) || error.reason !== "UNGROUPED_COLUMN") throw error;
    throw new PlannerError("UNGROUPED_COLUMN", error.message.replace(/^column/, "dimension"), {
      ...(error.span && { span: error.span }),
      hint: explicit
        ? "Add it to GROUP BY, or look at it in a subquery over the cube."
        : "Select the dimension by itself as well, or write GROUP BY with what the rows are to be grouped by.",
    });
  }
}

function holdsAggregate(expression: Expression): boolean {
  let found = false;
  walk(expression, (node) => {
    found ||= isAggregate(node);
    return node.kind !== "query";
  });
  return found;
}

function isAggregate(node: SyntaxNode): node is Call {
  return node.kind === "call" && isAggregateCall(node, findFunction(functionName(node)));
}

// ----------------------------------------------------------------------------------------------- a cube among others

/** Replaces every cube with a closed derived table; the query then is an ordinary one over it. */
export function closeCubes(bound: BoundClauses, { relations }: Namespace): BoundClauses {
  const tables = new Map<TableExpression, TableExpression>();
  for (const cube of relations) {
    if (!(cube instanceof CubeRelation)) continue;
    refuseFilterOnly(bound, cube);
    tables.set(cube.base.table, closedTable(cube, bound.select));
  }
  if (tables.size === 0) return bound;
  const place = (table: TableExpression): TableExpression =>
    tables.get(table) ?? (table.kind === "join" ? mapTable(table, { ...SAME, table: place }) : table);
  return { ...bound, select: { ...bound.select, from: bound.select.from.map(place) } };
}

const SAME = {
  expression: <T>(node: T): T => node,
  query: <T>(node: T): T => node,
  body: <T>(node: T): T => node,
  item: <T>(node: T): T => node,
};

function closedTable(cube: CubeRelation, { span }: Select): TableExpression {
  const used = cube.usedColumns();
  if (used.length === 0) {
    throw new PlannerError(
      "INVALID_QUERY",
      `a query over cube "${cube.cube.name}" names a dimension or a measure of it`,
      {
        span: cube.base.table.span,
        hint: namesHint(cube),
      },
    );
  }
  const taken = new UniqueNames();
  const items = used.map((column, index): SelectExpression => {
    column.printedName = uniqueName(column.name, index, taken);
    return { kind: "item", expression: column.expression, alias: exactName(column.printedName, span), span };
  });
  const keys = used.filter((column) => !isMeasure(column)).map((column) => column.expression);
  const query = selectFrom(items, cube.base.table, keys.length === 0 ? {} : { groupBy: keys });
  return derived(query, cube.printedAlias, cube.base.table.span);
}

/**
 * A dimension named only in WHERE would become a key in this form, but not in a query over the cube alone: the same
 * text would have two meanings.
 */
function refuseFilterOnly({ select, orderBy }: BoundClauses, cube: CubeRelation): void {
  if (select.where === undefined) return;
  const elsewhere = new Set(
    [{ ...select, where: undefined }, ...orderBy.map((item) => item.expression)].flatMap((node) =>
      columnsIn(node, cube).map(({ column }) => column),
    ),
  );
  const filter = columnsIn(select.where, cube).find(({ column }) => !isMeasure(column) && !elsewhere.has(column));
  if (filter === undefined) return;
  throw new PlannerError(
    "INVALID_QUERY",
    `in a join the rows of cube "${cube.cube.name}" have no "${filter.column.name}" to filter by: only WHERE names it`,
    {
      span: filter.node.span,
      hint: `Filter before the join: (SELECT … FROM ${cube.cube.name} WHERE ${filter.column.name} …) AS t; or select the dimension.`,
    },
  );
}

// ------------------------------------------------------------------------------------------------------------- names

function columnOf(node: SyntaxNode, cube: CubeRelation): CubeColumn | undefined {
  if (node.kind !== "bound" || node.column.relation !== cube) return undefined;
  return node.column as CubeColumn;
}

/** Every use of a column of the cube, those in subqueries included. */
function columnsIn(
  node: SyntaxNode,
  cube: CubeRelation,
): readonly { readonly node: Expression; readonly column: CubeColumn }[] {
  const found: { readonly node: Expression; readonly column: CubeColumn }[] = [];
  walk(node, (each) => {
    const column = columnOf(each, cube);
    if (column !== undefined && each.kind === "bound") found.push({ node: each, column });
    return true;
  });
  return found;
}

function isMeasure(column: CubeColumn): boolean {
  return column.member.kind === "measure";
}

function namesHint(cube: CubeRelation): string {
  return `It has ${cube
    .shownNames()
    .slice(0, 20)
    .map((name) => `"${name}"`)
    .join(", ")}.`;
}

/** `MEASURE(x)` and `AGG(x)` around a measure mean x; `undefined` where no cube is near. */
export function measureOf(call: Call, name: string, binding: ExpressionBinding): Expression | undefined {
  if (name !== "measure" && name !== "agg") return undefined;
  const { scope } = binding;
  if (!scope.namespace.relations.some((relation) => relation instanceof CubeRelation)) return undefined;
  const [argument, ...others] = call.arguments;
  const isPlain = !call.distinct && call.filter === undefined && call.over === undefined && others.length === 0;
  const bound =
    argument?.value.kind === "column" && isPlain ? binding.binder.bindExpression(argument.value, binding) : undefined;
  if (bound?.kind === "bound" && bound.column.relation instanceof CubeRelation) {
    if (isMeasure(bound.column as CubeColumn)) return { ...bound, span: call.span };
  }
  throw new PlannerError("INVALID_QUERY", `${name.toUpperCase()} takes the name of a measure`, {
    span: call.span,
    hint: "A dimension is not computed with; compute with the measure around it, as MEASURE(x) / 2.",
  });
}
