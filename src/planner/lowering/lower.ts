/**
 * Lowers the expanded tree to one that the target can express, in one pass: tables replace models, common tables get their printed
 * names, and every node is passed to the target's rewrites after its children.
 */
import type { BindingContext } from "../binding/context.ts";
import { startsWithSelect } from "../binding/output.ts";
import { namedAt, unsupported } from "../diagnostics.ts";
import { SentMayFail } from "../expand/ruled-tables.ts";
import type { Expanded } from "../expand/statement.ts";
import { workingAt } from "../plan-budget.ts";
import { exactName, queryOf, renamed } from "../syntax/build.ts";
import { type ChildMapper, mapBody, mapCall, mapExpression, mapTable } from "../syntax/rewrite.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type {
  Binary,
  Call,
  CommonTable,
  DerivedTable,
  Expression,
  Join,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SortItem,
  TableExpression,
  Values,
  Window,
} from "../syntax/tree.ts";
import { someNode } from "../syntax/walk.ts";
import { typeOrUnknown } from "../types.ts";
import { refuseDimensions } from "./arrays/array-dimensions.ts";
import { OperandBinding } from "./bound-operands.ts";
import { byParts, byRule, isUnsupported, namingCast, otherWords } from "./by-rule.ts";
import { castRule } from "./casts.ts";
import { refuseRepeatedChance } from "./chance.ts";
import type { Grammar } from "./grammar.ts";
import { withGuards } from "./guards/guarded.ts";
import { containment } from "./json/json-containment.ts";
import { withTextOfMember } from "./json/json-numbers.ts";
import { madeJson, refuseReadJson, withEmptyJson } from "./json/made-json.ts";
import { boundDefinition, type Definition, definitionFor, definitionOf, namingCall } from "./meanings.ts";
import { lowerSortItems, type NullFreeColumns, nullFreeColumns } from "./nulls.ts";
import { shifted } from "./numbers/bit-shifts.ts";
import { shownNumber } from "./numbers/shown-numbers.ts";
import { withNamesInside } from "./queries/column-names.ts";
import { refuseComparedJson } from "./queries/compared-json.ts";
import { withoutFilter } from "./queries/filters.ts";
import { FullJoins } from "./queries/full-joins.ts";
import { callWithKeys } from "./queries/keys.ts";
import { refuseOuterAggregates } from "./queries/outer-aggregates.ts";
import { lacksQualify, needsWindowsApart, withWindowsApart } from "./queries/qualify.ts";
import { ofAnyLength, wrapNonRecursive } from "./queries/recursion.ts";
import { refuseFrame, refuseMadeRows } from "./queries/refused-selects.ts";
import { holdsQuery, isOfConstants, valuesAsRows, valuesAsSelects } from "./queries/values-rows.ts";
import type { Rule } from "./rules.ts";
import { finished } from "./statement.ts";
import { QuerySteps } from "./steps.ts";
import type { Target } from "./target.ts";
import { UNSUPPORTED } from "./templates/unsupported.ts";
import { TextOrder, type TextOrderMode } from "./texts/text-order.ts";
import { withoutFarDates } from "./times/far-dates.ts";
import { numberedTime } from "./times/numbered-times.ts";
import { overlapping } from "./times/overlaps.ts";
import { readTime } from "./times/read-times.ts";
import { shownTime } from "./times/shown-times.ts";
import { TimeLengths } from "./times/time-lengths.ts";
import { inPlaceOfTime, isDefined } from "./times/time-of-day-sums.ts";
import { typedTime } from "./times/typed-times.ts";
import { withWholeFactor } from "./times/whole-factors.ts";

const NO_COLUMNS: NullFreeColumns = new Set();
const FORMATTING: ReadonlySet<string> = new Set(["to_char", "to_date", "to_timestamp"]);

const isSaid = (body: Values, { valuesQuery }: Grammar): boolean =>
  valuesQuery === "without queries" ? !holdsQuery(body) : valuesQuery !== false;

