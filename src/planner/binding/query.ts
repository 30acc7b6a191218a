/** Binds queries: common tables, set operations, VALUES, and the clauses around them. */

import { commonType } from "../common-type.ts";
import { PlannerError } from "../diagnostics.ts";
import { plainDigits } from "../plain-digits.ts";
import type {
  CommonTable,
  Expression,
  Query,
  QueryBody,
  RowLimit,
  SelectItem,
  SetOperation,
  SortItem,
  Values,
} from "../syntax/tree.ts";
import { BIGINT, describeType, type SqlType } from "../types.ts";
import { type Binder, type BoundQuery, bindIn, plainBinding } from "./binding.ts";
import { convertAlternative, typeOf, unify } from "./coercion.ts";
import type { BindingContext } from "./context.ts";
import { bindExpression } from "./expression.ts";
import { isNullable } from "./nullability.ts";
import { ordinal, uniqueName } from "./output.ts";
import { OutputNames } from "./output-names.ts";
import { UniqueNames } from "./printable-name.ts";
import { inOrderOfUse } from "./recursive-order.ts";
import { type CommonTableBinding, type OutputColumn, Scope } from "./scope.ts";
import { bindSelect } from "./select.ts";
import { refuseMixedTimes } from "./session-zone.ts";

/** Every inner WITH sees all of the outer ones. */
const MAX_COMMON_TABLES = 1000;

/** Binds a whole query: names, types and output columns. Throws PlannerError. */
export function bindWholeQuery(query: Query, context: BindingContext): BoundQuery {
  return bindQuery(query, new Scope(undefined, new Map()), binderIn(context));
}

export function binderIn(context: BindingContext): Binder {
  const binder: Binder = {
    context,
    bindExpression,
    bindQuery: (inner, outer) => bindQuery(inner, outer, binder),
    bindTableQuery: (inner, outer) => bindQuery(inner, outer, binder, context.isInView ? "restricted" : "refused"),
  };
  return binder;
}

/**
 * Binds a query whose enclosing level is `outer`; `denied` is the policy for select items that the caller may not name.
 * Throws PlannerError.
 */
export function bindQuery(
  query: Query,
  outer: Scope,
  binder: Binder,
  denied: "refused" | "restricted" = "refused",
): BoundQuery {
  // The map is filled while the tables are bound, in order.
  const scope = query.with === undefined ? outer : outer.withCommonTables(new Map(outer.commonTables));
  const tables = query.with === undefined ? [] : bindCommonTables(query, scope, binder);
  const limits = {
    limit: query.limit && bindLimit(query.limit, scope, binder),
    offset: query.offset && bindConstant(query.offset, "OFFSET", scope, binder),
  };
  const withClause = query.with && { ...query.with, tables };
  if (query.body.kind === "select") {
    const bound = bindSelect(query.body, query.orderBy, scope, binder, denied);
    return {
      query: { ...query, with: withClause, body: bound.select, orderBy: bound.orderBy, ...limits },
      columns: bound.columns,
    };
  }
  const bound = bindBody(query.body, scope, binder, undefined);
  const names = new OutputNames(bound.columns);
  const orderBy = query.orderBy.map((item) => sortByOutput(item, names));
  return { query: { ...query, with: withClause, body: bound.body, orderBy, ...limits }, columns: bound.columns };
}

interface BoundBody {
  readonly body: QueryBody;
  readonly columns: readonly OutputColumn[];
}

function bindBody(
  body: QueryBody,
  scope: Scope,
  binder: Binder,
  afterLeft: ((columns: readonly OutputColumn[]) => void) | undefined,
): BoundBody {
  switch (body.kind) {
    case "select": {
      const bound = bindSelect(body, [], scope, binder, "refused");
      return { body: bound.select, columns: bound.columns };
    }
    case "nested": {
      const bound = bindQuery(body.query, scope, binder);
      return { body: { ...body, query: bound.query }, columns: bound.columns };
    }
    case "values":
      return bindValues(body, scope, binder);
    case "set":
      return bindSetOperation(body, scope, binder, afterLeft);
    default:
      return body satisfies never;
  }
}

