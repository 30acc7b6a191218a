/**
 * The parts of the input language's query grammar that a target supports. Each fact decides whether a step of the lowering
 * (`steps.ts`) replaces a construct. A root dialect states what it has beyond
 * `LEAST_GRAMMAR`.
 */
export interface Grammar {
  /** Default position of NULLs in a sort: always last, as if larger or smaller than every value, or by the account's setting. */
  readonly nullsSort: "last" | "largest" | "smallest" | "as set";
  /**
   * NULLS FIRST and NULLS LAST exist, anywhere or only in a query's ORDER BY; otherwise an additional sort key orders the NULLs.
   */
  readonly nullsClause: boolean | "outside calls";
  /** QUALIFY exists: anywhere, only next to a window function, or nowhere; otherwise a derived table replaces it. */
  readonly qualify: "anywhere" | "beside windows" | "nowhere";
  /** DISTINCT ON exists; otherwise ROW_NUMBER replaces it. */
  readonly distinctOn: boolean;
  /**
   * GROUPING SETS, ROLLUP and CUBE exist, for any keys or only for columns; otherwise one SELECT per set. `apart`: HAVING and
   * ORDER BY can only use the select list.
   */
  readonly groupingSets: boolean | "of columns" | "of columns, apart";
  /**
   * A grouped query may itself contain windows and subqueries, or all except subqueries that name a key; otherwise its groups
   * become a derived table.
   */
  readonly computesOverGroups: boolean | "without keys in subqueries";
  /**
   * A query may sort by a window that it does not select; and a query with windows, by an aggregate or a computed grouping key that it does
   * not select. Otherwise the windows, or the groups, become a derived table.
   */
  readonly sortsBesideWindows: boolean;
  /** HAVING may name grouping keys, computed or not; otherwise the groups become a derived table, and HAVING its WHERE. */
  readonly havingNamesKeys: boolean;
  /** A computed grouping key may be repeated in the query; otherwise it is selected once, and grouped by its position. */
  readonly repeatsKeys: boolean;
  /** FULL JOIN exists; otherwise a left join and the unmatched rows of the right side. */
  readonly fullJoin: boolean;
  /** Aggregates have FILTER, everywhere or only if they are not window functions; otherwise CASE in their arguments. */
  readonly aggregateFilter: boolean | "outside windows";
  /** FETCH … WITH TIES exists; otherwise RANK replaces it. */
  readonly withTies: boolean;
  /** LIMIT and OFFSET accept any expression, or only a number. */
  readonly limits: "computed" | "literal";
  /** LIMIT and OFFSET after a set operation may contain a subquery. */
  readonly limitsSetsByQuery: boolean;
  /**
   * ORDER BY and LIMIT after set operations and DISTINCT apply to their result, and keys may be subqueries; otherwise they are
   * placed around a derived table.
   */
  readonly sortsSets: boolean;
  /** EXCEPT ALL and INTERSECT ALL exist; otherwise they are sets of numbered rows. */
  readonly setsOfAll: boolean;
  /**
   * A column of the query hides a table of the same name in ORDER BY, or in GROUP BY and HAVING too: such keys become columns of a
   * derived table, whose own columns have other names.
   */
  readonly columnsHideTables: "nowhere" | "in sort keys" | "in all keys";
  /** VALUES is a query, or one of only constants, or one without subqueries in its values; otherwise one SELECT per row. */
  readonly valuesQuery: boolean | "without queries" | "of constants";
  /** The alias of a derived table may name its columns; otherwise they are named inside it. */
  readonly derivedColumnLists: boolean;
  /** A derived table may name earlier tables of FROM: by LATERAL, by APPLY, or only some queries may. The others become joins. */
  readonly lateral: "lateral" | "apply" | "some" | "none";
  /** Subqueries may name columns around them, all or some; where some may, a refused statement is planned with them, and with LATERAL, as joins. */
  readonly correlatedSubqueries: "all" | "some" | "none";
  /** Subqueries may use outer columns in aggregates, GROUP BY and ORDER BY; otherwise only where single rows are computed. */
  readonly groupsOuterColumns: boolean;
  /** Frames that count peer groups, or exclude rows. */
  readonly frames: "all" | "rows and ranges";
  /** The select list may call set-returning functions; otherwise they move into FROM. */
  readonly selectsMadeRows: boolean;
  /** `unnest`, `cardinality` and ANY over an array of arrays take the elements of all dimensions. */
  readonly allDimensions: boolean;
  /** GROUP BY may contain a set-returning function of the select list. */
  readonly groupsMadeRows: boolean;
  /** IGNORE NULLS exists for lag, lead and similar functions. */
  readonly ignoreNulls: boolean;
  /** WITH RECURSIVE may contain set operations that do not refer to themselves; otherwise they become derived tables. */
  readonly setsBesideRecursion: boolean;
  /** A subquery may contain an aggregate of the query around it. */
  readonly outerAggregates: boolean;
  /** Conditions are values like any other, or are allowed only in WHERE, ON, HAVING and CASE, where no value is a condition. */
  readonly conditions: "values" | "apart";
  /** WITH is allowed before any query, or only before the statement. */
  readonly commonTables: "anywhere" | "outermost";
  /** WITH RECURSIVE exists with the input language's meaning; otherwise it is refused. */
  readonly recursion: boolean;
  /** LIMIT exists; otherwise TOP and OFFSET … FETCH, which require an ORDER BY; subqueries without them must have none. */
  readonly limitClause: boolean;
  /** WINDOW exists; otherwise each window is written out where it is named. */
  readonly windowClause: boolean;
  /** Types with members (struct, row, map) can be written in a cast. */
  readonly compositeTypes: boolean;
}

/** The constructs that every target supports: the steps of the lowering replace each construct that a dialect does not state. */
export const LEAST_GRAMMAR = {
  qualify: "nowhere",
  distinctOn: false,
  groupingSets: false,
  aggregateFilter: false,
  withTies: false,
  limits: "literal",
  limitsSetsByQuery: false,
  sortsSets: false,
  setsOfAll: false,
  columnsHideTables: "nowhere",
  valuesQuery: false,
  derivedColumnLists: false,
  lateral: "none",
  correlatedSubqueries: "all",
  groupsOuterColumns: true,
  sortsBesideWindows: true,
  frames: "rows and ranges",
  selectsMadeRows: false,
  allDimensions: false,
  groupsMadeRows: false,
  ignoreNulls: false,
  setsBesideRecursion: false,
  outerAggregates: false,
  windowClause: false,
  compositeTypes: false,
} as const satisfies Partial<Grammar>;