/** Lowers an expanded query for `target`; throws UNSUPPORTED_ON_SOURCE. */
export function lowerQuery(expanded: Expanded, context: BindingContext, target: Target, order?: TextOrderMode): Query {
  const warned = context.warnings.length;
  try {
    return lowerOnce(expanded, context, target, order);
  } catch (error) {
    const { grammar } = target;
    // Full joins have changed the names of columns already.
    const isOther = !isUnsupported(error) || error instanceof SentMayFail || context.fullJoins.size > 0;
    if (isOther || grammar.correlatedSubqueries !== "some" || !context.hasSubqueries) throw error;
    context.warnings.length = warned;
    const lateral = grammar.lateral === "lateral" ? "some" : grammar.lateral;
    const without: Target = { ...target, grammar: { ...grammar, correlatedSubqueries: "none", lateral } };
    try {
      return lowerOnce(expanded, context, without, order);
    } catch (second) {
      throw isUnsupported(second) ? error : second;
    }
  }
}

function lowerOnce(expanded: Expanded, context: BindingContext, target: Target, order?: TextOrderMode): Query {
  const lowered = new Lowering(expanded, context, target, order).query(expanded.query);
  if (context.drawsByChance) refuseRepeatedChance(lowered);
  expanded.checkPushed(lowered);
  const statement = finished(guarded(lowered, expanded, target), target, context);
  expanded.checkSent(statement);
  return statement;
}

function guarded(lowered: Query, { guardsExpressions }: Expanded, { fence: { harmless }, name }: Target): Query {
  if (!guardsExpressions) return lowered;
  const { listed } = harmless ?? {};
  if (harmless === undefined || listed === undefined) throw new TypeError(`${name} lists nothing that cannot fail`);
  return withGuards(lowered, { ...harmless, listed });
}

/** The grammar for sort keys within calls: those of an aggregate, and those of a window. */
function withinCalls(grammar: Grammar): Grammar {
  return grammar.nullsClause === "outside calls" ? { ...grammar, nullsClause: false } : grammar;
}

