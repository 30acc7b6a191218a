/**
 * The steps that replace constructs that a target's queries lack, in order. Each returns a query of the input language, which is
 * lowered like any other: a later step may replace the constructs that an earlier one creates.
 */

import type { BindingContext } from "../binding/context.ts";
import { unsupported } from "../diagnostics.ts";
import { makesRows } from "../functions/calls.ts";
import type { Query, Select, Window } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { Grammar } from "./grammar.ts";
import { type ClauseFacts, clauseFacts } from "./queries/clauses.ts";
import { withoutDistinctOn } from "./queries/distinct-on.ts";
import { refuseGroupedOuterColumns } from "./queries/grouped-outer-columns.ts";
import { withRowsInFrom } from "./queries/grouped-rows.ts";
import {
  groupedByPositions,
  groupsByColumns,
  withGroupingSetsApart,
  withGroupsApart,
  withoutGroupingSets,
} from "./queries/grouping-sets.ts";
import { withTablesApart } from "./queries/hidden-tables.ts";
import { withSubqueriesJoined } from "./queries/joined-subqueries.ts";
import { withKeys } from "./queries/keys.ts";
import { computesGroups } from "./queries/lateral-parts.ts";
import { withFewerLateral, withoutLateral } from "./queries/lateral-tables.ts";
import { OrderedRows } from "./queries/ordered-rows.ts";
import { withFramesOfRows, withPeersNumbered } from "./queries/peer-frames.ts";
import { withRankedRows } from "./queries/ranked-aggregates.ts";
import { withSelectedRowsInFrom } from "./queries/selected-rows.ts";
import { withoutSetsOfAll } from "./queries/sets-of-all.ts";
import { addNullKeys } from "./queries/sorted-groups.ts";
import { sortedOutside } from "./queries/sorted-sets.ts";
import { withoutTies } from "./queries/ties.ts";
import { withWrittenWindows } from "./queries/written-windows.ts";
import type { Rewrites, Target } from "./target.ts";

/** The tools of a step. */
export interface Means {
  readonly grammar: Grammar;
  readonly rewrites: Rewrites;
  /** A name with this prefix that nothing else in the statement has. */
  readonly fresh: (prefix: string) => string;
  /** Whether a window tells all rows of a bound SELECT without groups apart. */
  readonly areToldApart: (window: Window, select: Select) => boolean;
  /** Whether some query of the statement may name columns of another. */
  readonly hasSubqueries: boolean;
  /** Facts about the clauses of a query, which a step asks by before it walks them. */
  readonly clauses: (query: Query) => ClauseFacts;
}

interface QueryStep {
  /** Returns the same query if the target supports its constructs. */
  readonly rewrite: (query: Query, means: Means) => Query;
}

const setsOfAll: QueryStep = {
  rewrite: (query, { grammar, fresh }) => (grammar.setsOfAll ? query : withoutSetsOfAll(query, fresh)),
};

/** Makes lateral tables, which the next step joins. */
const subqueries: QueryStep = {
  rewrite: (query, { grammar, fresh, hasSubqueries }) =>
    hasSubqueries && grammar.correlatedSubqueries === "none" ? withSubqueriesJoined(query, fresh) : query,
};

/** Before the steps that replace what the joined tables have. */
const lateral: QueryStep = {
  rewrite: (query, { grammar, fresh, hasSubqueries }) => {
    if (!hasSubqueries) return query;
    if (grammar.lateral === "none") return withoutLateral(query, fresh);
    const joined = grammar.lateral === "some" ? withFewerLateral(query, fresh) : query;
    if (!grammar.groupsOuterColumns) refuseGroupedOuterColumns(joined);
    return joined;
  },
};

const selectedRows: QueryStep = {
  rewrite: (query, { grammar, clauses, fresh }) =>
    grammar.selectsMadeRows || !clauses(query).makesRows ? query : withSelectedRowsInFrom(query, fresh),
};

const rankedAggregates: QueryStep = {
  rewrite: (query, { rewrites, clauses, fresh }) => {
    const { rankedAggregates: names } = rewrites;
    return names === undefined || !clauses(query).comparesArguments ? query : withRankedRows(query, names, fresh);
  },
};

/** Before all steps, for it reads the bound SELECT. */
const framesOfRows: QueryStep = {
  rewrite: (query, { rewrites, clauses, areToldApart }) =>
    rewrites.framesOfRows === true && clauses(query).hasWindows ? withFramesOfRows(query, areToldApart) : query,
};

