/**
 * Model occurrences as table expressions: a direct reference to the physical table where every needed column is a
 * physical one (docs/decisions/0022-shape-of-plans.md), otherwise one derived table that computes exactly the needed columns
 * (docs/spec/planner.md#how-a-model-becomes-a-table).
 */
import { cannotRaise, type RaisingFacts } from "../access/raising.ts";
import type { RowRule } from "../access/row-rules.ts";
import { checkRuleCycles } from "../access/rule-cycles.ts";
import type { BindingContext } from "../binding/context.ts";
import { uniqueName } from "../binding/output.ts";
import { UniqueNames } from "../binding/printable-name.ts";
import type { ModelRelation, RelationColumn } from "../binding/relation.ts";
import { calculatedColumnOf, columnOfBase, ownerOf } from "../manifest/calculated.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { cast, selectItem, typed } from "../syntax/build.ts";
import type { NativeFlavour } from "../syntax/lexical-rules.ts";
import { transformExpression } from "../syntax/rewrite.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type {
  Expression,
  PrintableColumn,
  Query,
  RuledTable,
  SelectExpression,
  Span,
  TableExpression,
} from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import { COLLATED, type Conversion, type SqlType, TEXT } from "../types.ts";
import { BaseQuery } from "./base-query.ts";
import { ModelColumns } from "./calculated.ts";
import type { ExpansionTarget, Fence } from "./expansion-target.ts";
import { ONE } from "./fence.ts";
import { AggregateTable, type JoinedTable, ModelRows, type RowsColumn } from "./model-rows.ts";
import { nativeExpression, physicalName, sourceTable } from "./physical.ts";
import { ruleCondition } from "./rule-condition.ts";
import { canRuleFail } from "./rule-errors.ts";
import { modellersOwn } from "./ruled-tables.ts";
import { derived, name, selectFrom } from "./select.ts";
import { translatedExpression } from "./translated.ts";

/** A model that a plan reads, and how. */
export interface ModelRead {
  readonly model: Model;
  readonly columns: readonly string[];
}

export class Expansion {
  readonly #context: BindingContext;
  readonly #columns: ModelColumns;
  readonly #flavour: NativeFlavour;
  readonly #fence: Fence;
  readonly #castsColumns: boolean;
  readonly #converts: ExpansionTarget["converts"];
  readonly #numbersTimes: boolean;
  /** The span where the caller named the model being expanded. */
  #named: Span = NOWHERE;
  readonly reads: ModelRead[] = [];
  /** The first ruled table of the statement, which refusals of the whole statement name. */
  firstRuled: RuledTable | undefined;

  constructor(context: BindingContext, { native, fence, castsColumns, converts, rewrites }: ExpansionTarget) {
    this.#context = context;
    this.#columns = new ModelColumns(context);
    this.#flavour = native;
    this.#fence = fence;
    this.#castsColumns = castsColumns === true;
    this.#converts = converts;
    this.#numbersTimes = rewrites.numberedTimes !== undefined;
  }