function bindSetOperation(
  body: SetOperation,
  scope: Scope,
  binder: Binder,
  afterLeft: ((columns: readonly OutputColumn[]) => void) | undefined,
): BoundBody {
  const first = bindBody(body.left, scope, binder, undefined);
  afterLeft?.(first.columns);
  const second = bindBody(body.right, scope, binder, undefined);
  const name = body.operator.toUpperCase();
  if (first.columns.length !== second.columns.length) {
    throw new PlannerError(
      "INVALID_QUERY",
      `the sides of ${name} have ${first.columns.length} and ${second.columns.length} columns`,
      { span: body.right.span, hint: "Select the same number of columns on both sides." },
    );
  }
  const left = withLiteralsOf(first, second.columns, name, binder);
  const right = withLiteralsOf(second, left.columns, name, binder);
  const columns = left.columns.map((column, index): OutputColumn => {
    const other = right.columns[index] ?? column;
    const type = commonType([column.type, other.type]);
    refuseMixedTimes([column.type, other.type], body.right.span, binder.context);
    if (type === undefined) {
      throw new PlannerError(
        "TYPE_MISMATCH",
        `column ${index + 1} of ${name} is ${describeType(column.type)} on one side and ${describeType(other.type)} on the other`,
        { span: body.right.span, hint: "Write a CAST on one side." },
      );
    }
    return {
      ...column,
      type,
      notNull: column.notNull && (other.notNull || body.operator === "except"),
      origins: [...column.origins, ...other.origins],
    };
  });
  return { body: { ...body, left: left.body, right: right.body }, columns };
}

/** A text that a SELECT of the set operation has for a column takes the type that the other side has. */
function withLiteralsOf(bound: BoundBody, others: readonly OutputColumn[], name: string, binder: Binder): BoundBody {
  const { body } = bound;
  if (body.kind !== "select") return bound;
  const columns = [...bound.columns];
  const items = body.items.map((item, index): SelectItem => {
    const [column, type] = [columns[index], others[index]?.type];
    if (item.kind !== "item" || item.expression.kind !== "string" || column === undefined) return item;
    if (type === undefined || type.kind === "text") return item;
    const expression = convertAlternative(item.expression, type, name);
    if (expression === item.expression) return item;
    columns[index] = { ...column, type: typeOf(expression), origins: [expression] };
    return { ...item, expression };
  });
  if (columns.every((column, index) => column === bound.columns[index])) return bound;
  const select = { ...body, items };
  const own = binder.context.selects.get(body);
  if (own !== undefined) binder.context.selects.set(select, own);
  return { body: select, columns };
}

function bindValues(body: Values, scope: Scope, binder: Binder): BoundBody {
  const [first] = body.rows;
  const width = first?.length ?? 0;
  const uneven = body.rows.find((row) => row.length !== width);
  if (uneven !== undefined) {
    throw new PlannerError("INVALID_QUERY", `the rows of VALUES have ${width} and ${uneven.length} values`, {
      span: uneven[0]?.span ?? body.span,
    });
  }
  const binding = plainBinding(binder, scope, "VALUES");
  const rows = body.rows.map((row) => row.map((value) => bindIn(value, binding)));
  const columns: OutputColumn[] = [];
  const unified = rows.map((row) => [...row]);
  for (let index = 0; index < width; index++) {
    const column = unify(
      rows.map((row) => row[index]).filter((value) => value !== undefined),
      "VALUES",
    );
    refuseMixedTimes(column.expressions.map(typeOf), body.span, binder.context);
    for (const [rowIndex, value] of column.expressions.entries()) unified[rowIndex]?.splice(index, 1, value);
    columns.push({
      name: `column${index + 1}`,
      implicitName: undefined,
      printedName: `column${index + 1}`,
      type: column.type,
      notNull: !column.expressions.some(isNullable),
      origins: column.expressions,
    });
  }
  return { body: { ...body, rows: unified }, columns };
}