/** After grouping, whose rows it numbers. */
const peers: QueryStep = {
  rewrite: (query, { rewrites, clauses, fresh }) =>
    rewrites.framesOfRows === true && clauses(query).hasWindows ? withPeersNumbered(query, fresh) : query,
};

const groupedRows: QueryStep = {
  rewrite: (query, { grammar, clauses, fresh }) =>
    grammar.groupsMadeRows || !clauses(query).makesRows ? query : withRowsInFrom(query, () => fresh("_u")),
};

/** Its sets become separate SELECTs, each with the same windows. */
const groupingSets: QueryStep = {
  rewrite: (query, { grammar: { groupingSets }, fresh }) => {
    if (groupingSets === true) return query;
    if (groupingSets === false || !groupsByColumns(query)) return withoutGroupingSets(query, fresh("_g"));
    return groupingSets === "of columns" ? query : withGroupingSetsApart(query, () => fresh("_g"));
  },
};

const NONE: ReadonlySet<string> = new Set();

const groupsApart: QueryStep = {
  rewrite: (query, { grammar, rewrites, clauses, fresh }) => {
    if (grammar.computesOverGroups === true && grammar.havingNamesKeys && grammar.repeatsKeys) return query;
    return withGroupsApart(query, {
      grammar,
      asQueries: rewrites.asQueries ?? NONE,
      clauses,
      alias: () => fresh("_g"),
    });
  },
};

const groupedPositions: QueryStep = {
  rewrite: (query, { grammar }) => (grammar.repeatsKeys ? query : groupedByPositions(query)),
};

/** After grouping, whose rows it filters. Its ROW_NUMBER goes into QUALIFY, which is lowered afterwards. */
const distinctOn: QueryStep = {
  rewrite: (query, { grammar, rewrites: { tableFunctions } }) => {
    if (!grammar.groupsMadeRows) refuseMadeRows(query, tableFunctions.has("generate_series"));
    return grammar.distinctOn ? query : withoutDistinctOn(query);
  },
};

/**
 * PostgreSQL evaluates a set-returning function after DISTINCT ON, unless the query sorts by it; other engines evaluate it
 * before.
 */
function refuseMadeRows({ body, orderBy }: Query, hasSeries: boolean): void {
  if (body.kind !== "select" || body.distinct === undefined || body.distinct.length === 0) return;
  if (orderBy.length === 0) return;
  const items = body.items.flatMap((item) => (item.kind === "item" ? [item.expression] : []));
  const made = items.find((item) => someExpression(item, makesRows));
  const isSorted = orderBy.some(({ expression }) => {
    const key = expression.kind === "number" ? items[Number(expression.text) - 1] : expression;
    return key !== undefined && someExpression(key, makesRows);
  });
  if (made === undefined || isSorted) return;
  throw unsupported(
    "a function that makes rows in the select list of SELECT DISTINCT ON",
    made.span,
    hasSeries
      ? "Write it in FROM around the query: FROM (SELECT DISTINCT ON …) AS t, generate_series(…) AS g."
      : undefined,
  );
}

/** Ranks count the rows that remain after everything except LIMIT; they go into QUALIFY too. */
const ties: QueryStep = {
  rewrite: (query, { grammar }) => (query.limit?.withTies !== true || grammar.withTies ? query : withoutTies(query)),
};

const windows: QueryStep = {
  rewrite: (query, { grammar }) => (grammar.windowClause ? query : withWrittenWindows(query)),
};

/** After all steps that group, sort and compare rows. */
const keys: QueryStep = {
  rewrite: (query, { rewrites }) => (rewrites.keys === undefined ? query : withKeys(query, rewrites.keys)),
};

const hiddenTables: QueryStep = {
  rewrite: (query, { grammar, fresh }) => withTablesApart(query, grammar.columnsHideTables, fresh),
};

/** A position cannot order NULLs if the target has no clause for it; and TOP takes rows before they are compared. */
const sortedSets: QueryStep = {
  rewrite: (query, { grammar, fresh }) => {
    const isLimited = query.limit !== undefined || query.offset !== undefined;
    const { body } = query;
    const isSet = body.kind !== "select" || body.distinct !== undefined;
    const isOutside = !grammar.sortsSets ? isSet || sortsByQuery(query) : !grammar.limitClause && isSet;
    const isSorted = (grammar.nullsClause === false || isOutside) && query.orderBy.length > 0;
    return isSorted || (isOutside && isLimited) ? sortedOutside(query, () => fresh("_s"), isOutside) : query;
  },
};

