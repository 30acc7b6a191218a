/**
 * Keeps expressions off the rows that a rule withholds: engines compute what can fail before the conditions of a query below when
 * that seems cheaper (docs/decisions/0020-row-rules.md#decision). What holds on which engine was measured (docs/reference/access-rules.md).
 */
import { uniqueName } from "../binding/output.ts";
import { UniqueNames } from "../binding/printable-name.ts";
import { unsupported } from "../diagnostics.ts";
import { all, call, comparison, typed } from "../syntax/build.ts";
import { transformExpression } from "../syntax/rewrite.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type {
  Call,
  CommonTable,
  Expression,
  PrintableColumn,
  PrintableCommonTable,
  Query,
  RowLimit,
  SelectExpression,
  TableExpression,
  Window,
} from "../syntax/tree.ts";
import { someNode } from "../syntax/walk.ts";
import { BIGINT, BOOLEAN, INTEGER, type SqlType } from "../types.ts";
import type { FenceKind } from "./expansion-target.ts";
import { derived, name, selectFrom } from "./select.ts";

const ZERO: Expression = { kind: "number", text: "0", type: INTEGER, span: NOWHERE };

/** A query of which no column is needed still has its rows. */
export const ONE: SelectExpression = {
  kind: "item",
  expression: { ...ZERO, text: "1" },
  alias: name("_x"),
  span: NOWHERE,
};

/** The rows behind a fence: `items` of the rows of `from` that match the rules and the caller's `pushed` conditions. */
export interface FencedRows {
  readonly items: readonly SelectExpression[];
  readonly from: TableExpression;
  readonly rules: readonly Expression[];
  readonly pushed: readonly Expression[];
  /** Columns outside are CASE over the truth of the rules (`BestEffort`). */
  readonly guardsColumns?: boolean;
}

/**
 * The rows behind a fence of one kind.
 *
 * DuckDB computes functions that it considers safe over a whole dictionary of a column, including values of excluded
 * rows. Only copied rows lose these values, and only OFFSET 0 keeps DuckDB from pushing conditions into the copy.
 */
export function fenced({ items, from, rules, pushed, guardsColumns }: FencedRows, kind: FenceKind): Query {
  const where = [...rules, ...pushed];
  if (kind === "conditional") return conditional({ items, from, rules, pushed });
  if (kind === "offset") return { ...selectFrom(items, from, { where }), offset: ZERO };
  const rows = new CopiedRows();
  const copies = items.map((item) => ({ ...item, expression: rows.outside(item.expression) }));
  const outside = guardsColumns === true ? guarded(copies, rows, rules) : copies;
  if (kind === "copied" && rows.items.length > 0) return copied(rows, outside, from, where);
  if (kind === "copied in order" && rows.items.length > 0)
    return copied(rows, outside, from, where, orderOf(rows.items));
  if (kind !== "materialized") return numbered(rows, outside, from, where, NUMBERINGS[kind]);
  const copy: CommonTable = {
    name: name(rows.printedAlias),
    columns: [],
    materialized: true,
    query: selectFrom(rows.items.length > 0 ? rows.items : [ONE], from, { where }),
    span: NOWHERE,
  };
  const common: PrintableCommonTable = { printedName: rows.printedAlias };
  const table: TableExpression = { kind: "bound-common", table: common, alias: undefined, span: NOWHERE };
  return { ...selectFrom(outside, table), with: { recursive: false, tables: [copy] }, offset: ZERO };
}

/** The truth of the rules as a column; `lowering/guards` puts every expression that can fail under it. */
export const TRUTH_OF_RULES = "truth of rules";

/**
 * The rows that the rules let through, with their truth. A rule with a query is computed once, as that column. Calculated columns
 * are computed outside, under the truth like expressions of the caller.
 */