/** After a set operation only output columns can be sorted by, as in PostgreSQL; they are printed as ordinals. */
function sortByOutput(item: SortItem, names: OutputNames): SortItem {
  const index = names.find(item.expression);
  if (index === undefined) {
    throw new PlannerError("INVALID_QUERY", "after a set operation ORDER BY takes output columns only", {
      span: item.span,
      hint: "Name a column of the first SELECT, or put the set operation into a subquery.",
    });
  }
  return { ...item, expression: ordinal(index, item.span, names.columns[index]) };
}

// --------------------------------------------------------------------------------------------------- common tables

function bindCommonTables(query: Query, scope: Scope, binder: Binder): readonly CommonTable[] {
  const known = scope.commonTables as Map<string, CommonTableBinding>;
  const names = new Set<string>();
  const tables = query.with?.tables ?? [];
  return (query.with?.recursive === true ? inOrderOfUse(tables) : tables).map((table) => {
    if (names.has(table.name.name)) {
      throw new PlannerError("INVALID_QUERY", `WITH names "${table.name.name}" more than once`, {
        span: table.name.span,
      });
    }
    names.add(table.name.name);
    if (binder.context.commonTableDefinitions.size >= MAX_COMMON_TABLES) {
      throw new PlannerError("LIMIT_SIZE", `more than ${MAX_COMMON_TABLES} common tables`, { span: table.name.span });
    }
    const entry: CommonTableBinding = {
      name: table.name.name,
      quoted: table.name.quoted,
      printedName: binder.context.freeTableName(table.name.name),
      columns: [],
      growingDecimal: undefined,
    };
    const register = (columns: readonly OutputColumn[]): void => {
      entry.columns = renameColumns(columns, table);
      known.set(entry.name, entry);
    };
    const recursive = query.with?.recursive === true && table.query.body.kind === "set";
    const bound =
      recursive && table.query.body.kind === "set"
        ? bindRecursive(table.query, table.query.body, scope, binder, register)
        : binder.bindTableQuery(table.query, scope);
    const growing = recursive && bound.columns.some((column, index) => grows(entry.columns[index]?.type, column.type));
    if (growing) entry.growingDecimal = table.query.body.span;
    register(bound.columns);
    const definition: CommonTable = { ...table, query: bound.query };
    binder.context.commonTableDefinitions.set(definition, entry);
    return definition;
  });
}

/** `entry.columns` are still those of the first arm: a decimal of any number of digits, or of more than at first. */
function grows(first: SqlType | undefined, whole: SqlType): boolean {
  if (first?.kind !== "decimal" || whole.kind !== "decimal") return false;
  return whole.precision === undefined || whole.precision !== first.precision || whole.scale !== first.scale;
}

/** The first arm gives the columns that the recursive arm reads. */
function bindRecursive(
  query: Query,
  body: SetOperation,
  scope: Scope,
  binder: Binder,
  register: (columns: readonly OutputColumn[]) => void,
): BoundQuery {
  if (query.with !== undefined || query.orderBy.length > 0 || query.limit !== undefined || query.offset !== undefined) {
    return bindQuery(query, scope, binder);
  }
  let first: readonly OutputColumn[] = [];
  const bound = bindSetOperation(body, scope, binder, (columns) => {
    first = columns;
    // Later rows may be NULL where the first ones are not.
    register(columns.map((column) => ({ ...column, notNull: false })));
  });
  for (const [index, column] of bound.columns.entries()) checkRecursiveType(first[index], column, index, body);
  return { query: { ...query, body: bound.body }, columns: bound.columns };
}