const sortsByQuery = ({ orderBy }: Query): boolean =>
  orderBy.some(({ expression }) =>
    someExpression(expression, ({ kind }) => kind === "scalar-query" || kind === "exists"),
  );

const sortedGroups: QueryStep = {
  rewrite: (query, { grammar }) => (grammar.nullsClause === false ? addNullKeys(query) : query),
};

const limits: QueryStep = {
  rewrite: (query, { grammar }) => {
    if (!grammar.limitClause) refuseGroupedByOrder(query);
    if (grammar.limits === "literal") refuseComputedLimit(query);
    else if (query.body.kind !== "select" && !grammar.limitsSetsByQuery) refuseQueryInLimit(query);
    return query;
  },
};

const QUERY_STEPS: readonly QueryStep[] = [
  setsOfAll,
  framesOfRows,
  subqueries,
  lateral,
  selectedRows,
  ties,
  groupedRows,
  rankedAggregates,
  groupingSets,
  groupsApart,
  distinctOn,
  peers,
  hiddenTables,
  sortedSets,
  groupedPositions,
  sortedGroups,
  windows,
  keys,
  limits,
];

/** The steps for a SELECT in a set operation, which has no ORDER BY and no LIMIT; the set operation compares its rows. */
const BRANCH_STEPS: readonly QueryStep[] = [
  framesOfRows,
  subqueries,
  lateral,
  selectedRows,
  groupedRows,
  rankedAggregates,
  groupingSets,
  groupsApart,
  distinctOn,
  peers,
  hiddenTables,
  groupedPositions,
  windows,
];

/** Runs the steps in the input language: the replacement of a step is lowered like everything else. */
export class QuerySteps {
  readonly #target: Target;
  readonly #context: BindingContext;
  readonly #fresh: Means["fresh"];
  readonly #orderedRows: OrderedRows;
  #hasReplaced = false;

  constructor(target: Target, context: BindingContext, fresh: Means["fresh"]) {
    this.#target = target;
    this.#context = context;
    this.#fresh = fresh;
    this.#orderedRows = new OrderedRows(context);
  }

  rewritten(query: Query): Query {
    return this.#rewritten(query, QUERY_STEPS);
  }

  rewrittenBranch(query: Query): Query {
    return this.#rewritten(query, BRANCH_STEPS);
  }

  #rewritten(query: Query, steps: readonly QueryStep[]): Query {
    const { grammar, rewrites } = this.#target;
    const { hasSubqueries, hasSpecialValues } = this.#context;
    const isPlain = !this.#hasReplaced && !hasSubqueries && !hasSpecialValues;
    const means: Means = {
      grammar,
      rewrites,
      fresh: this.#fresh,
      areToldApart: this.#orderedRows.areToldApart,
      hasSubqueries,
      clauses: clauseFacts(isPlain ? query : undefined),
    };
    let made = query;
    for (const { rewrite } of steps) made = rewrite(made, means);
    if (made !== query) this.#hasReplaced = true;
    return made;
  }
}

/** An aggregate in ORDER BY alone makes one row of all; targets with TOP lose it with the ORDER BY of a subquery (`queries/tops.ts`). */
function refuseGroupedByOrder({ body, orderBy }: Query): void {
  const [key] = orderBy;
  if (body.kind !== "select" || key === undefined) return;
  if (computesGroups(body, []) || !computesGroups(body, orderBy)) return;
  throw unsupported("an aggregate in ORDER BY alone", key.span, "Select the aggregate, or remove ORDER BY.");
}

function refuseQueryInLimit({ limit, offset }: Query): void {
  for (const count of [limit?.count, offset]) {
    if (count === undefined || !someExpression(count, ({ kind }) => kind === "scalar-query")) continue;
    const hint = "Put the set operation into a derived table, and limit the query around it.";
    throw unsupported("a subquery in LIMIT or OFFSET after a set operation", count.span, hint);
  }
}

function refuseComputedLimit({ limit, offset }: Query): void {
  for (const count of [limit?.count, offset]) {
    if (count === undefined || count.kind === "number") continue;
    throw unsupported("a computed LIMIT or OFFSET", count.span, "Write the number of rows as it is.");
  }
}