/** Generates names with a given prefix that no table and no window of the statement has yet. */
function freshNames(): (prefix: string) => string {
  const counts = new Map<string, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}${count}`;
  };
}

class Lowering {
  readonly #context: BindingContext;
  readonly #target: Target;
  readonly #tables: Expanded["tables"];
  /** Keyed by the columns that WHERE keeps from being NULL; one for each SELECT. */
  readonly #mappers = new Map<NullFreeColumns, ChildMapper>();
  #textOrder: TextOrder | undefined;
  readonly #fullJoins: FullJoins | undefined;
  readonly #fresh = freshNames();
  /** Nodes of the definition being lowered that are lowered already. */
  #settled: ReadonlySet<Expression> | undefined;
  readonly #operands: OperandBinding;
  readonly #lengths: TimeLengths | undefined;
  /** Times are moved by a number of units: no interval is multiplied. */
  readonly #countsUnits: boolean;
  readonly #steps: QuerySteps;

  constructor({ query, tables }: Expanded, context: BindingContext, target: Target, order: TextOrderMode | undefined) {
    this.#context = context;
    this.#target = target;
    this.#tables = tables;
    this.#operands = new OperandBinding(target, context, () => this.#fresh("_once"));
    const { collations, grammar, rewrites } = target;
    this.#steps = new QuerySteps(target, context, this.#fresh);
    this.#lengths = rewrites.differencesAsLengths === true ? new TimeLengths(query, context) : undefined;
    this.#countsUnits = rewrites.operators.get("*") !== "same";
    if (order !== undefined && collations !== undefined) this.#textOrder = new TextOrder(collations, order, context);
    if (!grammar.outerAggregates && context.hasOuterAggregates) refuseOuterAggregates(query, context.selects);
    if (!grammar.fullJoin) this.#fullJoins = new FullJoins(context.fullJoins, [query, ...tables.values()], this.#fresh);
  }

  query(query: Query): Query {
    return this.#operands.inQuery(() => this.#lowerQuery(query));
  }

  #lowerQuery(query: Query): Query {
    if (this.#makesJsonTexts()) refuseComparedJson(query);
    const plain = this.#steps.rewritten(query);
    const excluded = plain.body.kind === "select" ? nullFreeColumns(plain.body) : NO_COLUMNS;
    const body = this.#body(plain.body);
    this.#operands.select = plain.body.kind === "select" ? plain.body : undefined;
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
      orderBy: this.#sortItems(plain.orderBy, excluded),
      limit: plain.limit && { ...plain.limit, count: this.expression(plain.limit.count, NO_COLUMNS) },
      offset: plain.offset && this.expression(plain.offset, NO_COLUMNS),
    };
    const isApart = body.kind === "select" && needsWindowsApart(result, body, this.#target.grammar);
    const qualified = isApart ? withWindowsApart(result, body) : result;
    return this.#textOrder?.query(qualified) ?? qualified;
  }

  #commonQuery(table: CommonTable, recursive: boolean): Query {
    const lowered = this.query(table.query);
    if (!recursive || table.query.body.kind !== "set") return lowered;
    if (this.#namesItself(table)) {
      if (this.#target.grammar.recursion) return this.#recursion(table, lowered);
      throw unsupported("a common table that names itself", table.name.span);
    }
    const columns = this.#context.commonTableDefinitions.get(table)?.columns ?? [];
    return this.#target.grammar.setsBesideRecursion ? lowered : wrapNonRecursive(lowered, columns);
  }

  #recursion(table: CommonTable, lowered: Query): Query {
    const { measuresRecursion } = this.#target;
    const measured = measuresRecursion === undefined ? lowered : ofAnyLength(lowered, measuresRecursion);
    const growing = this.#context.commonTableDefinitions.get(table)?.growingDecimal;
    const { body } = lowered;
    if (!this.#target.roundsRecursion || growing === undefined || body.kind !== "set") return measured;
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
    return someNode(table.query, (node) => node.kind === "bound-common" && node.table === own);
  }

  #body(body: QueryBody): QueryBody {
    if (body.kind === "select") return this.#select(body);
    if (body.kind === "values" && !isSaid(body, this.#target.grammar)) return this.#values(body);
    const lowered = mapBody(body, { ...this.#mapper(NO_COLUMNS), body: (branch) => this.#branch(branch) });
    const { grammar } = this.#target;
    // Checked after lowering: a cast may become a function.
    if (lowered.kind === "values" && grammar.valuesQuery === "of constants" && !isOfConstants(lowered)) {
      return valuesAsSelects(lowered, (set) => this.#target.rewrites.setOperation?.(set) ?? set);
    }
    if (lowered.kind !== "set") return lowered;
    const set = this.#target.rewrites.setOperation?.(lowered) ?? lowered;
    const [left, right] = [withoutOwnQualify(set.left, grammar), withoutOwnQualify(set.right, grammar)];
    return left === set.left && right === set.right ? set : { ...set, left, right };
  }

  #branch(body: QueryBody): QueryBody {
    return this.#body(body.kind === "select" ? this.#steps.rewrittenBranch(queryOf(body)).body : body);
  }

  #values(body: Values): QueryBody {
    const rows = valuesAsRows(body);
    if (rows.kind !== "set" || rows.right.kind !== "values") return this.#body(rows);
    const set = { ...rows, left: this.#body(rows.left), right: mapBody(rows.right, this.#mapper(NO_COLUMNS)) };
    return this.#target.rewrites.rowsOfValues?.(set) ?? set;
  }

  #select(select: Select): Select {
    if (!this.#target.grammar.groupsMadeRows) refuseMadeRows(select);
    const excluded = nullFreeColumns(select);
    this.#operands.select = select;
    const windows = select.windows.map((named) => ({ ...named, window: this.#windowOrder(named.window, excluded) }));
    const lowered = mapBody({ ...select, windows }, this.#mapper(excluded));
    if (lowered.kind !== "select") throw new TypeError("a select stays a select");
    const order = this.#textOrder;
    if (order === undefined || windows.length === 0) return lowered;
    return { ...lowered, windows: lowered.windows.map((each) => ({ ...each, window: order.window(each.window) })) };
  }

  /** The alias is kept only if the column would have another name without it. */
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
        // Printing it would read the source's object of that name, without the access rules of the model.
        throw new TypeError(`nothing bound "${table.name.map(({ name }) => name).join(".")}"`);
      case "function": {
        if (!this.#target.grammar.allDimensions) refuseDimensions(table.call);
        const call = mapCall(table.call, (each) => this.expression(each, NO_COLUMNS));
        const rewrite = this.#target.rewrites.tableFunctions.get(call.name[0]?.name ?? "");
        if (rewrite !== undefined) return rewrite({ ...table, call });
        const said = this.#rewrite(call, NO_COLUMNS);
        return { ...table, call: said?.kind === "call" ? said : call };
      }
      case "ruled":
        throw new TypeError(`the rules of "${table.model}" were not applied`);
      case "aliased-join":
        throw new TypeError("binding makes a derived table of it");
      case "derived":
        return this.#derived(table);
      case "join":
        if (table.join === "full" && this.#fullJoins !== undefined) return this.#table(this.#fullJoins.derived(table));
        return this.#join(table);
      case "opaque-table":
        return table;
      default:
        return table satisfies never;
    }
  }

  #derived(table: DerivedTable): DerivedTable {
    // The definition of a model is not in the caller's text; errors get the position of the table that names it.
    const lower = (): Query =>
      table.lateral ? this.#operands.inExpression(() => this.query(table.query)) : this.query(table.query);
    const query = table.span === NOWHERE ? lower() : namedAt(table.span, lower);
    const derived = query === table.query ? table : { ...table, query };
    return this.#target.grammar.derivedColumnLists ? derived : withNamesInside(derived);
  }

  #join(table: Join): TableExpression {
    const condition = (each: Expression): Expression =>
      this.#operands.inCondition(() => this.expression(each, NO_COLUMNS));
    const lowered = mapTable(table, { ...this.#mapper(NO_COLUMNS), expression: condition });
    return lowered.kind === "join" ? (this.#target.rewrites.join?.(lowered) ?? lowered) : lowered;
  }

  #sortItems(items: readonly SortItem[], excluded: NullFreeColumns): readonly SortItem[] {
    return lowerSortItems(items, this.#target.grammar, excluded).map((each) => ({
      ...each,
      expression: this.expression(each.expression, excluded),
    }));
  }

  expression(expression: Expression, excluded: NullFreeColumns): Expression {
    if (this.#settled?.has(expression)) return expression;
    const { ruleConditions } = this.#context;
    if (ruleConditions.size > 0 && ruleConditions.has(expression)) return this.#ruleCondition(expression, excluded);
    const lowered = this.#lowered(expression, excluded, this.#textOrder);
    const pushed = this.#context.pushedConditions?.get(expression);
    if (pushed !== undefined) this.#context.notePushed(lowered, pushed);
    return lowered;
  }

  #ruleCondition(expression: Expression, excluded: NullFreeColumns): Expression {
    const order = this.#textOrder;
    this.#textOrder = undefined;
    try {
      const lowered = this.#lowered(expression, excluded, undefined);
      this.#context.ruleConditions.add(lowered);
      return lowered;
    } finally {
      this.#textOrder = order;
    }
  }

  #lowered(expression: Expression, excluded: NullFreeColumns, order: TextOrder | undefined): Expression {
    workingAt(expression.span);
    if (order === undefined && this.#isPlainColumn(expression)) return expression;
    const bound = this.#lengths?.rewritten(expression) ?? expression;
    const near = withoutFarDates(bound, this.#target.rewrites.finiteDates);
    const counted = near.kind === "binary" && this.#countsUnits ? withWholeFactor(near) : near;
    const read = counted.kind === "cast" ? withTextOfMember(counted, this.#target.rewrites.casts) : undefined;
    if (read !== undefined) return namingCast(read, counted.span, () => this.#lowered(read, excluded, order));
    const ordered = counted.kind === "call" ? this.#callOrder(this.#withMadeJson(counted), excluded) : counted;
    const mapped = mapExpression(ordered, this.#mapper(excluded));
    const lowered = order === undefined ? mapped : order.inside(mapped);
    const said = this.#operands.bound(lowered, this.#rewrite(lowered, excluded) ?? lowered);
    const { besideRules } = this.#target.rewrites;
    const rewritten = besideRules !== undefined && this.#context.access.restricts ? besideRules(said) : said;
    return order === undefined ? rewritten : order.outside(rewritten);
  }

  /** A column that no rule of a target is about. */
  #isPlainColumn(node: Expression): boolean {
    if (node.kind !== "bound") return false;
    const { kind } = typeOrUnknown(node);
    if (kind === "interval" || kind === "time" || kind === "array") return false;
    return this.#target.rewrites.besideRules === undefined || !this.#context.access.restricts;
  }

  /** The catalogue's definition of a function without a rule, in the place of its call. */
  #defined(node: Call, definition: Definition | undefined, excluded: NullFreeColumns): Expression | undefined {
    if (definition === undefined) return undefined;
    const { span, filter } = node;
    const made = this.#operands.overBound(node, definition.repeated, (parts) => {
      const bound = boundDefinition(definition, node, parts, this.#context);
      return this.#besides(filter === undefined ? parts : [...parts, filter], () =>
        namingCall(node, () => this.expression(bound, excluded)),
      );
    });
    return { ...made, span };
  }

  /** The definition of a call by its literal format, where the target's own rule does not read the format. */
  #byFormat(node: Call): Definition | undefined {
    const { timePatterns, numbersFilled } = this.#target.rewrites;
    if (timePatterns === undefined) return undefined;
    const definition = byParts(
      node,
      () =>
        shownTime(node, timePatterns) ??
        readTime(node, timePatterns) ??
        (numbersFilled && shownNumber(node, numbersFilled)),
    );
    // Casts between texts and times repeat their operand, so that the text of a text of a time is long.
    if (definition === undefined || !this.#operands.repeatsLarge(node)) return definition;
    const hint = "Compute it in a subquery, and write the format around its column.";
    throw unsupported("a format of a large expression", node.span, hint);
  }

  /** By the target's rule for the call; where it refuses it, by other words of the input language. */
  #byOwnRule(node: Call, rule: Rule<Call>, excluded: NullFreeColumns): Expression | undefined {
    if (typeof rule === "object" && "as" in rule) return renamed(node, rule.as);
    try {
      return byRule(node, rule);
    } catch (error) {
      const definition = isUnsupported(error) ? otherWords(node) : undefined;
      if (definition === undefined) throw error;
      return this.#defined(node, definition, excluded);
    }
  }

  /** A node about times of day, where the target has no such type, or does not compute with it. */
  #timeOfDay(node: Expression, excluded: NullFreeColumns): Expression | undefined {
    const { numberedTimes, clock } = this.#target.rewrites;
    const { restricts } = this.#context.access;
    const typed = clock === undefined ? undefined : typedTime(node, clock);
    const said = numberedTimes === undefined ? typed : numberedTime(node, numberedTimes, restricts);
    if (said === undefined || !isDefined(said)) return said;
    const made = this.#defined(said.node, definitionOf(said.sql), excluded);
    return made === undefined ? undefined : inPlaceOfTime(made, node);
  }

  #definedBy({ node, sql }: { readonly node: Call; readonly sql: string }, excluded: NullFreeColumns) {
    return this.#defined(node, definitionOf(sql), excluded);
  }

  /** An operator of JSON in the input language, which the caller did not write: a refusal names the operator. */
  #keyed(node: Binary, excluded: NullFreeColumns, refusal: unknown): Expression {
    const { left, span } = node;
    if (refusal !== undefined && !isUnsupported(refusal)) throw refusal;
    try {
      const definition = definitionOf(containment(node));
      const bound = boundDefinition(definition, { filter: undefined, span }, [left], this.#context);
      return { ...this.#besides([left], () => this.expression(bound, excluded)), span };
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      throw refusal ?? unsupported(UNSUPPORTED.jsonKeys.refused, span, UNSUPPORTED.jsonKeys.hint);
    }
  }

  /** Runs `work`, which lowers a tree with nodes that are lowered already. */
  #besides<T>(settled: readonly Expression[], work: () => T): T {
    const outer = this.#settled;
    this.#settled = new Set(settled);
    try {
      return work();
    } finally {
      this.#settled = outer;
    }
  }

  /** The order of NULLs in a call's own sort keys; those of an ordered-set aggregate ignore NULLs. */
  #callOrder(written: Call, excluded: NullFreeColumns): Call {
    const { grammar, rewrites } = this.#target;
    const hasFilter =
      grammar.aggregateFilter === "outside windows" ? written.over === undefined : grammar.aggregateFilter;
    const kept = written.filter === undefined || hasFilter ? written : withoutFilter(written);
    const call = rewrites.keys === undefined ? kept : callWithKeys(kept, rewrites.keys);
    if (call.orderBy.length === 0 && call.withinGroup.length === 0 && call.over === undefined) return call;
    return {
      ...call,
      orderBy: lowerSortItems(call.orderBy, withinCalls(grammar), excluded),
      withinGroup: call.withinGroup.map((item) => ({ ...item, nulls: undefined })),
      over: call.over && this.#windowOrder(call.over, excluded, call),
    };
  }

  #windowOrder(written: Window, excluded: NullFreeColumns, of?: Call): Window {
    const { grammar, rewrites } = this.#target;
    const window = rewrites.window?.(written, of) ?? written;
    if (grammar.frames !== "all" && window.frame !== undefined) refuseFrame(window.frame);
    return {
      ...window,
      orderBy: lowerSortItems(window.orderBy, withinCalls(grammar), excluded),
    };
  }

  #mapper(excluded: NullFreeColumns): ChildMapper {
    let mapper = this.#mappers.get(excluded);
    if (mapper === undefined) {
      const lower = (child: Expression): Expression => this.expression(child, excluded);
      mapper = {
        expression: lower,
        query: (query) => this.#operands.inExpression(() => this.query(query)),
        body: (body) => this.#body(body),
        table: (table) => this.#table(table),
        item: (item) => this.#item(item, lower),
      };
      this.#mappers.set(excluded, mapper);
    }
    return mapper;
  }

  #withMadeJson(node: Call): Call {
    return this.#makesJsonTexts() ? withEmptyJson(node) : node;
  }

  /** JSON is made of values, and the target makes a text of it. The definition of a function may make the first. */
  #makesJsonTexts(): boolean {
    return this.#context.makesJson && this.#target.rewrites.jsonTexts !== undefined;
  }

  /** JSON that is made of values, where the target makes a text of it. */
  #madeJson(node: Call, excluded: NullFreeColumns): Expression {
    const { jsonTexts: texts } = this.#target.rewrites;
    if (texts === undefined) throw unsupported(UNSUPPORTED.madeJson.refused, node.span);
    return madeJson(node, {
      texts,
      defined: (sql, part) => {
        const bound = boundDefinition(definitionOf(sql), { filter: undefined, span: node.span }, [part], this.#context);
        return this.#besides([part], () => this.expression(bound, excluded));
      },
      lowered: (each) => this.#rewrite(each, excluded) ?? each,
    });
  }

  #rewrite(node: Expression, excluded: NullFreeColumns): Expression | undefined {
    const { expressions, operators, casts, fields, functions } = this.#target.rewrites;
    if (this.#context.hasArrays && !this.#target.grammar.allDimensions) refuseDimensions(node);
    if (this.#makesJsonTexts()) refuseReadJson(node);
    const time = this.#context.hasTimesOfDay ? this.#timeOfDay(node, excluded) : undefined;
    if (time !== undefined) return time;
    switch (node.kind) {
      case "bound":
      case "spelled":
        return undefined;
      case "binary": {
        const rule = operators.get(node.operator);
        if (rule === UNSUPPORTED.jsonKeys) return this.#keyed(node, excluded, undefined);
        if (rule === UNSUPPORTED.overlaps) return this.#definedBy(overlapping(node), excluded);
        if (rule === UNSUPPORTED.bitShifts) return this.#definedBy(shifted(node), excluded);
        if (node.operator !== "@>" || typeOrUnknown(node.left).kind !== "json") return byRule(node, rule);
        // The rules of most targets are about arrays.
        try {
          return byRule(node, rule);
        } catch (error) {
          return this.#keyed(node, excluded, error);
        }
      }
      case "extract": {
        const said = byRule(node, fields.get(node.field));
        // A target may count in integers; half of a field remains a fraction.
        return said === undefined ? undefined : { ...said, type: typeOrUnknown(node) };
      }
      case "call": {
        if (node.nulls === "ignore" && !this.#target.grammar.ignoreNulls) {
          throw unsupported("IGNORE NULLS", node.span, "Filter the NULLs in a subquery first.");
        }
        const [name, ...schema] = node.name;
        // Functions that the catalogue lacks were allowed or refused during binding.
        const rule = schema.length === 0 ? functions.get(name?.name ?? "") : "same";
        const byFormat = schema.length === 0 && FORMATTING.has(name?.name ?? "") ? this.#byFormat(node) : undefined;
        if (byFormat !== undefined) return this.#defined(node, byFormat, excluded);
        if (rule === undefined) return this.#defined(node, definitionFor(node), excluded);
        if (rule === UNSUPPORTED.madeJson) return this.#madeJson(node, excluded);
        return this.#byOwnRule(node, rule, excluded);
      }
      case "cast":
        if (!this.#target.grammar.compositeTypes && node.typeName.members.length > 0) {
          throw unsupported("a cast to a struct, row or map", node.typeName.span, "Keep the value as json.");
        }
        return byRule(node, castRule(casts, node));
      default:
        return byRule(node, expressions.get(node.kind));
    }
  }
}

/** A branch with QUALIFY becomes a query of its own. */
function withoutOwnQualify(body: QueryBody, grammar: Grammar): QueryBody {
  if (body.kind !== "select" || !lacksQualify(body, grammar)) return body;
  return withWindowsApart(queryOf(body), body).body;
}