  /** The table expression of one occurrence; sets the printed names of its columns. */
  occurrence(relation: ModelRelation, span: Span): TableExpression {
    this.#named = span;
    const { model, printedAlias } = relation;
    const used = relation.usedColumns();
    const columns: string[] = [];
    for (const { modelColumn } of used) {
      if (modelColumn === undefined) continue;
      columns.push(modelColumn.name);
      this.#context.noteType(modelColumn.type);
    }
    this.reads.push({ model, columns });
    const rows = ModelRows.root(model);
    const ruled = this.#rules(model).length > 0;
    if (!ruled && !model.isBuilt && this.#readsPlainColumns(used, model)) {
      return sourceTable(model, printedAlias, span, this.#flavour);
    }
    const outputs = used.map((column) => ({ column, expression: this.#outputOf(column, rows) }));
    for (const { column, expression } of outputs) {
      if (column.path !== undefined || column.modelColumn?.kind === "calculated") column.origins = [expression];
    }
    const isAlone = !ruled && !model.isBuilt && rows.frame.tables.length === 0;
    const direct = outputs.map(({ expression }) => this.#physicalNameOf(expression, rows));
    // Two columns that are one of the table would be one key of a grouping set.
    const areDifferent = new Set(direct).size === direct.length;
    if (isAlone && areDifferent && direct.every((each) => each !== undefined)) {
      for (const [index, { column }] of outputs.entries()) column.printedName = direct[index] ?? column.printedName;
      return sourceTable(model, printedAlias, span, this.#flavour);
    }
    const taken = new UniqueNames();
    for (const [index, { column }] of outputs.entries()) column.printedName = uniqueName(column.name, index, taken);
    const read: { readonly column: ModelColumn; readonly printedName: string }[] = [];
    for (const { column, expression } of outputs) {
      const own = ownColumn(expression, rows);
      if (own !== undefined && !isComputed(own)) read.push({ column: own.column, printedName: column.printedName });
    }
    if (isAlone && read.length === outputs.length) return derived(this.#computed(model, read), printedAlias, span);
    const items = outputs.map(
      ({ column, expression }): SelectExpression => ({
        kind: "item",
        expression,
        alias: name(column.printedName),
        span: NOWHERE,
      }),
    );
    const pushed = ruled ? this.#pushed(relation, rows) : [];
    return this.#frameTable(items, rows, { alias: printedAlias, span, pushed });
  }

  #rules(model: Model): readonly RowRule[] {
    const rules = this.#context.access.rowRules(model);
    if (rules.length > 0) checkRuleCycles(model, this.#context.manifest, this.#context.access);
    return rules;
  }

  /** The rows of a frame's root with the selected columns, without rows excluded by a rule. */
  #frameTable(
    items: readonly SelectExpression[],
    root: ModelRows,
    { alias, span, pushed }: FrameOptions,
  ): TableExpression {
    // If the root is itself a derived table, its rules already apply inside it.
    const rules = [...root.needed.values()].some(isComputed) ? [] : this.#rules(root.model);
    const where = rules.map((rule) => ruleCondition(rule, root, this.#columns));
    const selected = items.length > 0 ? items : [ONE];
    const from = this.#joined(root);
    if (rules.length === 0) return derived(selectFrom(selected, from), alias, span);
    const canFail = where.some((rule) => canRuleFail(rule, modellersOwn(this.#fence.harmless), this.#flavour));
    const ruled: RuledTable = {
      kind: "ruled",
      model: root.model.name,
      items: selected,
      from,
      where,
      pushed: canFail ? [] : (pushed ?? []),
      alias: { name: name(alias), columns: [] },
      named: this.#named,
      span,
    };
    this.firstRuled ??= ruled;
    return ruled;
  }

  /** The caller's own conditions that may run next to a rule: they cannot raise, and an index may serve them. */
  #pushed(relation: ModelRelation, rows: ModelRows): readonly Expression[] {
    // An expression of `refSql` may raise as soon as a condition names it.
    const { tableReference, readMayFail } = rows.model.data;
    const { pushes, bestEffort } = this.#fence;
    if (!(pushes || bestEffort !== undefined) || tableReference === undefined || readMayFail) return [];
    const facts: RaisingFacts = { engine: this.#fence.harmless, column: () => true };
    return relation.conditions.flatMap((part) => {
      if (!cannotRaise(part, facts)) return [];
      let physical = true;
      const inside = mapColumns(part, (column) => {
        const expression = this.#outputOf(column as RelationColumn, rows);
        physical &&= this.#physicalNameOf(expression, rows) !== undefined;
        return expression;
      });
      if (!physical) return [];
      this.#context.notePushed(inside, inside);
      return [inside];
    });
  }

  /**
   * Whether the model's table offers every column under its own name; sets the printed names then. Most occurrences are such: their
   * columns need no expressions. Two columns that are one of the table, where names are folded, would be one key of a grouping set.
   */
  #readsPlainColumns(used: readonly RelationColumn[], model: Model): boolean {
    for (const { path, modelColumn } of used) {
      if (path !== undefined || modelColumn?.kind !== "plain" || this.#isConverted(modelColumn)) return false;
    }
    const names = used.map(({ modelColumn }) => modelColumn && physicalName(model, modelColumn, this.#flavour));
    if (this.#flavour.foldsManifestNames && new Set(names).size < names.length) return false;
    for (const [index, column] of used.entries()) column.printedName = names[index] ?? column.printedName;
    return true;
  }

  #outputOf(column: RelationColumn, rows: ModelRows): Expression {
    if (column.path !== undefined) return this.#columns.path(column.path, rows, NOWHERE);
    if (column.modelColumn === undefined) throw new TypeError(`"${column.name}" is no model column`);
    return this.#columns.at(column.modelColumn, rows);
  }

  /** The physical column of an expression at the root; `undefined` if it is computed. */
  #physicalNameOf(expression: Expression, root: ModelRows): string | undefined {
    const own = ownColumn(expression, root);
    if (own === undefined || root.model.isBuilt || this.#isConverted(own.column)) return undefined;
    return physicalName(root.model, own.column, this.#flavour);
  }

  /** Texts that the source may compare otherwise than by their letters, and columns of types of the source's own. */
  #isConverted({ type }: ModelColumn): boolean {
    if ((this.#castsColumns && holdsTexts(type)) || this.#isTextOfTime(type)) return true;
    return this.#converts !== undefined && conversionOf(type) !== undefined;
  }

  #isTextOfTime(type: SqlType): boolean {
    return this.#numbersTimes && type.kind === "time" && !type.zoned;
  }

  #converted(expression: Expression, { type }: ModelColumn): Expression {
    this.#context.noteType(type);
    if (this.#isTextOfTime(type)) {
      const at = { span: NOWHERE };
      const written = this.#castsColumns
        ? cast({ ...expression, type: COLLATED }, "text", typed(TEXT, at))
        : expression;
      return cast({ ...written, type: TEXT } as Expression, "time", typed(type, at));
    }
    const conversion = conversionOf(type);
    if (conversion !== undefined && this.#converts !== undefined) {
      return { ...this.#converts({ ...expression, type: COLLATED }, conversion), type };
    }
    if (!this.#castsColumns || !holdsTexts(type)) return expression;
    return cast({ ...expression, type: COLLATED }, "text", typed(type, { span: NOWHERE }));
  }

  /** `columns` of all rows of `model` as a query; `printedNames` are those of its columns. */
  #rowsOf(
    model: Model,
    columns: readonly ModelColumn[],
    { printedNames, alias }: { readonly printedNames: readonly string[]; readonly alias: string },
  ): TableExpression {
    this.reads.push({ model, columns: columns.map((column) => column.name) });
    const rows = ModelRows.root(model);
    const items = columns.map((column, index): SelectExpression => {
      const windowed = column.kind === "calculated" && calculatedColumnOf(model, column).window;
      const expression = windowed ? this.#columns.expressionOf(column, rows) : this.#columns.at(column, rows);
      return { kind: "item", expression, alias: name(printedNames[index] ?? column.name), span: NOWHERE };
    });
    return this.#frameTable(items, rows, { alias, span: NOWHERE });
  }

  /** Joins a frame's tables, so that each condition follows the tables that it names. */
  #joined(root: ModelRows, rootRules: "elsewhere" | "here" = "elsewhere"): TableExpression {
    const { tables } = root.frame;
    const placed = new Set<unknown>([root]);
    const order: JoinedTable[] = [];
    const place = (table: JoinedTable): void => {
      if (placed.has(table)) return;
      placed.add(table);
      const needed = relationsIn(table.on);
      for (const other of tables) if (needed.has(other)) place(other);
      order.push(table);
    };
    for (const table of tables) place(table);
    let joined = this.#rowsTable(root, rootRules);
    for (const table of order) {
      this.#context.budget.countJoin();
      joined = {
        kind: "join",
        join: table.join,
        natural: false,
        left: joined,
        right: table instanceof AggregateTable ? this.#aggregateTable(table) : this.#rowsTable(table, "here"),
        on: table.on,
        using: [],
        span: NOWHERE,
      };
    }
    return joined;
  }

  #aggregateTable(table: AggregateTable): TableExpression {
    const items = [...table.keys, ...table.values].map(
      ({ expression, column }): SelectExpression => ({
        kind: "item",
        expression,
        alias: name(column.printedName),
        span: NOWHERE,
      }),
    );
    const query = selectFrom(items, this.#joined(table.root, table.rootRules), {
      where: table.where,
      groupBy: table.keys.map(({ expression }) => expression),
    });
    return derived(query, table.printedAlias, NOWHERE);
  }

  /**
   * The table of one model's rows. Source expressions hold unqualified physical names, which another table of the join
   * could capture, columns over all rows must not see the rows around them, and rules hold before anything is joined: each
   * is a derived table. `elsewhere`: the frame's own conditions hold the rules of its root.
   */
  #rowsTable(rows: ModelRows, rules: "elsewhere" | "here"): TableExpression {
    const { model, printedAlias } = rows;
    const columns = [...rows.needed.values()];
    this.#context.budget.spend(columns.length);
    const ruled = rules === "here" && this.#rules(model).length > 0;
    const { isBuilt } = model;
    const whole = ruled || columns.some(isComputed);
    if (!whole) this.reads.push({ model, columns: [...rows.needed.keys()] });
    const physical = isBuilt ? [] : columns.map(({ column }) => physicalName(model, column, this.#flavour));
    const isDirect =
      physical.every((each) => each !== undefined) && !columns.some(({ column }) => this.#isConverted(column));
    if (!whole && !isBuilt && isDirect) {
      for (const [index, column] of columns.entries()) column.printedName = physical[index] ?? column.printedName;
      return sourceTable(model, printedAlias, NOWHERE, this.#flavour);
    }
    const taken = new UniqueNames();
    for (const [index, column] of columns.entries()) {
      column.printedName = uniqueName(column.column.name, index, taken);
    }
    if (whole) {
      const modelColumns = columns.map(({ column }) => column);
      const printedNames = columns.map(({ printedName }) => printedName);
      return this.#rowsOf(model, modelColumns, { printedNames, alias: printedAlias });
    }
    return isBuilt
      ? this.#overBase(model, columns, printedAlias)
      : derived(this.#computed(model, columns), printedAlias, NOWHERE);
  }

  /** Columns of a model that is built on another object, with the model's own rules. */
  #overBase(model: Model, columns: readonly RowsColumn[], alias: string): TableExpression {
    const selected = (expressionOf: (column: ModelColumn) => Expression): readonly SelectExpression[] =>
      columns.map(({ column, printedName }) => selectItem(expressionOf(column), name(printedName), { span: NOWHERE }));
    const { base, baseQuery } = model;
    if (baseQuery !== undefined) {
      const rows = new BaseQuery(model, baseQuery, this.#context);
      const items = columns.length === 0 ? [ONE] : selected((column) => rows.expressionOf(column));
      return derived(selectFrom(items, rows.table), alias, NOWHERE);
    }
    if (base === undefined) throw new TypeError(`model "${model.name}" is built on nothing`);
    const rows = ModelRows.root(base);
    const items = selected((column) =>
      column.kind === "plain"
        ? this.#columns.at(columnOfBase(model, base, column), rows)
        : this.#columns.expressionOf(column, rows),
    );
    return this.#frameTable(items, rows, { alias, span: NOWHERE });
  }

  /** Columns of the model's own table, and the manifest's expressions over them. */
  #computed(model: Model, columns: readonly Pick<RowsColumn, "column" | "printedName">[]): Query {
    const items = columns.map(({ column, printedName }): SelectExpression => {
      const physicalColumn = physicalName(model, column, this.#flavour);
      const value = physicalColumn === undefined ? this.#native(model, column) : this.#own(column, physicalColumn);
      return { kind: "item", expression: value, alias: name(printedName), span: NOWHERE };
    });
    return selectFrom(items, sourceTable(model, "_s", NOWHERE, this.#flavour));
  }

  /** A column of the model's own table. */
  #own(column: ModelColumn, physical: string): Expression {
    const read: Expression = { kind: "column", parts: [name("_s"), name(physical)], type: column.type, span: NOWHERE };
    return this.#converted(read, column);
  }

  /** A source expression: translated if the source lacks parts of it, else the modeller's own text. */
  #native(model: Model, column: ModelColumn): Expression {
    const native = nativeExpression(model, column, this.#flavour);
    const translated =
      native.foreign &&
      translatedExpression(
        { model, column, native, flavour: this.#flavour, read: (each, physical) => this.#own(each, physical) },
        this.#context,
      );
    if (translated !== undefined) return translated;
    const { text } = native;
    const owner = ownerOf(model, column);
    return this.#converted({ kind: "opaque", text, owner, type: column.type, span: NOWHERE }, column);
  }
}

function ownColumn(expression: Expression, root: ModelRows): RowsColumn | undefined {
  const isOwn = expression.kind === "bound" && expression.column.relation === root;
  return isOwn ? (expression.column as RowsColumn) : undefined;
}

function conversionOf(type: SqlType): Conversion | undefined {
  return type.kind === "text" || type.kind === "timestamp" ? type.converted : undefined;
}

/** Whether a source stores values of the type as texts. */
function holdsTexts(type: SqlType): boolean {
  return type.kind === "array" ? holdsTexts(type.element) : ["text", "json", "uuid"].includes(type.kind);
}

/** A calculated column among the needed ones is computed over all rows of its model. */
function isComputed({ column }: RowsColumn): boolean {
  return column.kind === "calculated";
}

/** The derived table around a frame. */
interface FrameOptions {
  readonly alias: string;
  readonly span: Span;
  readonly pushed?: readonly Expression[];
}

function mapColumns(expression: Expression, map: (column: PrintableColumn) => Expression): Expression {
  return transformExpression(expression, { expression: (each) => (each.kind === "bound" ? map(each.column) : each) });
}

function relationsIn(expression: Expression | undefined): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  if (expression === undefined) return found;
  someExpression(expression, (each) => {
    if (each.kind === "bound") found.add(each.column.relation);
    return false;
  });
  return found;
}
