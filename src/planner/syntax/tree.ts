/**
 * The syntax tree of the input language: one immutable tree from parser to printer.
 *
 * Every node has the span of the caller's text that it comes from. A node added by a rewrite has the span of the
 * construct that it replaces, so that later errors still refer to the caller's SQL. `type` is absent after parsing and
 * set on every expression after binding.
 */
import type { SqlType } from "../types.ts";
import type {
  BitsLiteral,
  BooleanLiteral,
  ColumnReference,
  ExpressionNode,
  NullLiteral,
  NumberLiteral,
  Opaque,
  SessionProperty,
  StringLiteral,
  TypedLiteral,
} from "./leaves.ts";
import type {
  BoundCommon,
  BoundModel,
  Identifier,
  NamedTable,
  Node,
  OpaqueTable,
  PhysicalTable,
  PrintableRelation,
  Span,
  TableAlias,
  TypeName,
} from "./named.ts";
import type { BinaryOperator, ComparisonOperator, PatternOperator, UnaryOperator } from "./operator-names.ts";
import type { TemplateOf } from "./template.ts";

export type {
  BitsLiteral,
  BooleanLiteral,
  ColumnReference,
  NullLiteral,
  NumberLiteral,
  Opaque,
  SessionProperty,
  StringLiteral,
  TypedLiteral,
} from "./leaves.ts";
export type {
  BoundCommon,
  BoundModel,
  Identifier,
  NamedTable,
  OpaqueTable,
  PhysicalTable,
  PrintableCommonTable,
  PrintableRelation,
  Span,
  TableAlias,
  TypeMember,
  TypeName,
} from "./named.ts";
export type { BinaryOperator, ComparisonOperator, PatternOperator, UnaryOperator } from "./operator-names.ts";

// ---------------------------------------------------------------------------------------------- expressions

/** The printable part of a bound column (`binding/relation.ts`); lowering makes further ones. */
export interface PrintableColumn {
  readonly relation: PrintableRelation;
  readonly printedName: string;
  /** The name that the query used for it. */
  readonly name?: string;
  /** The expressions that the column is computed from. */
  readonly origins?: readonly Expression[];
}

export type IntervalUnit =
  | "year"
  | "quarter"
  | "month"
  | "week"
  | "day"
  | "hour"
  | "minute"
  | "second"
  | "millisecond"
  | "microsecond";

/**
 * `INTERVAL '90 days'` (a string and no unit), `INTERVAL '1-2' YEAR TO MONTH`, `INTERVAL 3 DAY`, `INTERVAL (n) DAY`.
 * `value` is any expression; without `unit` it is a string literal.
 */
export interface IntervalLiteral extends ExpressionNode {
  readonly kind: "interval";
  readonly value: Expression;
  readonly unit: IntervalUnit | undefined;
  readonly toUnit: IntervalUnit | undefined;
}

