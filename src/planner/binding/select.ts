/** Binds one SELECT: FROM first, then the clauses in the order their names come into being. */

import { PlannerError } from "../diagnostics.ts";
import { findFunction } from "../functions/catalogue.ts";
import { MAX_COLUMNS } from "../limits.ts";
import { exactName } from "../syntax/build.ts";
import { mapWindow } from "../syntax/rewrite.ts";
import type {
  Expression,
  GroupingElement,
  Identifier,
  NamedWindow,
  Select,
  SelectExpression,
  SortItem,
  Span,
} from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import { type Binder, bindIn, type Clause, type ExpressionBinding } from "./binding.ts";
import { bindCondition, bindSortItem, bindWindow } from "./conditions.ts";
import type { BindingContext } from "./context.ts";
import { type BoundClauses, closeCubes, groupCube, onlyCube } from "./cube-select.ts";
import { bindFrom } from "./from.ts";
import { Grouping, hasGroupingSets } from "./grouping.ts";
import { warnOfUnit } from "./interval-units.ts";
import { asSelectedMeasure } from "./measure-aggregates.ts";
import { definedWindows } from "./named-windows.ts";
import { itemName, type NamedItem, ordinal, outputColumns } from "./output.ts";
import { OutputNames } from "./output-names.ts";
import { noteConditions } from "./own-conditions.ts";
import { refuseRestrictedUse, restrictedItem } from "./restricted-columns.ts";
import { ExpressionSet } from "./same.ts";
import { type OutputColumn, Scope } from "./scope.ts";
import { type BindItem, expandStar, tooManyColumns } from "./star.ts";
import { isRandom, isVolatile } from "./volatility.ts";

export interface BoundSelect extends BoundClauses {
  readonly columns: readonly OutputColumn[];
}

/**
 * Binds a SELECT and its ORDER BY. `outer` is the enclosing level and has the common tables; `denied` is the policy for
 * items that the caller may not name.
 */
export function bindSelect(
  select: Select,
  orderBy: readonly SortItem[],
  outer: Scope,
  binder: Binder,
  denied: "refused" | "restricted",
): BoundSelect {
  const scope = new Scope(outer, outer.commonTables);
  const from = bindFrom(select.from, scope, binder);
  const findings = { aggregates: false, windows: false };
  const namedWindows = definedWindows(select);
  const bindingFor = (clause: Clause): ExpressionBinding => ({
    binder,
    scope,
    clause,
    findings,
    namedWindows,
  });

  const laterAliases = (name: Identifier): boolean => isAlias(name, select);
  const where =
    select.where &&
    bindCondition(select.where, bindingFor({ name: "WHERE", aggregates: false, windows: false, laterAliases }));
  noteConditions(where, scope.namespace.relations);
  const selecting = bindingFor({ name: "SELECT", aggregates: true, windows: true, laterAliases });
  const items = bindItems(select, scope, selecting, denied);
  const selected = outputColumns(items);
  const columns = hasGroupingSets(select) ? selected.map((column) => ({ ...column, notNull: false })) : selected;
  const names = new OutputNames(columns);
  const aliases = aliasLookup(items, names, binder.context);

  const grouping = new GroupKeys(
    items,
    names,
    bindingFor({ name: "GROUP BY", aggregates: false, windows: false, aliases }),
    scope,
  );
  const groupBy = select.groupBy?.map((element) => grouping.bind(element));
  const windows = select.windows.map(
    (named): NamedWindow => ({
      name: named.name,
      window: bindWindow(named.window, bindingFor({ name: "WINDOW", aggregates: true, windows: false })),
    }),
  );
  const having =
    select.having &&
    bindCondition(select.having, bindingFor({ name: "HAVING", aggregates: true, windows: false, aliases }));
  const qualify =
    select.qualify &&
    bindCondition(select.qualify, bindingFor({ name: "QUALIFY", aggregates: true, windows: true, aliases }));
  const sorting = bindingFor({ name: "ORDER BY", aggregates: true, windows: true, aliases });
  const distinct = select.distinct?.map((key) =>
    bindKey(key, items, names, bindingFor({ name: "DISTINCT ON", aggregates: true, windows: true, aliases })),
  );
  const sorted = orderBy.map((item) => {
    const index = names.find(item.expression);
    if (index === undefined) {
      const bound = bindSortItem(item, sorting);
      refuseConstantKey(bound.expression, "ORDER BY", item.span);
      return bound;
    }
    return { ...item, expression: explicit(items[index], index, item.span, columns, binder.context) };
  });

  refuseRestrictedUse(items, select, findings, scope);
  if (distinct !== undefined && distinct.length === 0) checkDistinctOrder(sorted, items);
  const plain: BoundClauses = {
    select: {
      ...select,
      distinct,
      items: items.map((item, index) => printedItem(item, columns[index])),
      from,
      where,
      groupBy,
      having,
      windows,
      qualify,
    },
    orderBy: sorted,
  };
  const cube = onlyCube(scope.namespace);
  const isGrouped = groupBy !== undefined || having !== undefined || findings.aggregates;
  const clauses = cube === undefined && isGrouped ? grouped(plain, grouping.keys, scope) : plain;
  const overBase = cube === undefined ? closeCubes(clauses, scope.namespace) : groupCube(cube, clauses, grouping.keys);
  binder.context.selects.set(overBase.select, scope);
  return { ...overBase, columns };
}

