/**
 * From the bound tree to what the target can say, in one pass: models become tables, common tables get their printed
 * names, and every node is offered to the target's rewrites with its children already lowered.
 */
import type { BindingContext } from "../binding/context.ts";
import { startsWithSelect } from "../binding/output.ts";
import { PlannerError } from "../diagnostics.ts";
import { Expansion, type ModelRead } from "../expand/expansion.ts";
import { makesRows } from "../functions/calls.ts";
import type { Model } from "../manifest/model.ts";
import { exactName, queryOf, renamed } from "../syntax/build.ts";
import type {
  Call,
  CommonTable,
  Expression,
  PrintableRelation,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SortItem,
  TableExpression,
  Window,
} from "../syntax/tree.ts";
import { type ChildMapper, mapBody, mapCall, mapExpression, mapTable, someExpression, walk } from "../syntax/walk.ts";
import { refuseRepeatedChance } from "./chance.ts";
import { callWithKeys, withKeys } from "./keys.ts";
import { lowerSortItem, type NullFreeColumns, nullFreeColumns } from "./nulls.ts";
import { withoutStatistics } from "./patterns.ts";
import { lacksQualify, withoutQualify } from "./qualify.ts";
import { besideRecursion, ofAnyLength } from "./recursion.ts";
import type { Saying } from "./sayings.ts";
import { type Target, unsupported } from "./target.ts";
import { TextOrder, type TextOrderWish } from "./text-order.ts";
import { withoutTies } from "./ties.ts";
import { selectWithOwnWindows, withOwnWindows } from "./window-names.ts";

export interface Lowered {
  readonly query: Query;
  readonly reads: readonly ModelRead[];
}

const NO_COLUMNS: NullFreeColumns = new Set();

/** Lowers a bound query for `target`; throws UNSUPPORTED_ON_SOURCE and what is wrong with the models it reads. */
export function lowerQuery(query: Query, context: BindingContext, target: Target, order?: TextOrderWish): Lowered {
  const lowering = new Lowering(context, target, order);
  lowering.expandModels(query);
  const lowered = lowering.query(query);
  if (context.drawsByChance) refuseRepeatedChance(lowered);
  return { query: lowered, reads: lowering.reads };
}

/** A text that names every new name too would go on for ever. */
const MAX_RENAMINGS = 5000;

class Lowering {
  readonly #context: BindingContext;
  readonly #target: Target;
  /** What each `bound-model` is made of. */
  readonly #tables = new Map<PrintableRelation, TableExpression>();
  readonly #expansion: Expansion;
  /** By what WHERE keeps from being NULL; one for each SELECT. */
  readonly #mappers = new Map<NullFreeColumns, ChildMapper>();
  #textOrder: TextOrder | undefined;
  #windows = 0;
  readonly #nextWindow = (): string => `w${++this.#windows}`;

  constructor(context: BindingContext, target: Target, order: TextOrderWish | undefined) {
    this.#context = context;
    this.#target = target;
    const { collations } = target;
    if (order !== undefined && collations !== undefined) this.#textOrder = new TextOrder(collations, order, context);
    this.#expansion = new Expansion(context, target);
  }

  get reads(): readonly ModelRead[] {
    return this.#expansion.reads;
  }