export interface Unary extends ExpressionNode {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export interface Binary extends ExpressionNode {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  /**
   * Integers divide with this result type, which the manifest declares for the surrounding expression. Removed by
   * binding.
   */
  readonly dividesAs?: SqlType;
}

/** AND / OR chains are flat, so that ten thousand alternatives are wide and not deep. At least two operands. */
export interface Logical extends ExpressionNode {
  readonly kind: "logical";
  readonly operator: "and" | "or";
  readonly operands: readonly Expression[];
}

export interface Like extends ExpressionNode {
  readonly kind: "like";
  readonly operator: "like" | "ilike" | "similar";
  readonly negated: boolean;
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape: Expression | undefined;
}

export interface Between extends ExpressionNode {
  readonly kind: "between";
  readonly negated: boolean;
  readonly symmetric: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

export interface InList extends ExpressionNode {
  readonly kind: "in-list";
  readonly negated: boolean;
  readonly operand: Expression;
  readonly list: readonly Expression[];
}

export interface InQuery extends ExpressionNode {
  readonly kind: "in-query";
  /** Set by binding where only truth counts, as in WHERE: NULL then has the effect of false. */
  readonly onlyTruth?: boolean;
  readonly negated: boolean;
  readonly operand: Expression;
  readonly query: Query;
}

/**
 * `x = ANY (…)`, `x > ALL (…)`, `x LIKE ANY (…)` (SOME is ANY). Exactly one of `query` and `array` is present. Binding
 * expands patterns; after it only comparisons remain.
 */
export interface Quantified extends ExpressionNode {
  readonly kind: "quantified";
  readonly operator: ComparisonOperator | PatternOperator;
  readonly quantifier: "any" | "all";
  readonly operand: Expression;
  readonly query: Query | undefined;
  readonly array: Expression | undefined;
}

export interface Exists extends ExpressionNode {
  readonly kind: "exists";
  readonly query: Query;
}

/** `x IS [NOT] NULL | TRUE | FALSE | UNKNOWN`; `ISNULL` and `NOTNULL` are read as the same. */
export interface Is extends ExpressionNode {
  readonly kind: "is";
  readonly negated: boolean;
  readonly operand: Expression;
  readonly test: "null" | "true" | "false" | "unknown";
}

export interface CaseBranch {
  readonly when: Expression;
  readonly then: Expression;
}

export interface Case extends ExpressionNode {
  readonly kind: "case";
  readonly operand: Expression | undefined;
  readonly branches: readonly CaseBranch[];
  readonly otherwise: Expression | undefined;
}

/** `CAST(x AS t)`, `x::t`; `safe` for TRY_CAST and SAFE_CAST, which give NULL instead of an error. */
export interface Cast extends ExpressionNode {
  readonly kind: "cast";
  readonly operand: Expression;
  readonly typeName: TypeName;
  readonly safe: boolean;
}

/** `EXTRACT(field FROM x)`; `field` in lower case as written. */
export interface Extract extends ExpressionNode {
  readonly kind: "extract";
  readonly field: string;
  readonly operand: Expression;
  /**
   * Written as a function (`date_part('hour', day)`, `hour(day)`), which treats a date as its midnight. Removed by
   * binding.
   */
  readonly ofMidnight?: true;
}

/**
 * A function call. Names are lower-case when unquoted. Special forms of the standard are read as plain calls:
 * `SUBSTRING(x FROM a FOR b)` → `substring(x, a, b)`, `POSITION(a IN b)` → `position(a, b)`,
 * `TRIM(BOTH c FROM x)` → `btrim(x, c)`, `LEADING` → `ltrim`, `TRAILING` → `rtrim`, plain `TRIM(x)` → `btrim(x)`,
 * `OVERLAY(x PLACING y FROM a FOR b)` → `overlay(x, y, a, b)`, `CURRENT_DATE` → `current_date()`.
 */
export interface Call extends ExpressionNode {
  readonly kind: "call";
  /** One part, or schema and name. */
  readonly name: readonly Identifier[];
  readonly arguments: readonly Argument[];
  /** `count(*)`; then `arguments` is empty. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly orderBy: readonly SortItem[];
  readonly withinGroup: readonly SortItem[];
  readonly filter: Expression | undefined;
  readonly nulls: "ignore" | "respect" | undefined;
  readonly over: Window | undefined;
}

export interface Argument {
  /** `name => value`; absent for positional arguments. */
  readonly name: Identifier | undefined;
  readonly value: Expression;
}

/** `ARRAY[a, b]`. */
export interface ArrayLiteral extends ExpressionNode {
  readonly kind: "array";
  readonly elements: readonly Expression[];
  /** `'{a,b}'`: the original text, whose type PostgreSQL takes from the other operand. */
  readonly written?: string;
}

/** `ARRAY(SELECT …)`. */
export interface ArrayQuery extends ExpressionNode {
  readonly kind: "array-query";
  readonly query: Query;
}

export interface Subscript extends ExpressionNode {
  readonly kind: "subscript";
  readonly operand: Expression;
  readonly index: Expression;
}

export interface Slice extends ExpressionNode {
  readonly kind: "slice";
  readonly operand: Expression;
  readonly from: Expression | undefined;
  readonly to: Expression | undefined;
}

/** `(expression).name`. */
export interface FieldAccess extends ExpressionNode {
  readonly kind: "field";
  readonly operand: Expression;
  readonly field: Identifier;
}

/** `(a, b)` or `ROW(a, b)`. */
export interface Row extends ExpressionNode {
  readonly kind: "row";
  readonly elements: readonly Expression[];
}

export interface ScalarQuery extends ExpressionNode {
  readonly kind: "scalar-query";
  readonly query: Query;
}

export interface Collate extends ExpressionNode {
  readonly kind: "collate";
  readonly operand: Expression;
  readonly collation: readonly Identifier[];
}

export interface AtTimeZone extends ExpressionNode {
  readonly kind: "at-time-zone";
  readonly operand: Expression;
  readonly zone: Expression;
}

/**
 * A column after binding. Expansion sets the two printed names late: a model becomes a direct table reference (physical
 * names) or a derived table (visible names) depending on all columns that the query uses.
 */
export interface BoundColumn extends ExpressionNode {
  readonly kind: "bound";
  readonly column: PrintableColumn;
}

export type Template = TemplateOf<Expression>;

/** A construct in a target's own text. Only lowering makes it (`lowering/templates/template.ts`). */
export interface Spelled extends ExpressionNode {
  readonly kind: "spelled";
  readonly template: Template;
  /** The values for `$1`, `$2` …, each once. */
  readonly parts: readonly Expression[];
}

export type Expression =
  | NumberLiteral
  | StringLiteral
  | BooleanLiteral
  | NullLiteral
  | BitsLiteral
  | TypedLiteral
  | IntervalLiteral
  | ColumnReference
  | SessionProperty
  | Unary
  | Binary
  | Logical
  | Like
  | Between
  | InList
  | InQuery
  | Quantified
  | Exists
  | Is
  | Case
  | Cast
  | Extract
  | Call
  | ArrayLiteral
  | ArrayQuery
  | Subscript
  | Slice
  | FieldAccess
  | Row
  | ScalarQuery
  | Collate
  | AtTimeZone
  | BoundColumn
  | Spelled
  | Opaque;

// ------------------------------------------------------------------------------------------------- windows

export type FrameBound =
  | { readonly kind: "unbounded-preceding" | "current-row" | "unbounded-following" }
  | { readonly kind: "preceding" | "following"; readonly offset: Expression };

export interface Frame extends Node {
  readonly unit: "rows" | "range" | "groups";
  readonly start: FrameBound;
  readonly end: FrameBound | undefined;
  readonly exclude: "current row" | "group" | "ties" | undefined;
}

/** `OVER w` is `{ base: w, named: true }`; `OVER (w ROWS …)` is `{ base: w, named: false, frame }`. */
export interface Window extends Node {
  readonly base: Identifier | undefined;
  readonly named: boolean;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortItem[];
  readonly frame: Frame | undefined;
}

export interface NamedWindow {
  readonly name: Identifier;
  readonly window: Window;
}

// ------------------------------------------------------------------------------------------------- queries

export interface SortItem extends Node {
  readonly expression: Expression;
  readonly direction: "asc" | "desc" | undefined;
  readonly nulls: "first" | "last" | undefined;
}

/** `*`, `t.*`, with `EXCEPT|EXCLUDE (…)`, `REPLACE (… AS name)`, `RENAME (a AS b)`. */
export interface Star extends Node {
  readonly kind: "star";
  readonly qualifier: readonly Identifier[];
  readonly except: readonly Identifier[];
  readonly replace: readonly { readonly expression: Expression; readonly name: Identifier }[];
  readonly rename: readonly { readonly from: Identifier; readonly to: Identifier }[];
}

export interface SelectExpression extends Node {
  readonly kind: "item";
  readonly expression: Expression;
  readonly alias: Identifier | undefined;
}

export type SelectItem = Star | SelectExpression;

export type GroupingElement =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "empty" }
  /** `(a, b)` inside GROUPING SETS, ROLLUP or CUBE: one set of several keys. */
  | { readonly kind: "keys"; readonly expressions: readonly Expression[] }
  | { readonly kind: "sets" | "rollup" | "cube"; readonly elements: readonly GroupingElement[] };

/** `(SELECT …) AS t`, also `(VALUES …) AS t(a, b)`. */
export interface DerivedTable extends Node {
  readonly kind: "derived";
  readonly query: Query;
  readonly lateral: boolean;
  readonly alias: TableAlias | undefined;
}

/** `unnest(…)`, `generate_series(…)` … in FROM. */
export interface TableFunction extends Node {
  readonly kind: "function";
  readonly call: Call;
  readonly lateral: boolean;
  readonly ordinality: boolean;
  readonly alias: TableAlias | undefined;
}

export interface Join extends Node {
  readonly kind: "join";
  readonly join: "inner" | "left" | "right" | "full" | "cross";
  readonly natural: boolean;
  readonly left: TableExpression;
  readonly right: TableExpression;
  readonly on: Expression | undefined;
  readonly using: readonly Identifier[];
}

/** `(a JOIN b ON …) AS j`: a join in parentheses with its own name. Without alias it is just a nested join. */
export interface AliasedJoin extends Node {
  readonly kind: "aliased-join";
  readonly join: TableExpression;
  readonly alias: TableAlias;
}

/**
 * The rows of a model that its row rules let through. Expansion makes one; its last step replaces it with a derived table
 * that applies the rules, behind a fence if the statement needs one.
 */
export interface RuledTable extends Node {
  readonly kind: "ruled";
  /** The model that has the rules, as errors name it. */
  readonly model: string;
  readonly items: readonly SelectExpression[];
  readonly from: TableExpression;
  /** The conditions of the rules. */
  readonly where: readonly Expression[];
  /** The caller's own conditions that may run next to the rules inside a fence. */
  readonly pushed: readonly Expression[];
  readonly alias: TableAlias;
  /** Where the caller's SQL names the object that reads the model. */
  readonly named: Span;
}

export type TableExpression =
  | NamedTable
  | BoundModel
  | BoundCommon
  | PhysicalTable
  | DerivedTable
  | TableFunction
  | Join
  | AliasedJoin
  | OpaqueTable
  | RuledTable;

export interface Select extends Node {
  readonly kind: "select";
  /** `undefined`: all rows; `[]`: DISTINCT; otherwise the keys of DISTINCT ON. */
  readonly distinct: readonly Expression[] | undefined;
  /** `TOP (n)`: replaces the query's LIMIT for targets without LIMIT. Only lowering makes it. */
  readonly top?: Expression;
  readonly items: readonly SelectItem[];
  /** Comma-separated FROM items. */
  readonly from: readonly TableExpression[];
  readonly where: Expression | undefined;
  readonly groupBy: readonly GroupingElement[] | undefined;
  readonly having: Expression | undefined;
  readonly windows: readonly NamedWindow[];
  readonly qualify: Expression | undefined;
}

export interface SetOperation extends Node {
  readonly kind: "set";
  readonly operator: "union" | "intersect" | "except";
  readonly all: boolean;
  readonly left: QueryBody;
  readonly right: QueryBody;
}

export interface Values extends Node {
  readonly kind: "values";
  readonly rows: readonly (readonly Expression[])[];
}

/** A query in parentheses as an operand of a set operation, or around the whole query. */
export interface NestedQuery extends Node {
  readonly kind: "nested";
  readonly query: Query;
}

export type QueryBody = Select | SetOperation | Values | NestedQuery;

export interface CommonTable extends Node {
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  readonly materialized: boolean | undefined;
  readonly query: Query;
}

export interface With {
  readonly recursive: boolean;
  readonly tables: readonly CommonTable[];
}

/** `LIMIT n`, `LIMIT ALL` (no node), `FETCH FIRST n ROWS ONLY | WITH TIES`, `FETCH FIRST ROW ONLY` (count 1). */
export interface RowLimit extends Node {
  readonly count: Expression;
  readonly withTies: boolean;
}

export interface Query extends Node {
  readonly kind: "query";
  readonly with: With | undefined;
  readonly body: QueryBody;
  readonly orderBy: readonly SortItem[];
  readonly limit: RowLimit | undefined;
  readonly offset: Expression | undefined;
}