/** The clauses after GROUP BY in their form over groups, and GROUP BY with the added keys. */
function grouped({ select, orderBy }: BoundClauses, keys: readonly Expression[], scope: Scope): BoundClauses {
  const { namespace, aggregates } = scope;
  const grouping = new Grouping(select.groupBy ?? [], new ExpressionSet(keys), namespace.relations, aggregates);
  const checked = (expression: Expression): Expression => grouping.checked(expression);
  const items = select.items.map((item) =>
    item.kind === "item" ? { ...item, expression: checked(item.expression) } : item,
  );
  const having = select.having && checked(select.having);
  const windows = select.windows.map((named) => ({ ...named, window: mapWindow(named.window, checked) }));
  const qualify = select.qualify && checked(select.qualify);
  const distinct = select.distinct?.map(checked);
  const sorted = orderBy.map((item) => ({ ...item, expression: checked(item.expression) }));
  const groupBy = select.groupBy && [...select.groupBy, ...grouping.additions()];
  return { select: { ...select, distinct, items, groupBy, having, windows, qualify }, orderBy: sorted };
}

function printedItem(item: NamedItem, column: OutputColumn | undefined): SelectExpression {
  const { span } = item.bound;
  return {
    kind: "item",
    expression: item.bound,
    alias: column === undefined ? undefined : exactName(column.printedName, span),
    span,
  };
}

function isAlias(name: Identifier, { items }: Select): boolean {
  const wanted = name.name.toLowerCase();
  return items.some((item) => item.kind === "item" && item.alias?.name.toLowerCase() === wanted);
}

// ----------------------------------------------------------------------------------------------------- select list

function bindItems(
  select: Select,
  scope: Scope,
  binding: ExpressionBinding,
  denied: "refused" | "restricted",
): readonly NamedItem[] {
  const bindItem: BindItem = (written, nameOf) => {
    const bind = (): NamedItem => {
      const bound = asSelectedMeasure(written, bindIn(written, binding));
      return { written, bound, name: nameOf(bound) };
    };
    if (denied === "refused") return bind();
    const item = binding.binder.context.unlessDenied(bind);
    return item instanceof PlannerError ? restrictedItem(written, nameOf(undefined), item) : item;
  };
  const items: NamedItem[] = [];
  for (const item of select.items) {
    if (item.kind === "star") {
      const columns = expandStar(item, scope, binding.binder.context.options.stars, bindItem);
      binding.binder.context.budget.spend(columns.length);
      for (const column of columns) items.push(column);
    } else {
      warnOfUnit(item, binding.binder.context);
      items.push(bindItem(item.expression, (bound) => itemName(item, bound)));
    }
    if (items.length > MAX_COLUMNS) throw tooManyColumns(select.span);
  }
  if (items.length === 0) {
    throw new PlannerError("INVALID_QUERY", "the select list is empty", { span: select.span });
  }
  return items;
}

// ------------------------------------------------------------------------------------------------- names of results

/** Output names as GROUP BY, HAVING, QUALIFY and ORDER BY expressions may use them. */
function aliasLookup(
  items: readonly NamedItem[],
  names: OutputNames,
  context: BindingContext,
): (name: Identifier) => Expression | undefined {
  return (name) => {
    const index = names.findName(name);
    const item = index === undefined ? undefined : items[index];
    if (item === undefined) return undefined;
    context.budget.countRepetition(item.written.span, name.span);
    if (context.drawsByChance && someExpression(item.bound, isRandom)) {
      throw new PlannerError("INVALID_QUERY", `"${name.name}" would be another value each time it is named`, {
        span: name.span,
        hint: "Select it in a subquery first.",
      });
    }
    return { ...item.bound, span: name.span };
  };
}