/** PostgreSQL refuses a column that changes its type on the way; DuckDB would round every row to the first one's. */
function checkRecursiveType(
  first: OutputColumn | undefined,
  whole: OutputColumn,
  index: number,
  body: SetOperation,
): void {
  if (first === undefined) return;
  const [a, b] = [first.type, whole.type];
  const isSame = a.kind === b.kind && (a.kind === "decimal" || describeType(a) === describeType(b));
  if (isSame || a.kind === "opaque" || b.kind === "opaque") return;
  throw new PlannerError(
    "TYPE_MISMATCH",
    `column ${index + 1} of a recursive table is ${describeType(a)} at first and ${describeType(b)} later`,
    { span: body.left.span, hint: `Write CAST(… AS ${describeType(b)}) in the first SELECT.` },
  );
}

function renameColumns(columns: readonly OutputColumn[], table: CommonTable): readonly OutputColumn[] {
  if (table.columns.length === 0) return columns;
  if (table.columns.length > columns.length) {
    throw new PlannerError(
      "INVALID_QUERY",
      `"${table.name.name}" has ${columns.length} columns, but ${table.columns.length} names are given`,
      { span: table.columns[columns.length]?.span ?? table.name.span },
    );
  }
  const taken = new UniqueNames();
  return columns.map((column, index) => {
    const given = table.columns[index]?.name;
    if (given === undefined) return { ...column, printedName: uniqueName(column.printedName, index, taken) };
    return { ...column, name: given, implicitName: undefined, printedName: uniqueName(given, index, taken) };
  });
}

// ---------------------------------------------------------------------------------------------------------- limits

function bindLimit(limit: RowLimit, scope: Scope, binder: Binder): RowLimit {
  return { ...limit, count: bindConstant(limit.count, limit.withTies ? "FETCH" : "LIMIT", scope, binder) };
}

/** A parameter as the number of rows: sources take no other value, and most of them no computed one. */
function countOf(value: Expression, parameter: number, clause: string): Expression {
  const literal = value.kind === "cast" ? value.operand : value;
  if (literal.kind === "number" && WHOLE.test(literal.text)) return { ...literal, span: value.span, type: BIGINT };
  throw new PlannerError(
    "PARAMETER_INVALID",
    `$${parameter} is the number of rows of ${clause}, and no integer from 0`,
    {
      span: value.span,
      hint: "Send a JSON number such as 10.",
    },
  );
}

/** LIMIT and OFFSET see no columns; a subquery in them may read common tables. */
function bindConstant(expression: Expression, clause: string, { commonTables }: Scope, binder: Binder): Expression {
  if (expression.kind === "column") {
    throw new PlannerError("INVALID_QUERY", `${clause} sees no columns`, {
      span: expression.span,
      hint: "Write a number.",
    });
  }
  if (expression.parameter !== undefined) return countOf(expression, expression.parameter, clause);
  return wholeNumber(bindIn(expression, plainBinding(binder, new Scope(undefined, commonTables), clause)), clause);
}

/** `2e0` is 2 and `2.5` is 3, as PostgreSQL casts them; most sources take no digits but whole ones. */
function wholeNumber(count: Expression, clause: string): Expression {
  if (count.kind !== "number" || WHOLE.test(count.text)) return count;
  const rounded = rows(count.text);
  if (rounded !== undefined) return { ...count, text: String(rounded), type: BIGINT };
  const hint = "Write a smaller number.";
  throw new PlannerError("INVALID_QUERY", `${clause} exceeds any number of rows`, { span: count.span, hint });
}

const WHOLE = /^\d+$/;

/** Undefined: more than any number of rows. */
function rows(digits: string): bigint | undefined {
  const plain = plainDigits(digits);
  if (plain === undefined) return digits.includes("-") ? 0n : undefined;
  const [whole = "", fraction = ""] = plain.split(".");
  return BigInt(whole) + (/^[5-9]/.test(fraction) ? 1n : 0n);
}