  /** Before anything is printed: expansion settles the names that bound columns print. */
  expandModels(query: Query): void {
    // What models and their rules are made of may hold further tables of either kind.
    for (let made = -1; made < this.#tables.size; ) {
      made = this.#tables.size;
      for (const [relation, make] of this.#context.deferred) {
        if (!this.#tables.has(relation)) this.#tables.set(relation, make());
      }
      for (const [relation, span] of this.#context.models) {
        if (!this.#tables.has(relation)) this.#tables.set(relation, this.#expansion.occurrence(relation, span));
      }
    }
    this.#expansion.settleFences(query, this.#tables.values());
    if (this.#context.commonTableDefinitions.size > 0) this.#separateCommonTables();
  }

  /**
   * A common table named like an unqualified physical table would capture it, also one that the modeller's own text
   * names: there any mention counts, for its quotes and comments are not ours to read.
   */
  #separateCommonTables(): void {
    const { tables, native } = physicalNames(new Set(this.#expansion.reads.map(({ model }) => model)));
    const captures = (name: string): boolean => tables.has(name) || native.some((text) => text.includes(name));
    let renamings = 0;
    for (const table of this.#context.commonTableDefinitions.values()) {
      while (captures(table.printedName.toLowerCase())) {
        renamings++;
        if (renamings > MAX_RENAMINGS) {
          throw new PlannerError("LIMIT_SIZE", `common tables have to be renamed more than ${MAX_RENAMINGS} times`);
        }
        table.printedName = this.#context.freeTableName(`${table.printedName}_cte`);
      }
    }
  }

  query(query: Query): Query {
    const withTies = query.limit?.withTies === true && !this.#target.withTies;
    const untied = withTies ? withoutTies(query) : query;
    const windowed = this.#target.windowsPerSelect ? untied : withOwnWindows(untied, this.#nextWindow);
    const { keyOf } = this.#target.rewrites;
    const plain = keyOf === undefined ? windowed : withKeys(windowed, keyOf);
    if (plain.body.kind !== "select" && !this.#target.limitsSetsByQuery) refuseQueryInLimit(plain);
    const excluded = plain.body.kind === "select" ? nullFreeColumns(plain.body) : NO_COLUMNS;
    const body = this.#body(plain.body);
    const result: Query = {
      ...plain,
      with: plain.with && {
        ...plain.with,
        tables: plain.with.tables.map((table) => {
          const binding = this.#context.commonTableDefinitions.get(table);
          const name = binding === undefined ? table.name : exactName(binding.printedName, table.name.span);
          const columns =
            binding === undefined || (table.columns.length === 0 && startsWithSelect(table.query.body))
              ? table.columns
              : binding.columns.map((column) => exactName(column.printedName, table.name.span));
          return { ...table, name, columns, query: this.#commonQuery(table, plain.with?.recursive === true) };
        }),
      },
      body,
      orderBy: plain.orderBy.map((item) => this.#sortItem(item, excluded)),
      limit: plain.limit && { ...plain.limit, count: this.expression(plain.limit.count, NO_COLUMNS) },
      offset: plain.offset && this.expression(plain.offset, NO_COLUMNS),
    };
    const qualified =
      body.kind === "select" && lacksQualify(body, this.#target) ? withoutQualify(result, body) : result;
    return this.#textOrder?.query(qualified) ?? qualified;
  }

  #commonQuery(table: CommonTable, recursive: boolean): Query {
    const lowered = this.query(table.query);
    if (!recursive || table.query.body.kind !== "set") return lowered;
    if (this.#namesItself(table)) return this.#recursion(table, lowered);
    const columns = this.#context.commonTableDefinitions.get(table)?.columns ?? [];
    return this.#target.setsBesideRecursion ? lowered : besideRecursion(lowered, columns);
  }

  #recursion(table: CommonTable, lowered: Query): Query {
    if (this.#target.measuresRecursion) return ofAnyLength(lowered);
    const growing = this.#context.commonTableDefinitions.get(table)?.growingDecimal;
    const { body } = lowered;
    if (!this.#target.roundsRecursion || growing === undefined || body.kind !== "set") return lowered;
    const exact = this.#target.rewrites.recursionOfDecimals?.(body);
    if (exact !== undefined) return { ...lowered, body: exact };
    throw unsupported(
      "a recursive table whose decimals grow",
      growing,
      "Write CAST(… AS numeric(precision, scale)) in both SELECTs.",
    );
  }

  #namesItself(table: CommonTable): boolean {
    const own = this.#context.commonTableDefinitions.get(table);
    let found = false;
    walk(table.query, (node) => {
      found ||= node.kind === "bound-common" && node.table === own;
      return !found;
    });
    return found;
  }

  #body(body: QueryBody): QueryBody {
    if (body.kind === "select") return this.#select(body);
    const lowered = mapBody(body, { ...this.#mapper(NO_COLUMNS), body: (branch) => this.#branch(branch) });
    if (lowered.kind !== "set") return lowered;
    const set = this.#target.rewrites.setOperation?.(lowered) ?? lowered;
    const [left, right] = [withoutOwnQualify(set.left, this.#target), withoutOwnQualify(set.right, this.#target)];
    return left === set.left && right === set.right ? set : { ...set, left, right };
  }

  #branch(body: QueryBody): QueryBody {
    if (body.kind !== "select" || this.#target.windowsPerSelect) return this.#body(body);
    return this.#body(selectWithOwnWindows(body, this.#nextWindow));
  }

  #select(select: Select): Select {
    if (!this.#target.groupsMadeRows) refuseMadeRows(select);
    const excluded = nullFreeColumns(select);
    const windows = select.windows.map((named) => ({ ...named, window: this.#windowOrder(named.window, excluded) }));
    const lowered = mapBody({ ...select, windows }, this.#mapper(excluded));
    if (lowered.kind !== "select") throw new TypeError("a select stays a select");
    const order = this.#textOrder;
    if (order === undefined || windows.length === 0) return lowered;
    return { ...lowered, windows: lowered.windows.map((each) => ({ ...each, window: order.window(each.window) })) };
  }

  /** The alias stays only where the column would not have that name anyway. */
  #item(item: SelectItem, lower: (expression: Expression) => Expression): SelectItem {
    if (item.kind === "star") return item;
    const lowered = lower(item.expression);
    const expression = this.#target.rewrites.item?.(lowered) ?? lowered;
    const redundant = expression.kind === "bound" && expression.column.printedName === item.alias?.name;
    return { ...item, expression, alias: redundant ? undefined : item.alias };
  }

  #table(table: TableExpression): TableExpression {
    switch (table.kind) {
      case "bound-model": {
        const made = this.#tables.get(table.relation);
        if (made === undefined) throw new TypeError(`"${table.relation.printedAlias}" was not expanded`);
        return this.#table(made);
      }
      case "bound-common":
        return table.alias?.name.name === table.table.printedName ? { ...table, alias: undefined } : table;
      case "physical-table":
        return table;
      case "table":
        // Printed, it would be whatever the source has by that name, without the rules of the model that was meant.
        throw new TypeError(`nothing bound "${table.name.map(({ name }) => name).join(".")}"`);
      case "function": {
        const call = mapCall(table.call, (each) => this.expression(each, NO_COLUMNS));
        const rewrite = this.#target.rewrites.tableFunctions.get(call.name[0]?.name ?? "");
        if (rewrite !== undefined) return rewrite({ ...table, call });
        const said = this.#rewrite(call);
        return { ...table, call: said?.kind === "call" ? said : call };
      }
      default: {
        const lowered = mapTable(table, this.#mapper(NO_COLUMNS));
        return lowered.kind === "join" ? (this.#target.rewrites.join?.(lowered) ?? lowered) : lowered;
      }
    }
  }

  #sortItem(item: SortItem, excluded: NullFreeColumns): SortItem {
    const sorted = lowerSortItem(item, this.#target, excluded);
    return { ...sorted, expression: this.expression(item.expression, excluded) };
  }

  expression(expression: Expression, excluded: NullFreeColumns): Expression {
    const order = this.#textOrder;
    if (order === undefined) return this.#lowered(expression, excluded, undefined);
    if (!this.#context.ruleConditions.has(expression)) return this.#lowered(expression, excluded, order);
    this.#textOrder = undefined;
    try {
      return this.#lowered(expression, excluded, undefined);
    } finally {
      this.#textOrder = order;
    }
  }

  #lowered(expression: Expression, excluded: NullFreeColumns, order: TextOrder | undefined): Expression {
    const ordered = expression.kind === "call" ? this.#callOrder(expression, excluded) : expression;
    const mapped = mapExpression(ordered, this.#mapper(excluded));
    const lowered = order === undefined ? mapped : order.inside(mapped);
    const said = this.#rewrite(lowered) ?? lowered;
    const rewritten = this.#target.matchesStatistics && this.#context.access.restricts ? withoutStatistics(said) : said;
    return order === undefined ? rewritten : order.outside(rewritten);
  }

  /** The order of NULLs in a call's own sort keys; those of an ordered-set aggregate ignore NULLs. */
  #callOrder(written: Call, excluded: NullFreeColumns): Call {
    const { keyOf } = this.#target.rewrites;
    const call = keyOf === undefined ? written : callWithKeys(written, keyOf);
    if (call.orderBy.length === 0 && call.withinGroup.length === 0 && call.over === undefined) return call;
    return {
      ...call,
      orderBy: call.orderBy.map((item) => lowerSortItem(item, this.#target, excluded)),
      withinGroup: call.withinGroup.map((item) => ({ ...item, nulls: undefined })),
      over: call.over && this.#windowOrder(call.over, excluded),
    };
  }

  #windowOrder(window: Window, excluded: NullFreeColumns): Window {
    return { ...window, orderBy: window.orderBy.map((item) => lowerSortItem(item, this.#target, excluded)) };
  }

  #mapper(excluded: NullFreeColumns): ChildMapper {
    let mapper = this.#mappers.get(excluded);
    if (mapper === undefined) {
      const lower = (child: Expression): Expression => this.expression(child, excluded);
      mapper = {
        expression: lower,
        query: (query) => this.query(query),
        body: (body) => this.#body(body),
        table: (table) => this.#table(table),
        item: (item) => this.#item(item, lower),
      };
      this.#mappers.set(excluded, mapper);
    }
    return mapper;
  }

  #rewrite(node: Expression): Expression | undefined {
    const { expressions, operators, fields, functions } = this.#target.rewrites;
    switch (node.kind) {
      case "bound":
        return undefined;
      case "binary":
        return spelled(node, operators.get(node.operator));
      case "extract":
        return spelled(node, fields.get(node.field));
      case "call": {
        if (node.nulls === "ignore" && !this.#target.ignoreNulls) {
          throw unsupported("IGNORE NULLS", node.span, "Filter the NULLs in a subquery first.");
        }
        const [name, ...schema] = node.name;
        // What the catalogue does not have was let through, or not, when it was bound.
        const saying = (schema.length === 0 && functions.get(name?.name ?? "")) || "same";
        return typeof saying === "object" && "as" in saying ? renamed(node, saying.as) : spelled(node, saying);
      }
      case "cast":
        if (!this.#target.compositeTypes && node.typeName.members.length > 0) {
          throw unsupported("a cast to a struct, row or map", node.typeName.span, "Keep the value as json.");
        }
        return spelled(node, expressions.get(node.kind));
      default:
        return spelled(node, expressions.get(node.kind));
    }
  }
}

function spelled<N extends Expression>(node: N, saying: Exclude<Saying<N>, { readonly as: string }> | undefined) {
  if (saying === "same") return undefined;
  if (typeof saying === "function") return saying(node);
  // The tables are complete by type; a rewrite may still make what nobody reads.
  if (saying === undefined) throw new TypeError(`the target says nothing about a ${node.kind}`);
  throw unsupported(saying.refused, node.span, saying.hint);
}

function refuseMadeRows({ groupBy = [], items }: Select): void {
  for (const element of groupBy) {
    const key = element.kind === "expression" ? element.expression : undefined;
    const item = key?.kind === "number" ? items[Number(key.text) - 1] : undefined;
    const expression = item?.kind === "item" ? item.expression : key;
    if (expression === undefined || !someExpression(expression, makesRows)) continue;
    const hint = "Make them in FROM: FROM t, LATERAL unnest(t.x) AS u(x).";
    throw unsupported("groups of rows that a function makes in the select list", expression.span, hint);
  }
}

function refuseQueryInLimit({ limit, offset }: Query): void {
  for (const count of [limit?.count, offset]) {
    if (count === undefined || !someExpression(count, ({ kind }) => kind === "scalar-query")) continue;
    const hint = "Put the set operation into a derived table, and limit the query around it.";
    throw unsupported("a subquery in LIMIT or OFFSET after a set operation", count.span, hint);
  }
}

/** What models are made of, in lower case: unqualified names of physical tables, and texts of the modeller. */
function physicalNames(models: ReadonlySet<Model>): {
  readonly tables: ReadonlySet<string>;
  readonly native: readonly string[];
} {
  const tables = new Set<string>();
  const native = new Set<string>();
  for (const { data } of models) {
    const { tableReference, refSql, columns } = data;
    if (tableReference !== undefined && tableReference.schema === undefined) {
      tables.add(tableReference.table.toLowerCase());
    }
    if (refSql !== undefined) native.add(refSql.toLowerCase());
    for (const { expression, isCalculated } of columns) {
      if (expression !== undefined && !isCalculated) native.add(expression.toLowerCase());
    }
  }
  return { tables, native: [...native] };
}

/** A branch with QUALIFY becomes a query of its own. */
function withoutOwnQualify(body: QueryBody, target: Target): QueryBody {
  if (body.kind !== "select" || !lacksQualify(body, target)) return body;
  return withoutQualify(queryOf(body), body).body;
}