/** Replaces ordinals and bare output names of ORDER BY and DISTINCT ON with their expressions. */
function bindKey(
  key: Expression,
  items: readonly NamedItem[],
  names: OutputNames,
  binding: ExpressionBinding,
): Expression {
  const index = names.find(key);
  if (index !== undefined) return explicit(items[index], index, key.span, names.columns, binding.binder.context);
  const bound = bindIn(key, binding);
  refuseConstantKey(bound, "DISTINCT ON", key.span);
  return bound;
}

/** PostgreSQL and DuckDB read a constant key as a position, and reject other constants. */
function refuseConstantKey(key: Expression, clause: string, span: Span): void {
  if (key.kind === "typed" || !isConstant(key)) return;
  throw new PlannerError("INVALID_QUERY", `a constant cannot be a key of ${clause}`, {
    span,
    hint: "Name a column or write its position.",
  });
}

/**
 * The expression itself, since several targets refuse ordinals (docs/spec/language.md) — but for constants, which would turn
 * into other ordinals, and for volatile expressions, which would be computed twice.
 */
function explicit(
  item: NamedItem | undefined,
  index: number,
  span: Span,
  columns: readonly OutputColumn[],
  context: BindingContext,
): Expression {
  if (item !== undefined) context.budget.countRepetition(item.written.span, span);
  if (item === undefined || isConstant(item.bound) || (context.dependsOnTime && someExpression(item.bound, isVolatile)))
    return ordinal(index, span, columns[index]);
  return { ...item.bound, span };
}

function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "typed":
    case "bits":
      return true;
    case "unary":
      // PostgreSQL reads `ORDER BY -5` as a position, too.
      return isConstant(expression.operand);
    default:
      return false;
  }
}

/** Binds GROUP BY and collects its keys, flat, for the grouping rule. */
class GroupKeys {
  readonly keys: Expression[] = [];
  readonly #items: readonly NamedItem[];
  readonly #names: OutputNames;
  readonly #binding: ExpressionBinding;
  readonly #scope: Scope;

  constructor(items: readonly NamedItem[], names: OutputNames, binding: ExpressionBinding, scope: Scope) {
    this.#items = items;
    this.#names = names;
    this.#binding = binding;
    this.#scope = scope;
  }

  bind(element: GroupingElement): GroupingElement {
    switch (element.kind) {
      case "empty":
        return element;
      case "expression":
        return { kind: "expression", expression: this.#key(element.expression) };
      case "keys":
        return { kind: "keys", expressions: element.expressions.map((key) => this.#key(key)) };
      case "sets":
      case "rollup":
      case "cube":
        return { kind: element.kind, elements: element.elements.map((each) => this.bind(each)) };
      default:
        return element satisfies never;
    }
  }

  /** Input columns come before output names in GROUP BY, as in PostgreSQL. */
  #key(key: Expression): Expression {
    const isInput = key.kind === "column" && this.#scope.resolveHere(key.parts, key.span) !== undefined;
    const index = isInput ? undefined : this.#names.find(key);
    if (index === undefined) {
      const bound = bindIn(key, this.#binding);
      refuseConstantKey(bound, "GROUP BY", key.span);
      this.keys.push(bound);
      return bound;
    }
    const item = this.#items[index];
    if (item !== undefined) {
      this.#refuseAggregates(item.bound, key.span);
      this.keys.push(item.bound);
    }
    return explicit(item, index, key.span, this.#names.columns, this.#binding.binder.context);
  }

  #refuseAggregates(expression: Expression, span: Span): void {
    const offending = someExpression(
      expression,
      (each) =>
        each.kind === "call" &&
        (each.over !== undefined || findFunction(each.name[0]?.name ?? "")?.kind === "aggregate"),
    );
    if (offending) {
      throw new PlannerError("INVALID_QUERY", "GROUP BY cannot name an aggregate or a window function", { span });
    }
  }
}

function checkDistinctOrder(orderBy: readonly SortItem[], items: readonly NamedItem[]): void {
  const selected = new ExpressionSet(items.map((item) => item.bound));
  for (const item of orderBy) {
    const { expression } = item;
    if (expression.kind === "number" || selected.has(expression)) continue;
    throw new PlannerError("INVALID_QUERY", "with DISTINCT, ORDER BY takes selected expressions only", {
      span: item.span,
      hint: "Select the expression as well, or use GROUP BY.",
    });
  }
}