function conditional({ items, from, rules }: FencedRows): Query {
  const rule = all(rules, AT);
  if (rule === undefined) throw new TypeError("a model with rules has one");
  const holdsQuery = someNode(rule, ({ kind }) => kind === "query");
  const truthAs = (printedName: string): SelectExpression => ({
    kind: "item",
    expression: call(TRUTH_OF_RULES, [rule], typed(BOOLEAN, AT)),
    alias: name(printedName),
    span: NOWHERE,
  });
  if (!holdsQuery && items.every(({ expression: { kind } }) => kind === "bound" || kind === "number")) {
    const names = new UniqueNames();
    for (const [index, { alias }] of items.entries()) uniqueName(alias?.name ?? "", index, names);
    return selectFrom([...items, truthAs(uniqueName("_r", items.length, names))], from, { where: rules });
  }
  const rows = new CopiedRows();
  const outside = items.map((item) => ({ ...item, expression: rows.outside(item.expression) }));
  const truth = { relation: rows, printedName: rows.unusedName("_r") };
  const inner = selectFrom([...rows.items, truthAs(truth.printedName)], from, holdsQuery ? {} : { where: rules });
  const isTrue: Expression = { kind: "bound", column: truth, type: BOOLEAN, span: NOWHERE };
  return selectFrom(outside, derived(inner, rows.printedAlias, NOWHERE), holdsQuery ? { where: [isTrue] } : {});
}

/**
 * Columns of values as CASE over the truth of the rules, which is one more column of the copied rows. Arrays, rows, JSON and types
 * that only the source has pass as they are: no manual promises what CASE makes of them. So do all columns where a rule holds a
 * query: sources restrict where a query may refer to other tables.
 */
function guarded(
  items: readonly SelectExpression[],
  rows: CopiedRows,
  rules: readonly Expression[],
): readonly SelectExpression[] {
  const rule = all(rules, AT);
  if (rule === undefined || someNode(rule, ({ kind }) => kind === "query")) return items;
  const truth = { relation: rows, printedName: rows.unusedName("_r") };
  let isUsed = false;
  const guard = (each: Expression): Expression => {
    if (each.kind !== "bound" || each.column.relation !== rows || !isValue(each.type)) return each;
    isUsed = true;
    const when: Expression = { kind: "bound", column: truth, type: BOOLEAN, span: NOWHERE };
    const branches = [{ when, then: each }];
    return { kind: "case", operand: undefined, branches, otherwise: undefined, type: each.type, span: NOWHERE };
  };
  const outside = items.map((item) => ({
    ...item,
    expression: transformExpression(item.expression, { expression: guard }),
  }));
  if (isUsed) rows.items.push({ kind: "item", expression: rule, alias: name(truth.printedName), span: NOWHERE });
  return outside;
}

const VALUES: ReadonlySet<SqlType["kind"]> = new Set([
  ...([
    "boolean",
    "integer",
    "decimal",
    "float",
    "text",
    "date",
    "time",
    "timestamp",
    "interval",
    "binary",
    "uuid",
  ] as const),
]);

const isValue = (type: SqlType | undefined): type is SqlType => type !== undefined && VALUES.has(type.kind);

/** A number for each row, and a condition that holds for all of them. */
interface Numbering {
  readonly number: Call;
  readonly operator: ">" | ">=";
  /** The limit over all rows, outside the numbering. */
  readonly limit?: RowLimit;
}

const AT = { span: NOWHERE };

const EVERY_ROW: Window = {
  base: undefined,
  named: false,
  partitionBy: [],
  orderBy: [],
  frame: undefined,
  span: NOWHERE,
};

const BY_WINDOW: Numbering = {
  number: { ...call("row_number", [], typed(BIGINT, AT)), over: EVERY_ROW },
  operator: ">",
  // Conditions that name no column are met below windows, and not below this.
  limit: { count: { ...ZERO, text: "9223372036854775807", type: BIGINT }, withTies: false, span: NOWHERE },
};

/** A number that an engine gives each row as it comes, from 0 on: never the same by promise, so nothing is moved below it. */
export const NUMBER_AS_IT_COMES = "number as it comes";

const BY_ENGINE: Numbering = { number: call(NUMBER_AS_IT_COMES, [], typed(BIGINT, AT)), operator: ">=" };

/** Numbers in an order that does not matter, for sources that refuse `row_number() OVER ()`. */
const BY_CONSTANT: Numbering = {
  number: {
    ...call("row_number", [], typed(BIGINT, AT)),
    over: {
      ...EVERY_ROW,
      orderBy: [{ expression: { ...ZERO, text: "1" }, direction: undefined, nulls: undefined, span: NOWHERE }],
    },
  },
  operator: ">",
};

