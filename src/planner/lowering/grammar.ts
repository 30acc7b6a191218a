/**
 * What a target's grammar has of the input language's queries: each fact decides whether a step of the lowering
 * (`steps.ts`) puts something else in a construct's place. Every root dialect states all of them.
 */
export interface Grammar {
  /** Where NULLs sort when nothing is said: always last, as if larger or smaller than every value, or as an account was set to have them. */
  readonly nullsSort: "last" | "largest" | "smallest" | "as set";
  /** NULLS FIRST and NULLS LAST exist, anywhere or in a query's own ORDER BY; elsewhere a key of its own puts them in their place. */
  readonly nullsClause: boolean | "outside calls";
  /** Where QUALIFY exists: anywhere, beside a window function only, or nowhere; elsewhere a derived table stands in. */
  readonly qualify: "anywhere" | "beside windows" | "nowhere";
  /** DISTINCT ON exists; otherwise ROW_NUMBER stands in. */
  readonly distinctOn: boolean;
  /** GROUPING SETS, ROLLUP and CUBE exist, of any keys or of columns alone; otherwise a SELECT for each set. `apart`: HAVING and ORDER BY see the select list alone. */
  readonly groupingSets: boolean | "of columns" | "of columns, apart";
  /** Windows and subqueries may be computed in a grouped query itself, or all but subqueries that name a key; otherwise its groups are a derived table. */
  readonly computesOverGroups: boolean | "without keys in subqueries";
  /** HAVING may name what is grouped by, computed or not; otherwise the groups are a derived table, and it is their WHERE. */
  readonly havingNamesKeys: boolean;
  /** What is grouped by and computed may be repeated in the query; otherwise it is selected once, and grouped by its position. */
  readonly repeatsKeys: boolean;
  /** FULL JOIN exists; otherwise a left join and the rows of the right side that met none. */
  readonly fullJoin: boolean;
  /** Aggregates have FILTER, everywhere or where they are no window functions; otherwise CASE in their arguments. */
  readonly aggregateFilter: boolean | "outside windows";
  /** FETCH … WITH TIES exists; otherwise RANK stands in. */
  readonly withTies: boolean;
  /** LIMIT and OFFSET take any expression, or a number as it stands. */
  readonly limits: "computed" | "literal";
  /** LIMIT and OFFSET after a set operation may hold a subquery. */
  readonly limitsSetsByQuery: boolean;
  /** ORDER BY and LIMIT after set operations and DISTINCT are of what these leave, and keys may be subqueries; otherwise they stand around a derived table. */
  readonly sortsSets: boolean;
  /** VALUES is a query, or is one of constants alone, or without queries among its values; otherwise a SELECT for each row. */
  readonly valuesQuery: boolean | "without queries" | "of constants";
  /** The alias of a derived table may name its columns; otherwise they have their names inside. */
  readonly derivedColumnLists: boolean;
  /** A derived table may name what stands before it in FROM: behind LATERAL, or as the right side of APPLY. */
  readonly lateral: "lateral" | "apply" | "none";
  /** Frames that count groups of peers, or exclude rows. */
  readonly frames: "all" | "rows and ranges";
  /** Rows that a function makes in the select list may be grouped by. */
  readonly groupsMadeRows: boolean;
  /** IGNORE NULLS exists for lag, lead and their like. */
  readonly ignoreNulls: boolean;
  /** WITH RECURSIVE may hold set operations that do not refer to themselves; otherwise derived tables stand around them. */
  readonly setsBesideRecursion: boolean;
  /** A subquery may hold an aggregate of the query around it. */
  readonly outerAggregates: boolean;
  /** Conditions are values like any other, or stand in WHERE, ON, HAVING and CASE alone, where no value is a condition. */
  readonly conditions: "values" | "apart";
  /** WITH stands before any query, or before the statement only. */
  readonly commonTables: "anywhere" | "outermost";
  /** WITH RECURSIVE exists as the language means it; elsewhere it is refused. */
  readonly recursion: boolean;
  /** LIMIT exists; elsewhere TOP and OFFSET … FETCH, which need an ORDER BY, and none in a subquery without them. */
  readonly limitClause: boolean;
  /** WINDOW exists; otherwise each window is written out where it is named. */
  readonly windowClause: boolean;
  /** Types with members (struct, row, map) can be written in a cast. */
  readonly compositeTypes: boolean;
}