const NUMBERINGS: Readonly<Record<Exclude<FenceKind, "offset" | "materialized" | "conditional">, Numbering>> = {
  numbered: BY_WINDOW,
  // Rows of which no column is needed.
  copied: BY_WINDOW,
  "copied in order": BY_CONSTANT,
  volatile: BY_ENGINE,
  ranked: BY_CONSTANT,
  "ranked and limited": BY_WINDOW,
};

/**
 * Numbers the rows that pass the rule; outer conditions require a number, which no optimizer knows before it has
 * counted the rows. Selected expressions are computed above that level, because Trino would compute them below the
 * joins of a rule.
 */
function numbered(
  rows: CopiedRows,
  outside: readonly SelectExpression[],
  from: TableExpression,
  where: readonly Expression[],
  { number: expression, operator, limit }: Numbering,
): Query {
  const number = { relation: rows, printedName: rows.unusedName("_n") };
  const counted: SelectExpression = {
    kind: "item",
    expression,
    alias: name(number.printedName),
    span: NOWHERE,
  };
  const all = selectFrom([...rows.items, counted], from, { where });
  const table = derived(limit === undefined ? all : { ...all, limit }, rows.printedAlias, NOWHERE);
  const isCounted = comparison({ kind: "bound", column: number, type: BIGINT, span: NOWHERE }, operator, ZERO, AT);
  return selectFrom(outside, table, { where: [isCounted] });
}

/**
 * Every column is an aggregate over a window of its own row: values of rows that pass the rule are copied into new
 * columns. ClickHouse keeps a column's dictionary for the filtered rows, including excluded values, and computes
 * functions that it considers safe over all of it.
 */
function copied(
  rows: CopiedRows,
  outside: readonly SelectExpression[],
  from: TableExpression,
  where: readonly Expression[],
  orderBy: Window["orderBy"] = [],
): Query {
  const over: Window = { ...ITS_OWN_ROW, orderBy };
  const items = rows.items.map(({ expression, ...item }): SelectExpression => {
    const at = { ...AT, type: expression.type };
    return { ...item, expression: { ...call(COPY_OF_VALUE, [expression], at), over } };
  });
  return selectFrom(outside, derived(selectFrom(items, from, { where }), rows.printedAlias, NOWHERE));
}

/** One order for all windows, by the first column that has one: each order is a sort. */
function orderOf(items: readonly SelectExpression[]): Window["orderBy"] {
  const expression = items.find((item) => isValue(item.expression.type))?.expression;
  if (expression === undefined) {
    const what = "a statement that can fail, and names arrays, structures or JSON alone of a model with row rules";
    throw unsupported(what, undefined, "Select a column of numbers, texts or dates as well.");
  }
  return [{ expression, direction: undefined, nulls: undefined, span: NOWHERE }];
}

/** An aggregate that gives the one value it has seen, of any type; NULL too. */
export const COPY_OF_VALUE = "copy of value";

const ITS_OWN_ROW: Window = {
  ...EVERY_ROW,
  frame: {
    unit: "rows",
    start: { kind: "current-row" },
    end: { kind: "current-row" },
    exclude: undefined,
    span: NOWHERE,
  },
};

/** The columns that expressions above a copy need of it. */
class CopiedRows {
  readonly printedAlias = "_f";
  readonly items: SelectExpression[] = [];
  readonly #columns = new Map<PrintableColumn, PrintableColumn>();
  readonly #names = new UniqueNames();

  /** `expression` over the copied columns. */
  outside(expression: Expression): Expression {
    return transformExpression(expression, {
      expression: (each) => (each.kind === "bound" ? { ...each, column: this.#copyOf(each) } : each),
    });
  }

  /** A name that no copied column has yet. */
  unusedName(wanted: string): string {
    return uniqueName(wanted, this.items.length, this.#names);
  }

  #copyOf(original: Expression & { readonly kind: "bound" }): PrintableColumn {
    const known = this.#columns.get(original.column);
    if (known !== undefined) return known;
    const printedName = uniqueName(original.column.printedName, this.items.length, this.#names);
    const copy = { relation: this, printedName };
    this.#columns.set(original.column, copy);
    this.items.push({ kind: "item", expression: original, alias: name(printedName), span: NOWHERE });
    return copy;
  }
}
